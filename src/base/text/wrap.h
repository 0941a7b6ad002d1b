// Lines made to fit a width.
#pragma once
#include <cstddef>
#include <string>

namespace raak {

// Breaks lines that are longer than `columns` at spaces. What follows stands below the second column of a list, or in a
// narrow window a little further in.
std::string wrap(const std::string& text, std::size_t columns);

}  // namespace raak
