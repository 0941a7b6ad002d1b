// The numbers that are kept of a run, gathered while it goes on: nothing is evaluated that nobody keeps.
#pragma once
#include <array>
#include <span>
#include <vector>

#include "run/integrate.h"
#include "run/watches/step_watch.h"
#include "study/sweep/swept_model.h"

namespace raak {

class KeptValues {
 public:
  KeptValues(const SweptModel& swept, const ConstrainedSystem& system);

  // Where a run has to be looked at step by step, and where its energy balance has to be known.
  bool needs_steps() const { return needs_steps_; }
  bool needs_balance() const { return needs_balance_; }
  // Of the events of a model those that are kept, and those that stop a run.
  std::vector<Event> wanted_events(std::vector<Event> events) const;

  // `values`: where the numbers of the case go.
  void begin(const State& start, double until, std::span<double> values);
  void step(const SeenStep& seen);
  // An accepted step with its balance, where that is needed.
  void sample(const State& state, const Vector& outputs);
  void finish(const Result& result);

 private:
  // The columns at a state, those that are kept only.
  void read(const State& state);
  double column(std::size_t column) const;
  void take_extremes();
  void integrate_step(const SeenStep& seen);
  void pass_times(const SeenStep& seen);
  const State& end_of(const SeenStep& seen) const { return end_accelerations_ ? seen.end() : seen.end_of_motion(); }
  const State& inside(double t, Integrator& step);

  // A time at which a number is read.
  struct Moment {
    double t;
    std::size_t column, place;
  };

  const SweptModel& swept_;
  const ConstrainedSystem& system_;
  std::array<std::size_t, 6> ends_{};  // of t, q, v, a, lambda, outputs among the columns
  bool needs_steps_ = false, needs_balance_ = false, needs_motion_ = false, needs_multipliers_ = false,
       needs_outputs_ = false;
  bool needs_energy_ = false, needs_violation_ = false, needs_extremes_ = false, needs_integrals_ = false;
  bool needs_accelerations_ = false, end_accelerations_ = false;  // inside steps, and at their ends
  std::vector<Moment> moments_;
  std::size_t next_ = 0;  // of them
  double direction_ = 1.0, start_ = 0.0;
  std::span<double> values_;
  State between_, shown_;
  Vector outputs_, g_, c_;
  double t_ = 0.0;
  Energy energy_;
  std::array<double, 2> violation_{};
  std::array<double, 3> balance_{};  // input, dissipation, balance
};

}  // namespace raak
