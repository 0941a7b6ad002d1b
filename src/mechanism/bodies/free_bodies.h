// Bodies that no joint, driver, equation or spring holds: they fly, which a user may not have meant.
#pragma once
#include <string>
#include <vector>

#include "mechanism/instance.h"

namespace raak {

// One sentence for all of them, or none.
std::vector<std::string> notes_on_free_bodies(const Instance& instance);

}  // namespace raak
