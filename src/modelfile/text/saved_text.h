// A model file as it would be written with other values of its parameters: the way back from a model to a file.
#pragma once
#include <string>
#include <utility>
#include <vector>

namespace raak {

// `text`: of the file; `path`: where it lies, for what it includes and names. Values take the place of those in
// [parameters] and in the runs. Comments and order survive, unless the file includes others, which become a part of it,
// or has references, which belong to the values that they were computed with and are left out where those change.
// `folder`: where the text will lie, so that files that it names are found from there.
std::string saved_text(const std::string& text, const std::string& path,
                       const std::vector<std::pair<std::string, std::string>>& values, const std::string& folder);

// The model alone, which names no other file: what it includes becomes a part of it, and references are left out. Where
// there is neither the text stays as it is.
std::string text_alone(const std::string& text, const std::string& path);

}  // namespace raak
