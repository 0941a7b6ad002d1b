// Reads a TOML file and what it includes into one document; refuses what is no text, no TOML, or too large.
#pragma once
#include <functional>
#include <string>

#include "modelfile/text/node.h"

namespace raak {

// The text of a file. `asked`: the place in a model file that names it; without a line: the user named it.
using FileReader = std::function<std::string(const std::string& path, const Place& asked)>;

// From disk: a regular file, or a pipe where the user named it. Refuses with the place where it was asked for, or the
// path itself.
std::string read_text(const std::string& path, const Place& asked);

// `text`, if given, receives that of the file itself.
toml::table read_document(const std::string& path, std::string* text = nullptr, const FileReader& read = read_text);

// The text alone: what it includes is left to be read. `path`: for messages.
toml::table parse_document(const std::string& text, const std::string& path);

}  // namespace raak
