#include "modelfile/text/toml_writer.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text/text.h"
#include "base/text/visible_text.h"

namespace raak {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t widest = 128;  // of a line; a longer table becomes a section

std::string quoted(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (c == '"' || c == '\\') safe += '\\';
    safe += c;
  }
  return "\"" + escaped_for_toml(safe) + "\"";
}

std::string key_text(const std::string& key) {
  const auto bare = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  };
  return !key.empty() && std::all_of(key.begin(), key.end(), bare) ? key : quoted(key);
}

bool is_literal(const Json& value) {
  return value.is_object() && value.size() == 1 && value.begin().key() == toml_only && value.begin()->is_string();
}

bool is_table(const Json& value) {
  return value.is_object() && !is_literal(value);
}

std::string inline_text(const Json& value) {
  if (is_literal(value)) return value.begin()->get<std::string>();
  if (value.is_string()) return quoted(value.get<std::string>());
  if (value.is_boolean()) return value.get<bool>() ? "true" : "false";
  if (value.is_number_integer()) return std::to_string(value.get<std::int64_t>());
  if (value.is_number()) {
    const std::string text = exact_text(value.get<double>());
    return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
  }
  std::vector<std::string> parts;
  if (value.is_array()) {
    for (const Json& entry : value) parts.push_back(inline_text(entry));
    return "[" + join(parts) + "]";
  }
  for (const auto& [key, entry] : value.items()) parts.push_back(key_text(key) + " = " + inline_text(entry));
  return parts.empty() ? "{}" : "{ " + join(parts) + " }";
}

void write_line(const std::string& key, const Json& value, std::string& text) {
  const std::string line = key_text(key) + " = " + inline_text(value);
  if (!value.is_array() || line.size() <= widest) {
    text += line + "\n";
    return;
  }
  text += key_text(key) + " = [\n";  // an array may go over lines, an inline table may not
  for (const Json& entry : value) text += "  " + inline_text(entry) + ",\n";
  text += "]\n";
}

// A key that follows a section would belong to the section: tables up to the last plain key stay on their lines. At the
// top the order means nothing, and plain keys go first.
void write_table(const Json& table, const std::string& path, std::string& text) {
  const bool top = path.empty();
  std::size_t after_plain = 0;  // number of members up to the last plain one
  std::size_t place = 0;
  bool sections = top;
  for (const auto& [key, value] : table.items()) {
    ++place;
    if (!is_table(value)) after_plain = place;
  }
  place = 0;
  for (const auto& [key, value] : table.items()) {
    if (++place > after_plain && is_table(value))
      sections = sections || key_text(key).size() + 3 + inline_text(value).size() > widest;
  }
  const auto is_section = [&](const Json& value, std::size_t at) {
    return sections && is_table(value) && (top || at > after_plain);
  };
  place = 0;
  bool any_line = false;
  std::string lines, below;
  for (const auto& [key, value] : table.items()) {
    if (is_section(value, ++place)) {
      write_table(value, top ? key_text(key) : path + "." + key_text(key), below);
    } else {
      write_line(key, value, lines);
      any_line = true;
    }
  }
  if (!top && (any_line || table.empty())) text += "\n[" + path + "]\n";
  text += lines + below;
}

}  // namespace

std::string toml_text(const Json& document) {
  std::string text;
  write_table(document, "", text);
  return text;
}

}  // namespace raak
