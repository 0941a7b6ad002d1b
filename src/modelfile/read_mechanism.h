// The mechanism that a document describes.
#pragma once
#include <string>

#include "mechanism/mechanism.h"
#include "modelfile/text/node.h"

namespace raak {

Mechanism read_mechanism(const toml::table& document, const std::string& path);

}  // namespace raak
