// The joints, forces and drivers of a model file, by what the catalogues declare of their keys.
#pragma once
#include "mechanism/mechanism.h"
#include "modelfile/text/node.h"

namespace raak {

// Adds them to a mechanism whose bodies are read.
void read_elements(const toml::table& document, Mechanism& mechanism);

}  // namespace raak
