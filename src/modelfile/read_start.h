// The [start] of a model file: what the user trusts, and what only selects the branch.
#pragma once
#include <optional>
#include <vector>

#include "mechanism/mechanism.h"
#include "modelfile/text/node.h"

namespace raak {

std::vector<StartEntry> read_start(const toml::node& start);
// smooth = true, or { order = 2, above = 500.0 }; none: absent or false.
std::optional<SmoothSpec> read_smooth(const toml::node& start);

}  // namespace raak
