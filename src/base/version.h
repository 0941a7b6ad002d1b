// Which version of Raak this is.
#pragma once
#include <string>

namespace raak {

// "0.1.0"
const char* version();
// "raak 0.1.0"
const std::string& program_name();

}  // namespace raak
