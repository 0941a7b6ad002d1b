// Moments of a run in which formulas of time act briefly: a push, a bump under a wheel, a pulse train. A method sees
// such formulas at its stages only, and where nothing moves no error limits its steps: what acts between two stages is
// stepped over without a trace. So they are looked at over the whole run before it begins, and steps that reach into
// such a moment are kept as short as it takes to see what happens there; what they have to be from there on is the
// business of the method's error control.
// A formula is sampled at equal distances. In windows of 16 k of them its fourth and fifth differences over k samples
// show whether k is short enough to follow it (the fifth are smaller than the fourth) and whether it acts briefly (the
// fourth are large in less than half of the window); what acts all the time, however fast, no method overlooks.
#pragma once
#include <functional>
#include <vector>

namespace raak {

// Functions of time alone, at `lanes` times at once: number i at time k lies at [lanes * i + k], 32-byte aligned.
struct TimeFunctions {
  int formulas = 0;
  int switches = 0;  // after the formulas: what changes sign where one of them changes its branch
  std::function<void(const double* t, double* values)> evaluate;
};

class BriefMoments {
 public:
  // Of a run between these times, s, in either direction.
  BriefMoments(const TimeFunctions& functions, double from, double until);

  bool empty() const { return moments_.empty(); }
  // s, signed: the step to try from t instead of h.
  double limited(double t, double h) const;

 private:
  friend class BriefMomentSearch;
  struct Moment {
    double begin, end;  // s, along the run
    double step;        // s: the longest one that may reach into it
  };
  double from_, direction_;
  std::vector<Moment> moments_;      // in the order of their begins
  std::vector<double> largest_end_;  // of each and those before it
};

}  // namespace raak
