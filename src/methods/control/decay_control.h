// Accuracy and step length of the collocation methods, from the decay of the Legendre coefficients of the accelerations
// over a step: one mapping from the tolerances for all problems (docs/methods.md).
#pragma once
#include <vector>

#include "methods/collocation/stage_lanes.h"
#include "methods/resumable.h"

namespace raak {

// With k the requested digits, the last coefficient is held at 10^-x and the changes of the stages at 10^-y:
//   x = max(least, base + slope k),  10^-y = min(change * share of iterations * tolerance, share 10^-x),
// where the share of the iterations is 1 but on long paths.
struct DecayMapping {
  struct Rule {
    double least, base, slope, change, share;
  } four, eight;
};

class DecayControl {
 public:
  DecayControl(const ConstrainedSystem& system, const Tolerances& tolerances, const DecayMapping& mapping);

  void begin(const State& start);
  // After begin(): goes on where another method has been. The sizes of the motion so far are the scale that errors are
  // judged by; a motion that has come to rest would else be followed to its rounding errors.
  void carry_on(const DecayControl& before);
  // Before a step of length h: sets the weights of changes and errors of accelerations. `series`, `width` terms a
  // component, are the accelerations of the step before: what is only extrapolated must not raise the scale that it is
  // judged by. A rejected step leaves no trace.
  void prepare(double h, const Vector& q, const Vector& v, const double* series, int width);
  void commit();
  void use(const DecayMapping& mapping);
  // Only these components are integrated: the others have no say in the scale by which small ones are judged.
  void integrates(const int* components, int count);
  // Whether the end of a step of length h was moved to the constraints by no more than an error may be. A step across
  // a singular configuration is moved further.
  bool is_near(double h, const Vector& q, const Vector& v, const Vector& moved_q, const Vector& moved_v) const;

  double* weight() { return weight_.data(); }
  const double* weight() const { return weight_.data(); }
  // The last coefficient, weighted, that a step should have, and the weighted change at which the stages are solved.
  double decay(int stages) const { return limits(stages).decay; }
  double change(int stages) const { return limits(stages).change; }
  // The relative error allowed.
  double wanted() const { return wanted_; }
  // By how much the step may differ, for a series that ends so, whose last coefficient counts `care` times; below
  // least_factor it is to be repeated.
  double factor(const SeriesEnd& end, int stages, double care = 1.0) const;
  double factor_for_last(double coefficient, int stages) const;
  static constexpr double least_factor = 0.6;
  // What follows an acceptable step of length h, in units of h. Steps that had to become shorter may have to again.
  double next(double h, double factor);
  // A first step from the time scale of the start, of a run that goes to `until`.
  double first_step(const State& start, double until, int stages);

  void visit_state(Archive& archive) {
    archive(mapping_, root_mass_, speed_, trial_speed_, scaled_speed_, per_speed_, weight_, share_);
    archive(largest_q_, largest_v_, largest_a_, trial_q_, trial_v_, trial_a_, delay_rate_, trial_delay_rate_);
    archive(wanted_, span_, iteration_share_, sufficient_, trial_sufficient_, four_, eight_);
    archive(per_size_, atol_of_q_, atol_of_sizes_q_, atol_of_sizes_v_);
    scratch(system_, tolerances_, n_);
  }

 private:
  struct Limits {
    double tolerance = 0.0, iteration_share = 0.0, decay = 0.0, change = 0.0;
  };
  const Limits& limits(int stages) const;
  void take_scales();
  void scale_by_trial_speed();

  const ConstrainedSystem& system_;
  Tolerances tolerances_;
  DecayMapping mapping_;
  int n_;
  Vector per_size_;                                       // 1 / the scale of each coordinate
  Vector atol_of_q_;                                      // of each
  double atol_of_sizes_q_ = 0.0, atol_of_sizes_v_ = 0.0;  // the tightest, in the scales of the coordinates
  Vector root_mass_, speed_, trial_speed_;                // sqrt(M_dd); running maximum of sqrt(M_dd) |v_d|
  Vector scaled_speed_, per_speed_;  // the speeds that per_speed_ = sqrt(M_dd) / scale was made from
  LaneArray weight_;
  std::vector<double> share_;  // 1 for components that are integrated, else 0
  double largest_q_ = 0.0, largest_v_ = 0.0, largest_a_ = 0.0;
  double trial_q_ = 0.0, trial_v_ = 0.0, trial_a_ = 0.0;
  // Largest of |v_d| / (the error allowed in q_d): 1 / the delay allowed.
  double delay_rate_ = 0.0, trial_delay_rate_ = 0.0;
  double wanted_ = 0.0, span_ = 0.0;  // the relative error allowed, and the length of the run
  double iteration_share_ = 1.0;      // the part of `change` that a run of this length bears
  // Steps that would just have sufficed for the accuracy: the last, this one.
  double sufficient_ = 0.0, trial_sufficient_ = 0.0;
  mutable Limits four_, eight_;  // for the tolerance wanted when they were last asked for
};

// Whether both levels ask for relative errors below this, at components of size 1.
bool asks_for_less_than(double error, const Tolerances& tolerances);

}  // namespace raak
