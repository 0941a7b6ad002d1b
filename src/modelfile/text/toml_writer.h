// A document as TOML text, laid out as a person would: sections, one element a line, the order of keys kept.
#pragma once
#include <nlohmann/json.hpp>
#include <string>

namespace raak {

// The sole key of an object that stands for a value which JSON has no word for.
inline constexpr const char* toml_only = "$toml";

std::string toml_text(const nlohmann::ordered_json& document);

}  // namespace raak
