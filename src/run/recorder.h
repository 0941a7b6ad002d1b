// Everything that happens at and between accepted steps beside the integration: quality, samples, frames, outputs.
#pragma once
#include <cmath>
#include <vector>

#include "methods/collocation/stage_lanes.h"
#include "run/account/energy_ledger.h"
#include "run/integrate.h"

namespace raak {

class Recorder {
 public:
  Recorder(const ConstrainedSystem& system, const State& start, const Plan& plan, const Observer& observer);

  void start(const State& state, const Integrator& step, double direction);
  void after_step(const State& state, Integrator& step);
  // A run that ends before its time ends with a sample, whatever the times that were asked for.
  void add_last_sample(const State& state, const Integrator& step);

  // Nobody looks: the caller need not ask for states. Who counts steps alone sees none of them.
  bool idle() const {
    return !plan_.measure_quality && !observer_ && !plan_.frame && !plan_.between_frames && !plan_.inside_step;
  }
  // Where it is idle: says that there was a step, without its violations. What this takes counts as time of the run,
  // since reading the clock would take longer.
  void count_step(const Integrator& step);
  // Without an observer and without measures the work done on the way is not followed: input and balance are unknown.
  void finish(const State& state);

  const Quality& quality() const { return quality_; }
  const Vector& outputs() const { return outputs_; }
  Ledger ledger(const State& end);
  // Outputs that were not a number, each with the first time at which it was none; empty: all were.
  std::string missing_outputs() const;

  void visit_state(Archive& archive) {
    archive(samples_, frames_, ledger_, entry_, accounts_, outputs_, quality_, potential_at_start_, violation_);
    archive(direction_, last_time_, balance_between_, missing_since_);
    scratch(system_, plan_, observer_, g_, c_, system_outputs_, between_, independent_);
    scratch(lanes_q_, lanes_v_, lanes_a_, lanes_lambda_);
  }

 private:
  // Which of its times one observer has seen.
  struct Progress {
    const std::vector<double>& times;
    const Observer& observer;
    bool every_step;  // instead of times
    std::size_t next = 0;
    double seen = std::nan("");  // s, the last one

    bool passes(double t, double direction) const { return next < times.size() && (times[next] - t) * direction < 0.0; }
    bool is_at(double t) const { return next < times.size() && times[next] == t; }

    void visit_state(Archive& archive) {
      archive(next, seen);
      scratch(times, observer, every_step);
    }
  };

  void emit_between(Progress& progress, double t, Integrator& step);
  void emit_at(Progress& progress, const State& state, const Integrator& step);
  void look_inside(double t, Integrator& step);
  // |g| and |[g'; c]| of a state, SI.
  struct Violation {
    double position = 0.0, velocity = 0.0;
  };
  Violation violation_of(const State& state);
  void measure_violation(const State& state);
  void note_energy_moved();
  void fill_outputs(const State& state, const EnergyLedger::Entry& entry, const Violation& violation);
  const IndependentCoordinates* independent_at(const State& state, const Integrator& step);

  const ConstrainedSystem& system_;
  const Plan& plan_;
  const Observer& observer_;
  Progress samples_, frames_;
  EnergyLedger ledger_;
  EnergyLedger::Entry entry_;  // of the last step
  Vector accounts_;
  LaneArray lanes_q_, lanes_v_, lanes_a_, lanes_lambda_;  // of moments inside a step
  Vector g_, c_, outputs_, system_outputs_;
  State between_;
  IndependentCoordinates independent_;
  Quality quality_;
  double potential_at_start_ = 0.0;  // J
  Violation violation_;              // of the last step
  double direction_ = 1.0;
  double last_time_ = 0.0;
  double balance_between_ = std::nan("");  // J, the largest seen inside steps
  std::vector<double> missing_since_;      // of each output; nan: never
};

}  // namespace raak
