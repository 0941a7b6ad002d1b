// Axes of two bodies that a joint between them keeps in one line.
#pragma once
#include <initializer_list>
#include <string_view>
#include <vector>

#include "mechanism/instance.h"

namespace raak {

// In the coordinates of each body, in the same direction or in opposite ones.
struct KeptAxes {
  Vec3d first, second;
};

// By joints of the types given, which have an axis in each body.
std::vector<KeptAxes> kept_axes(const Instance& instance, std::initializer_list<std::string_view> types, int first,
                                int second);

}  // namespace raak
