// JSON as a model file may have it: the order of keys is kept, a key given twice is refused, and mistakes are reported
// with line and column.
#pragma once
#include <nlohmann/json.hpp>
#include <string>

namespace raak {

// `file`: for messages.
nlohmann::ordered_json read_json(const std::string& text, const std::string& file);

}  // namespace raak
