// Angles that a system reads from rotations, which know them but for whole turns: those of torsion springs in space.
// Each has a centre c, a coordinate of q that stands still: the angle is c + (a - c within half a turn), a any value of
// it. Within half a turn of c that does not depend on c, so that the integration loop may move c along with the motion
// (run/watches/turn_watch.h). The count of the turns is thus a part of q: whoever keeps a state keeps it.
#pragma once
#include <string>
#include <vector>

#include "system/constrained_system.h"

namespace raak {

class TurnGauge {
 public:
  struct Angle {
    std::string name;   // of the force that reads it
    int centre = -1;    // its coordinate in q; -1: it counts no turns and must not pass half of one
    double rest = 0.0;  // rad: at the start it is read within half a turn of this
    // The angle is one about two axes that may tilt, and is not defined where they are opposite: the place among the
    // values of offsets() of the direction of the second, across 1, across 2 and along the first. -1: they stay in
    // line.
    int tilt = -1;
  };
  TurnGauge(const TurnGauge&) = delete;
  TurnGauge& operator=(const TurnGauge&) = delete;
  virtual ~TurnGauge() = default;

  const std::vector<Angle>& angles() const { return angles_; }
  // rad, by angle: how far it is from its centre, from -pi to pi; of one without a centre itself, from 0 to 2 pi. Then
  // the directions of axes that may tilt.
  virtual void offsets(const Vector& q, Vector& values) const = 0;

  // Puts the centres of a start where its angles are. Refuses a start in which one of them is not defined.
  void set_centres(Vector& q) const;

  // How many coordinates of q are centres, or fill up the points that hold them: none of them moves.
  int coordinates() const { return coordinates_; }

 protected:
  TurnGauge() = default;
  std::vector<Angle> angles_;
  int coordinates_ = 0;
};

// What a system with such angles implements beside ConstrainedSystem.
class CountsTurns {
 public:
  CountsTurns() = default;
  CountsTurns(const CountsTurns&) = delete;
  CountsTurns& operator=(const CountsTurns&) = delete;
  virtual ~CountsTurns() = default;
  // Null: there are none.
  virtual const TurnGauge* turn_gauge() const = 0;
};

inline const TurnGauge* turn_gauge_of(const ConstrainedSystem& system) {
  const auto* const counting = dynamic_cast<const CountsTurns*>(&system);
  return counting != nullptr ? counting->turn_gauge() : nullptr;
}

// The coordinates of a system without those of its centres.
inline int coordinates_without_centres(const ConstrainedSystem& system) {
  const TurnGauge* const gauge = turn_gauge_of(system);
  return system.coordinates() - (gauge != nullptr ? gauge->coordinates() : 0);
}

}  // namespace raak
