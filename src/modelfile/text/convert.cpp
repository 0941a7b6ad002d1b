#include "modelfile/text/convert.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/text/text.h"
#include "base/text/visible_text.h"
#include "modelfile/text/document.h"
#include "modelfile/text/json_reader.h"
#include "modelfile/text/toml_writer.h"

namespace raak {
namespace {

using Json = nlohmann::ordered_json;

template <class Value>
Json as_written(const Value& value) {
  std::ostringstream text;
  text << value;
  return Json{{toml_only, text.str()}};
}

Json json_of(const toml::node& node) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* whole = node.as_integer()) return whole->get();
  if (const auto* truth = node.as_boolean()) return truth->get();
  if (const auto* number = node.as_floating_point()) {
    const double value = number->get();
    if (std::isfinite(value)) return value;
    return Json{{toml_only, std::isnan(value) ? "nan" : value > 0.0 ? "inf" : "-inf"}};
  }
  if (const auto* date = node.as_date()) return as_written(date->get());
  if (const auto* time = node.as_time()) return as_written(time->get());
  if (const auto* moment = node.as_date_time()) return as_written(moment->get());
  if (const auto* array = node.as_array()) {
    Json list = Json::array();
    for (const toml::node& entry : *array) list.push_back(json_of(entry));
    return list;
  }
  Json table = Json::object();
  for (const Member& member : members_of(*node.as_table())) {
    if (member.name == toml_only)
      refuse_at(member.place, fmt::format("the key \"{}\" has a meaning of its own in JSON", toml_only));
    table.get_ref<Json::object_t&>().emplace_back(member.name, json_of(*member.value));  // no look at all the others
  }
  return table;
}

}  // namespace

std::string json_of_toml(const std::string& text, const std::string& path) {
  return escaped_for_json(json_of(parse_document(text, path)).dump(2, ' ', false, Json::error_handler_t::replace)) +
         "\n";
}

std::string toml_of_json(const std::string& text, const std::string& path) {
  std::string toml = toml_text(read_json(text, path));
  try {
    static_cast<void>(parse_document(toml, "TOML"));
  } catch (const Error& error) {
    throw Error(ErrorKind::model_file,
                fmt::format("{}: a value of \"{}\" is not TOML: {}", path, toml_only, error.what()));
  }
  return toml;
}

std::string json_of_toml_file(const std::string& path) {
  return json_of_toml(read_text(path, {}), path);
}

std::string contents_of_model_file(const std::string& path, const FileReader& read) {
  return json_of(read_document(path, nullptr, read)).dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string toml_of_json_file(const std::string& path) {
  return toml_of_json(read_text(path, {}), path);
}

}  // namespace raak
