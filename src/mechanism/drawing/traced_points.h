// Which points of a mechanism leave their path in the drawing: those that its outputs show in both coordinates (in
// space in two at least), as "P.x" = "coupler.P.x" and "P.y" = "coupler.P.y" do; where there are none, the ends that no
// joint holds.
#pragma once
#include <vector>

#include "mechanism/instance.h"

namespace raak {

struct TracedPoints {
  std::vector<PointRef> shown;  // by outputs; without the name of a point: the origin of the body
  std::vector<PointRef> free;   // held by no joint, in the order of the file
};

TracedPoints traced_points(const Instance& instance);

}  // namespace raak
