// A quantity of a run over time, as a diagram shows it: its values at the frames, and the band it fills where it moves
// faster than they show.
#pragma once
#include <string>
#include <vector>

#include "output/recording.h"

namespace raak {

struct Curve {
  std::string name, unit;  // unit: empty where it is not known
  std::vector<double> t, values;
  std::vector<double> band_t = {}, low = {}, high = {};  // bins of time; none: a plain curve
  bool modulo = false;                                   // an angle that is drawn modulo 2 pi
  bool powers = false;                                   // values are powers of ten, for a logarithmic axis

  bool has_band() const { return !band_t.empty(); }
};

// Of what is never below 0, as a violation: its powers of ten, with gaps where it is 0. A curve without anything above
// 0 stays as it is.
Curve powers_of(Curve curve);

Curve curve_of(const std::string& column, const Recording& recording);

// Which turn an angle is in, and where it is there: from -pi up to pi.
double turn_of(double angle);
double folded(double angle);

// Whether an angle leaves the turn that it begins in. If not, it needs no folding but a shift.
bool leaves_its_turn(const Curve& curve);

}  // namespace raak
