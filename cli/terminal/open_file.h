// Shows a file to the person at the screen.
#pragma once
#include <string>

namespace raak::cli {

// With the program that the desktop has for it. What keeps it from being shown is said, and no reason to fail.
void open_file(const std::string& path);

}  // namespace raak::cli
