// Directions of a system's coordinates that turn with its parts. A search decides by them what nothing else decides, as
// to which side links in one line bend: a system that is turned as a whole is then found in the same configuration,
// turned.
#pragma once
#include <vector>

#include "system/state.h"

namespace raak {

class OwnFrames {
 public:
  OwnFrames() = default;
  OwnFrames(const OwnFrames&) = delete;
  OwnFrames& operator=(const OwnFrames&) = delete;
  virtual ~OwnFrames() = default;

  // A step from q in directions of the parts, as one of the coordinates, and back: both keep lengths.
  virtual Vector to_coordinates(const Vector& q, Vector step) const = 0;
  virtual Vector from_coordinates(const Vector& q, Vector step) const = 0;
  // Steps in which every part turns to the left: all alike, then one more than the other.
  virtual std::vector<Vector> left_turns(const Vector& q) const = 0;
};

}  // namespace raak
