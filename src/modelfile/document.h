// Reads a TOML file and what it includes into one document; refuses what is no text, no TOML, or too large.
#pragma once
#include <string>

#include "modelfile/node.h"

namespace raak {

// `text`, if given, receives that of the file itself.
toml::table read_document(const std::string& path, std::string* text = nullptr);
// The file alone: what it includes is left to be read.
toml::table read_file_alone(const std::string& path);

// The text of a file; refuses with the place where it was asked for, or the path itself.
std::string read_text(const std::string& path, const Place& asked);

}  // namespace raak
