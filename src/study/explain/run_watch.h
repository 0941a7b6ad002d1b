// Follows a run that is to be explained: the configuration nearest to a singular one, the largest violation, the
// shortest step, and whether anything moves.
#pragma once
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "run/diagnosis/conditioning.h"
#include "study/explain/explain.h"

namespace raak {

class RunWatch {
 public:
  RunWatch(const ConstrainedSystem& system, double span, Explanation& found)
      : system_(system),
        span_(std::abs(span)),
        found_(found),
        held_(normalization_rows(system.description().constraints)),
        g_(system.position_rows()) {}

  void sample(const Sample& sample) {
    constexpr double at_rest = 1e-12;  // in scales of the coordinates, over the whole run
    const State& state = sample.state;
    if (!state.q.allFinite()) return;
    const double fastest = state.v.cwiseQuotient(system_.coordinate_scales()).cwiseAbs().maxCoeff();
    found_.moves = found_.moves || fastest * span_ > at_rest;
    // A large Jacobian takes long to decompose.
    if (system_.rows() <= 60 || ++since_decomposed_ >= 20) {
      since_decomposed_ = 0;
      const Vector lengths = row_lengths(system_, state.t, state.q);
      lengths_ = lengths_.size() == lengths.size() ? lengths_.cwiseMax(lengths).eval() : lengths;
      if (Conditioning now = conditioning_at(system_, state.t, state.q, lengths_); now.ratio < found_.worst.ratio)
        found_.worst = std::move(now);
    }
    if (system_.position_rows() == 0) return;
    system_.constraint(state.t, state.q, g_);
    g_(held_).setZero();
    Eigen::Index row = 0;
    const double violation = g_.cwiseAbs().maxCoeff(&row);
    if (!(violation > found_.worst_violation)) return;
    found_.worst_violation = violation;
    found_.violation_time = state.t;
    found_.worst_constraint = system_.description().constraints[static_cast<std::size_t>(row)].name();
  }
  void step(const StepReport& step) {
    const double h = std::abs(step.h);
    if (found_.shortest_step > 0.0 && h >= found_.shortest_step) return;
    found_.shortest_step = h;
    found_.shortest_step_time = step.t;
  }

 private:
  const ConstrainedSystem& system_;
  double span_;  // s
  Explanation& found_;
  const std::vector<int> held_;
  Vector g_, lengths_;  // the longest rows so far
  int since_decomposed_ = 0;
};

}  // namespace raak
