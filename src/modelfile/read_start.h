// The [start] of a model file: what the user vouches for, and what only selects the branch.
#pragma once
#include <vector>

#include "mechanism/mechanism.h"
#include "modelfile/node.h"

namespace raak {

std::vector<StartEntry> read_start(const toml::node& start);

}  // namespace raak
