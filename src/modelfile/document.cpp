#include "modelfile/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <set>
#include <string_view>
#include <utility>

#include "modelfile/read_pipe.h"

namespace raak {
namespace {

constexpr std::uintmax_t largest_file = 64U << 20U;  // bytes
constexpr double patience_with_pipes = 10.0;         // s

// Outside strings and comments TOML knows ASCII only. Keys of very many parts mean as many tables in tables, which the
// parser makes by calling itself until its stack is used up.
void refuse_what_is_no_model(const std::string& text, const std::string& path) {
  int line = 1;
  int column = 1;
  std::string quote;  // what ends the string we are in
  bool comment = false;
  constexpr int most_parts = 100;
  int parts = 1;  // of the key we may be in
  for (std::size_t i = 0; i < text.size(); ++i, ++column) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c == '\n') {
      ++line;
      column = 0;
      comment = false;
      parts = 1;
      if (quote.size() == 1) quote.clear();
      continue;
    }
    const bool foreign = (c > 126 && !comment && quote.empty()) || (c < 32 && c != '\t' && c != '\r') || c == 127;
    if (foreign)
      refuse_at({path, line, column}, fmt::format("expected text, found a byte of value {}: this is no TOML file", c));
    if (comment) continue;
    if (!quote.empty()) {
      if (c == '\\' && quote.front() == '"') {
        ++i;
        ++column;
        if (i < text.size() && text[i] == '\n') ++line, column = 0;
      } else if (text.compare(i, quote.size(), quote) == 0) {
        i += quote.size() - 1;
        column += static_cast<int>(quote.size()) - 1;
        quote.clear();
      }
      continue;
    }
    if (c == '#') comment = true;
    if (c == '=' || c == ',' || c == '{' || c == '[') parts = 1;
    if (c == '.' && ++parts > most_parts)
      refuse_at({path, line, column}, fmt::format("expected a key of at most {} parts with dots between", most_parts));
    if (c != '"' && c != '\'') continue;
    const std::string triple(3, static_cast<char>(c));
    quote = text.compare(i, 3, triple) == 0 ? triple : triple.substr(2);
    i += quote.size() - 1;
    column += static_cast<int>(quote.size()) - 1;
  }
}

// What the parser says, in words that tell what was expected.
std::string told_by_parser(std::string_view words) {
  if (words.find("TOML_MAX_NESTED_VALUES") != std::string_view::npos)
    return "expected at most 256 arrays and tables inside each other";
  if (const std::size_t key = words.find('\'');
      words.find("cannot redefine") != std::string_view::npos && key < words.size())
    return fmt::format("the key \"{}\" is given twice", words.substr(key + 1, words.find('\'', key + 1) - key - 1));
  return std::string(words);
}

toml::table parse(const std::string& text, const std::string& path) {
  refuse_what_is_no_model(text, path);
  try {
    return toml::parse(text, path);
  } catch (const toml::parse_error& error) {
    const auto begin = error.source().begin;
    refuse_at({path, static_cast<int>(begin.line), static_cast<int>(begin.column)},
              told_by_parser(error.description()));
  }
}

std::string without_mark(std::string text) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text.starts_with(byte_order_mark)) text.erase(0, byte_order_mark.size());
  return text;
}

// Moves what `into` does not have, table by table.
void merge(toml::table& into, toml::table& from) {
  for (auto&& [key, value] : from) {
    toml::node* const present = into.get(key);
    if (present == nullptr) value.visit([&, &name = key](auto& concrete) { into.insert(name, std::move(concrete)); });
    else if (present->is_table() && value.is_table()) merge(*present->as_table(), *value.as_table());
  }
}

// `chain` has the files on the way here, `read` those that were merged: once more they would add nothing, since what
// is there wins, and files that include each other twice would double the work at every level.
toml::table read_with_includes(const std::string& text, const std::string& path, std::vector<std::string> chain,
                               std::set<std::string>& read) {
  toml::table document = parse(text, path);
  const toml::node* const include = document.get("include");
  if (include == nullptr) return document;
  chain.push_back(std::filesystem::path(path).lexically_normal().string());
  for (const auto& [name, place] : as_texts(*include, "include")) {
    const std::string other = (std::filesystem::path(path).parent_path() / name).lexically_normal().string();
    if (std::find(chain.begin(), chain.end(), other) != chain.end())
      refuse_at(place, fmt::format("\"{}\" includes itself", name));
    if (!read.insert(other).second) continue;
    toml::table included = read_with_includes(read_text(other, place), other, chain, read);
    merge(document, included);
  }
  return document;
}

}  // namespace

std::string read_text(const std::string& path, const Place& asked) {
  const Place place = asked.line == 0 ? Place{path} : asked;
  const auto named = [&](const std::string& what) { return asked.line == 0 ? what : "\"" + path + "\" " + what; };
  std::error_code trouble;
  const auto status = std::filesystem::status(path, trouble);
  if (!std::filesystem::exists(status))
    refuse_at(place, asked.line == 0 ? "there is no such file" : fmt::format("there is no file \"{}\"", path));
  if (std::filesystem::is_directory(status)) refuse_at(place, named("is a folder, expected a file"));
  const auto size = std::filesystem::is_regular_file(status) ? std::filesystem::file_size(path, trouble) : 0;
  if (size > largest_file)
    refuse_at(place, named(fmt::format("has {} MB, expected at most {} MB", size >> 20U, largest_file >> 20U)));
  std::string text;
  const auto refuse_length = [&] {
    refuse_at(place, named(fmt::format("does not end, expected at most {} MB", largest_file >> 20U)));
  };
  if (std::filesystem::is_fifo(status)) {
    const PipeEnd end = read_pipe(path, largest_file, patience_with_pipes, text);
    if (end == PipeEnd::silent)
      refuse_at(place, named(fmt::format("is a pipe into which nobody has written for {:g} s, expected a file",
                                         patience_with_pipes)));
    if (end == PipeEnd::unreadable) refuse_at(place, named("cannot be read"));
    if (end == PipeEnd::too_long) refuse_length();
    return without_mark(std::move(text));
  }
  // A device does not tell its size.
  std::ifstream stream(path, std::ios::binary);
  std::array<char, 65536> part{};
  while (stream.read(part.data(), part.size()) || stream.gcount() > 0) {
    text.append(part.data(), static_cast<std::size_t>(stream.gcount()));
    if (text.size() > largest_file) refuse_length();
  }
  if (!stream.is_open() || stream.bad()) refuse_at(place, named("cannot be read"));
  return without_mark(std::move(text));
}

toml::table read_document(const std::string& path, std::string* text) {
  std::set<std::string> read;
  std::string own = read_text(path, {});
  toml::table document = read_with_includes(own, path, {}, read);
  if (text != nullptr) *text = std::move(own);
  return document;
}

toml::table read_file_alone(const std::string& path) {
  return parse(read_text(path, {}), path);
}

}  // namespace raak
