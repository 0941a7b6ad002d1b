// Coordinates that say where a part is against another one, as the angles of a tree of joints: what is wrong in one of
// them is carried on to all parts beyond, so that methods judge errors in them more strictly than in coordinates of the
// parts themselves.
#pragma once
#include "system/constrained_system.h"

namespace raak {

// How many times as strictly: the last coefficient of a series of accelerations, what iterations leave of them, and
// estimates of the error of a step.
struct Strictness {
  double of_series = 1.0, of_iterations = 1.0, of_estimates = 1.0;
};

// Of a system in such coordinates, beside being a ConstrainedSystem.
class RelativeCoordinates {
 public:
  RelativeCoordinates() = default;
  RelativeCoordinates(const RelativeCoordinates&) = delete;
  RelativeCoordinates& operator=(const RelativeCoordinates&) = delete;
  virtual ~RelativeCoordinates() = default;
  virtual Strictness strictness() const = 0;
};

inline Strictness strictness_of(const ConstrainedSystem& system) {
  const auto* const relative = dynamic_cast<const RelativeCoordinates*>(&system);
  return relative != nullptr ? relative->strictness() : Strictness{};
}

}  // namespace raak
