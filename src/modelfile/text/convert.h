// A model file as JSON and back: every key, value, type and order survives; comments do not, for JSON has none. What
// JSON has no word for (dates, times, inf, nan) is kept as {"$toml": "1979-05-27"}.
#pragma once
#include <string>

#include "modelfile/text/document.h"

namespace raak {

// Mistakes are errors of kind model_file with their place. Includes stay includes.
std::string json_of_toml_file(const std::string& path);
std::string toml_of_json_file(const std::string& path);
// The same of text; `path`: for messages.
std::string json_of_toml(const std::string& text, const std::string& path);
std::string toml_of_json(const std::string& text, const std::string& path);
// All that a file and its includes say, in a form of its own: two that are equal describe the same model.
std::string contents_of_model_file(const std::string& path, const FileReader& read = read_text);

}  // namespace raak
