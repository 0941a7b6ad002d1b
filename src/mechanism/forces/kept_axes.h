// Axes of two bodies that a joint between them keeps parallel.
#pragma once
#include <vector>

#include "mechanism/joints/catalogue.h"

namespace raak {

// In the coordinates of each body, in the same direction or in opposite ones.
struct KeptAxes {
  Vec3n first, second;
};

// By joints that do so and have an axis in each body.
std::vector<KeptAxes> kept_axes(const Instance& instance, bool (*keeps)(const JointInfo& info), int first, int second);

}  // namespace raak
