// How much a motion multiplies errors: a small error w of the state is carried along the motion by the linearised
// equations, w_q' = w_v, w_v' = da/dq w_q + da/dv w_v, with derivatives along w by differences of accelerations and the
// classical Runge-Kutta method on the dense output of each step, and is kept tangent to the constraints. Benettin,
// Galgani, Giorgilli and Strelcyn, Meccanica 15 (1980) 9. Sizes are those of the kinetic energy, relative to the extent
// of the motion, so that what only goes far multiplies nothing. docs/decisions/0009.
#pragma once
#include <vector>

#include "methods/resumable.h"
#include "run/integrate.h"
#include "system/constrained_system.h"

namespace raak {

class ErrorGrowth {
 public:
  ErrorGrowth(const ConstrainedSystem& system, const State& start);

  // The step from t0 to step.time() was accepted.
  void after_step(Integrator& step, double t0);
  // For a run of that relative tolerance.
  Sensitivity conclude(double rtol) const;

  void visit_state(Archive& archive) {
    archive(from_, to_, w_.q, w_.v, log_scale_, speed_, extent_q_, extent_v_, points_, stride_, since_noted_, known_);
    archive(root_mass_, start_q_);
    scratch(system_);
  }

 private:
  struct Tangent {
    Vector q, v;
  };
  struct Point {
    double t;
    double log_scale;  // that q and v were divided by so far
    double q, v;       // sizes of the error
  };
  // The motion at a time of the step; false: it has no value there.
  bool look(Integrator& step, double t, Vector& q, Vector& v) const;
  // One step of the Runge-Kutta method; false: a mode is too fast for it.
  bool advance(Integrator& step, double t, double h);
  Tangent rate(double t, const Vector& q, const Vector& v, const Tangent& w);
  void project(double t, const Vector& q, const Vector& v);
  void normalize();
  void note(double t, const Vector& q, const Vector& v);
  double size(const Vector& x) const { return root_mass_.cwiseProduct(x).norm(); }
  double difference_step(const Vector& q, const Vector& v, const Tangent& w) const;

  const ConstrainedSystem& system_;
  Vector root_mass_, start_q_;
  State from_, to_;  // the ends of the step
  Tangent w_;
  double log_scale_ = 0.0;
  double speed_ = 0.0;  // 1/s: of the fastest mode that w has met
  double extent_q_ = 0.0, extent_v_ = 0.0;
  std::vector<Point> points_;
  std::size_t stride_ = 1, since_noted_ = 0;
  bool known_ = true;
};

// Of a run that multiplies errors so much that the digits asked for cannot be had.
void warn_of_sensitivity(Result& result);

}  // namespace raak
