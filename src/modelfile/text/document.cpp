#include "modelfile/text/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string_view>
#include <utility>

#include "base/text/utf8.h"
#include "base/text/visible_text.h"
#include "modelfile/read_patiently.h"

namespace raak {
namespace {

constexpr std::uintmax_t largest_file = 64U << 20U;  // bytes
constexpr double patience_with_pipes = 10.0;         // s
constexpr std::size_t deepest_include = 50;          // files that include each other in a chain
constexpr int most_key_parts = 100;

// What the parser must not see: bytes that are not UTF-8, controls, characters outside strings and comments that are
// not ASCII, a string that begins within a word (the parser looks at what follows as if it stood outside), and keys of
// very many parts, which mean as many tables in tables and are made by recursion.
class Scan {
 public:
  Scan(const std::string& text, const std::string& path) : text_(text), path_(path) {}

  void run() {
    while (at_ < text_.size()) step();
  }

 private:
  [[noreturn]] void refuse(const std::string& message) const { refuse_at({path_, line_, column_}, message); }

  // Columns count characters.
  void advance(std::size_t bytes) {
    if (text_[at_] == '\n') ++line_, column_ = 1;
    else ++column_;
    at_ += bytes;
  }

  void step() {
    const Utf8Character c = utf8_at(text_, at_);
    if (!c.valid)
      refuse(fmt::format("expected text in UTF-8, found the byte 0x{:02X}: save the file with the encoding UTF-8",
                         static_cast<unsigned>(c.code)));
    if ((c.code < 32 && c.code != '\t' && c.code != '\r' && c.code != '\n') || c.code == 127)
      refuse(
          fmt::format("expected text, found a byte of value {}: this is no TOML file", static_cast<unsigned>(c.code)));
    if (c.code > 127 && !comment_ && quote_.empty())
      refuse(fmt::format("expected ASCII outside strings and comments, found the character U+{:04X}",
                         static_cast<unsigned>(c.code)));
    if (c.code == '\n') end_line();
    else if (!comment_ && !quote_.empty()) in_string(static_cast<char>(c.code < 128 ? c.code : 0));
    else if (!comment_) outside(static_cast<char>(c.code));
    if (at_ < text_.size()) advance(c.bytes);
  }

  void end_line() {
    comment_ = false;
    parts_ = 1;
    before_ = '\n';
    if (quote_.size() == 1) quote_.clear();
  }

  void in_string(char c) {
    if (c == '\\' && quote_.front() == '"') {
      if (at_ + 1 < text_.size() && static_cast<unsigned char>(text_[at_ + 1]) < 128) advance(1);
    } else if (c == quote_.front() && text_.compare(at_, quote_.size(), quote_) == 0) {
      // A string of several lines may end with up to two quotes of its own before the three that close it.
      const std::size_t most = quote_.size() == 3 ? 5 : 1;
      for (std::size_t i = 1; i < most && at_ + 1 < text_.size() && text_[at_ + 1] == c; ++i) advance(1);
      before_ = c;
      quote_.clear();
    }
  }

  void outside(char c) {
    if (c == '#') comment_ = true;
    if (c == '=' || c == ',' || c == '{' || c == '[') parts_ = 1;
    if (c == '.' && ++parts_ > most_key_parts)
      refuse(fmt::format("expected a key of at most {} parts with dots between", most_key_parts));
    if (c == '"' || c == '\'') {
      if (std::string_view("\n\r\t =,.[{").find(before_) == std::string_view::npos)
        refuse("expected a comma, a line end or an operator before a string");
      const std::string triple(3, c);
      quote_ = text_.compare(at_, 3, triple) == 0 ? triple : triple.substr(2);
      for (std::size_t i = 1; i < quote_.size(); ++i) advance(1);
    }
    before_ = c;
  }

  const std::string& text_;
  const std::string& path_;
  std::size_t at_ = 0;
  int line_ = 1, column_ = 1;
  std::string quote_;  // what ends the string we are in
  bool comment_ = false;
  int parts_ = 1;       // of the key we may be in
  char before_ = '\n';  // outside strings
};

// What the parser says, in words that say what was expected.
std::string parser_message(std::string_view words) {
  if (words.find("TOML_MAX_NESTED_VALUES") != std::string_view::npos)
    return "expected at most 256 arrays and tables inside each other";
  if (const std::size_t key = words.find('\'');
      words.find("cannot redefine") != std::string_view::npos && key < words.size())
    return fmt::format("the key \"{}\" is given twice",
                       cut_short(words.substr(key + 1, words.find('\'', key + 1) - key - 1)));
  return cut_short(words, 300);
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

// `chain` has the files on the way here, `known` those that were merged: once more they would add nothing, since what
// is there wins, and files that include each other twice would double the work at every level.
class Includes {
 public:
  explicit Includes(const FileReader& read) : read_(read) {}

  toml::table document(const std::string& text, const std::string& path) {
    toml::table document = parse_document(text, path);
    const toml::node* const include = document.get("include");
    if (include == nullptr) return document;
    chain_.push_back(std::filesystem::path(path).lexically_normal().string());
    for (const auto& [name, place] : as_texts(*include, "include")) {
      if (name.find('\0') != std::string::npos) refuse_at(place, "expected the name of a file, found a NUL in it");
      const std::string other = (std::filesystem::path(path).parent_path() / name).lexically_normal().string();
      if (std::find(chain_.begin(), chain_.end(), other) != chain_.end())
        refuse_at(place, fmt::format("\"{}\" includes itself", cut_short(name)));
      if (!known_.insert(other).second) continue;
      if (chain_.size() >= deepest_include)
        refuse_at(place, fmt::format("expected at most {} files that include each other in a chain", deepest_include));
      toml::table included = this->document(read_(other, place), other);
      merge(document, included);
    }
    chain_.pop_back();
    return document;
  }

 private:
  const FileReader& read_;
  std::vector<std::string> chain_;
  std::set<std::string> known_;
};

}  // namespace

std::string read_text(const std::string& path, const Place& asked) {
  const bool by_user = asked.line == 0;
  const Place place = by_user ? Place{path} : asked;
  const auto named = [&](const std::string& what) { return by_user ? what : "\"" + cut_short(path) + "\" " + what; };
  std::error_code trouble;
  const auto status = std::filesystem::status(path, trouble);
  if (!std::filesystem::exists(status))
    refuse_at(place, by_user ? "there is no such file" : fmt::format("there is no file \"{}\"", cut_short(path)));
  if (std::filesystem::is_directory(status)) refuse_at(place, named("is a folder, expected a file"));
  if (!std::filesystem::is_regular_file(status) && !(by_user && std::filesystem::is_fifo(status)))
    refuse_at(place, named("is a device, a pipe or a socket, expected a file"));
  const auto size = std::filesystem::is_regular_file(status) ? std::filesystem::file_size(path, trouble) : 0;
  if (size > largest_file)
    refuse_at(place, named(fmt::format("has {} MB, expected at most {} MB", size >> 20U, largest_file >> 20U)));
  std::string text;
  switch (read_patiently(path, largest_file, patience_with_pipes, text)) {
    case ReadingEnd::complete:
      break;
    case ReadingEnd::silent:
      refuse_at(place, named(fmt::format("is a pipe into which nobody has written for {:g} s, expected a file",
                                         patience_with_pipes)));
    case ReadingEnd::unreadable:
      refuse_at(place, named("cannot be read"));
    case ReadingEnd::not_stored:
      refuse_at(place, named("is not stored on a disk but made by the kernel, expected a file"));
    case ReadingEnd::too_long:
      refuse_at(place, named(fmt::format("does not end, expected at most {} MB", largest_file >> 20U)));
  }
  return without_mark(std::move(text));
}

toml::table parse_document(const std::string& text, const std::string& path) {
  Scan(text, path).run();
  try {
    return toml::parse(text, path);
  } catch (const toml::parse_error& error) {
    const auto begin = error.source().begin;
    refuse_at({path, static_cast<int>(begin.line), static_cast<int>(begin.column)},
              parser_message(error.description()));
  }
}

toml::table read_document(const std::string& path, std::string* text, const FileReader& read) {
  std::string own = read(path, {});
  toml::table document = Includes(read).document(own, path);
  if (text != nullptr) *text = std::move(own);
  return document;
}

}  // namespace raak
