// Placements that [start] lists, beside others that follow along the joints. They choose the branch: Newton's method
// may carry bodies far away from them while the others find their places, though a configuration lies near.
#pragma once
#include <string>
#include <vector>

#include "mechanism/bodies/body_placement.h"
#include "mechanism/instance.h"

namespace raak {

class ListedBodies {
 public:
  // `velocities` are the reported names of rates.
  ListedBodies(const Instance& instance, const std::vector<std::string>& velocities);

  // How far what is listed has moved at most from its guess: in lengths of the mechanism, or rad. 0 where everything is
  // listed, or nothing. In coordinates of the bodies.
  double distance(const Vector& guess, const Vector& found) const;
  static bool is_far(double distance) { return distance > 1.0; }
  // What is listed among the reported coordinates of bodies.
  std::vector<std::string> coordinates(const std::vector<std::string>& positions) const;

 private:
  const Instance& instance_;
  std::vector<BodyPlacement> places_;  // by body of the file
  bool choose_ = false;
};

}  // namespace raak
