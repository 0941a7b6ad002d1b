// How much a motion multiplies errors: a small error w of the state is carried along the motion. Over each step two
// companions start w to either side of the motion and one in its midst; all three follow the equations by the method of
// Dormand and Prince of order 8, in parts short enough for it, and half of what the outer two are apart at the end,
// made tangent to the constraints, is w there. Benettin, Galgani, Giorgilli and Strelcyn, Meccanica 15 (1980) 9. Over a
// motion that rests or goes on uniformly steps may be too long for companions: there w grows as the fastest mode does
// (uniform_growth.h). Sizes are those of the kinetic energy, relative to the extent of the motion at that time, so that
// what only goes far multiplies nothing. docs/decisions/0011.
#pragma once
#include <cmath>
#include <optional>
#include <vector>

#include "methods/collocation/stage_lanes.h"
#include "methods/resumable.h"
#include "run/run_state.h"
#include "run/warnings/tangent_projection.h"
#include "run/watches/uniform_growth.h"
#include "run/watches/watch.h"
#include "system/constrained_system.h"

namespace raak {

class ErrorGrowth final : public Watch {
 public:
  ErrorGrowth(const ConstrainedSystem& system, const State& start);

  void after_step(RunState& /*run*/, Integrator& step) override {
    work_allowed_ = work_share * static_cast<double>(step.statistics().evaluations);
    follow(step.current());
  }
  void conclude(RunState& run) override { run.result.sensitivity = sensitivity(run.result.tolerances.q.rtol); }
  // The next step begins there: the same motion in other coordinates.
  void go_on_from(const State& start) { now_ = start; }
  // How much errors have grown beside the motion so far, as a logarithm; none: there is no telling.
  std::optional<double> log_factor() const;

  void visit_state(Archive& archive) override {
    archive(now_, w_.q, w_.v, log_scale_, speed_, part_, doubt_, steps_, reach_, way_, points_, stride_, since_noted_);
    archive(known_, root_mass_, start_q_, scale_, uniform_, work_);
    scratch(work_allowed_, system_, projection_, q_, v_, a_, stage_q_, stage_v_, kq_, kv_);
  }

 private:
  // Of the evaluations of the run that the companions of a large system may take; and those of a small one, or of a
  // short run, in coordinates, whatever the share.
  static constexpr double work_share = 2.0, free_work = 2e7;
  bool has_worked_enough() const {
    return work_ > std::max(work_allowed_, free_work / static_cast<double>(start_q_.size()));
  }
  using Companions = Eigen::Matrix<double, lanes, Eigen::Dynamic>;  // their values, one row each
  void follow(const State& end);
  // For a run of that relative tolerance.
  Sensitivity sensitivity(double rtol) const;
  struct Tangent {
    Vector q, v;
  };
  struct Extent {  // of the motion so far
    double q, v;
  };
  struct Point {
    double t;
    double log_scale;  // that q and v were divided by so far
    double q, v;       // sizes of the error
    Extent reach;      // largest distance from the start, largest speed
    Extent way;        // what it travelled, and the same of the velocity
  };
  // Carries the companions over the step in that many parts; returns the error of w that this leaves, relative to w.
  double carry(double t0, double h, int parts, double spread);
  double advance(double t, double h, double spread);
  double estimated_error() const;
  void accelerate_companions(double t);
  bool is_smooth(double t) const;
  // So that its linearized equations are the same all along.
  bool is_uniform_until(const State& end) const;
  // As the mode does that grows fastest; false: there is no telling.
  bool grow_uniformly(const State& end);
  void go_on(const State& end);
  // Half of what the outer companions are apart, of values that lie lane beside lane.
  Vector half_between(const double* values) const;
  void learn_speed();
  void project(const State& at);
  void normalize();
  void note(const State& at);
  double size(const Vector& x) const { return root_mass_.cwiseProduct(x).norm(); }
  double size(const Tangent& w) const { return std::hypot(speed_ * size(w.q), size(w.v)); }
  // That w is multiplied by for the companions.
  double spread_at(const State& at) const;
  double off_course(const State& end) const;
  Sensitivity conclude_at_rest(double rtol) const;
  double log_growth(const Point& to, Extent Point::*extent) const;
  double log_growth(const Point& to) const;

  const ConstrainedSystem& system_;
  Vector root_mass_, start_q_;
  double scale_ = 0.0;  // size of a motion as long as the system
  State now_;
  Tangent w_;
  double log_scale_ = 0.0;
  double speed_ = 0.0;  // 1/s: of what w does
  double part_ = 0.0;   // s: length of a part that does for the next step
  long steps_ = 0;      // followed
  double doubt_ = 0.0;  // growth that errors of the companions may have made
  Extent reach_{0.0, 0.0}, way_{0.0, 0.0};
  std::vector<Point> points_;
  std::size_t stride_ = 1, since_noted_ = 0;
  double work_ = 0.0, work_allowed_ = 0.0;  // evaluations
  bool known_ = true;
  UniformGrowth uniform_;
  TangentProjection projection_;
  // Of the companions, lane beside lane: the motion, plus w, minus w, the motion again.
  LaneArray q_, v_, a_, stage_q_, stage_v_;
  Matrix kq_, kv_;  // derivatives of the stages, one column each
};

}  // namespace raak
