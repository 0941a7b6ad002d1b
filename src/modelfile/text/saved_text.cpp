#include "modelfile/text/saved_text.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "modelfile/text/convert.h"
#include "modelfile/text/document.h"
#include "modelfile/text/json_reader.h"
#include "modelfile/text/toml_writer.h"

namespace raak {
namespace {

namespace fs = std::filesystem;
using Values = std::vector<std::pair<std::string, std::string>>;
using OrderedJson = nlohmann::ordered_json;

// Where toml++ places a character: lines and columns from 1, a column for each character of UTF-8.
std::size_t offset_of(const std::string& text, const toml::source_position& place) {
  std::size_t at = 0;
  for (auto line = place.line; line > 1; --line) at = text.find('\n', at) + 1;
  for (auto column = place.column; column > 1; --column) do
      ++at;
    while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U);
  return at;
}

struct Splice {
  std::size_t from, to;
  std::string written;
};

void write_number(const std::string& text, const toml::node* node, const std::string& value,
                  std::vector<Splice>& splices) {
  if (node == nullptr) return;
  if (const auto* described = node->as_table()) return write_number(text, described->get("value"), value, splices);
  splices.push_back({offset_of(text, node->source().begin), offset_of(text, node->source().end), value});
}

const toml::table* table_in(const toml::table& document, const char* name) {
  const toml::node* const node = document.get(name);
  return node != nullptr ? node->as_table() : nullptr;
}

// A number that TOML takes for one with a fraction.
std::string as_float(const std::string& value) {
  return value.find_first_of(".en") == std::string::npos ? value + ".0" : value;
}

fs::path folder_of(const fs::path& file) {
  return file.has_parent_path() ? fs::absolute(file.parent_path()) : fs::current_path();
}

std::string found_from(const std::string& named, const fs::path& source, const fs::path& folder) {
  if (fs::path(named).is_absolute()) return named;
  return fs::proximate(folder_of(source) / named, fs::absolute(folder)).generic_string();
}

std::string spliced(std::string text, std::vector<Splice> splices) {
  std::sort(splices.begin(), splices.end(), [](const Splice& a, const Splice& b) { return a.from > b.from; });
  for (const Splice& splice : splices) text.replace(splice.from, splice.to - splice.from, splice.written);
  return text;
}

std::string in_place(const std::string& text, const toml::table& document, const Values& values) {
  std::vector<Splice> splices;
  const toml::table* const parameters = table_in(document, "parameters");
  const toml::table* const runs = table_in(document, "runs");
  for (const auto& [name, value] : values) {
    if (parameters != nullptr) write_number(text, parameters->get(name), as_float(value), splices);
    if (runs == nullptr) continue;
    for (const auto& [key, run] : *runs)
      if (run.is_table())
        if (const toml::table* const set = table_in(*run.as_table(), "set"); set != nullptr)
          write_number(text, set->get(name), as_float(value), splices);
  }
  return spliced(text, std::move(splices));
}

void write_number(OrderedJson& table, const std::string& name, double value) {
  if (!table.is_object() || !table.contains(name)) return;
  OrderedJson& entry = table[name];
  if (entry.is_object() && entry.contains("value")) entry["value"] = value;
  else entry = value;
}

// With what it includes.
OrderedJson whole_document(const toml::table& document, const std::string& text, const std::string& path) {
  if (!document.contains("include")) return read_json(json_of_toml(text, path), path);
  const FileReader read = [&](const std::string& file, const Place& asked) {
    return file == path ? text : read_text(file, asked);
  };
  return read_json(contents_of_model_file(path, read), path);
}

std::string as_one_document(OrderedJson document, const std::string& path, const Values& values,
                            const std::string& folder) {
  document.erase("include");
  for (const auto& [name, text] : values) {
    const double value = std::stod(text);
    if (document.contains("parameters")) write_number(document["parameters"], name, value);
    if (document.contains("runs"))
      for (auto& [key, run] : document["runs"].items())
        if (run.contains("set")) write_number(run["set"], name, value);
  }
  if (!values.empty()) document.erase("references");
  if (document.contains("references"))
    for (auto& [key, reference] : document["references"].items())
      if (reference.contains("file"))
        reference["file"] = found_from(reference["file"].get<std::string>(), path, folder);
  return toml_text(document);
}

}  // namespace

std::string saved_text(const std::string& text, const std::string& path, const Values& values,
                       const std::string& folder) {
  const toml::table document = parse_document(text, path);
  const toml::table* const references = table_in(document, "references");
  const bool others = document.contains("include");
  bool named_files = false;
  if (references != nullptr)
    for (const auto& [key, reference] : *references)
      named_files |= reference.is_table() && reference.as_table()->contains("file");
  const bool moved = named_files && fs::weakly_canonical(folder_of(path)) != fs::weakly_canonical(folder);
  if (!others && !moved && (references == nullptr || values.empty())) return in_place(text, document, values);
  return as_one_document(whole_document(document, text, path), path, values, folder);
}

std::string text_alone(const std::string& text, const std::string& path) {
  const toml::table document = parse_document(text, path);
  if (!document.contains("include") && !document.contains("references")) return text;
  OrderedJson whole = whole_document(document, text, path);
  whole.erase("include");
  whole.erase("references");
  return toml_text(whole);
}

}  // namespace raak
