#include "methods/collocation/implicit_stage.h"

#include <algorithm>
#include <cmath>

#include "methods/control/error_norm.h"

namespace raak {

ImplicitStage::ImplicitStage(const ConstrainedSystem& system, Form form, const Tolerances& tolerances)
    : system_(system),
      form_(form),
      tolerances_(tolerances),
      linear_(system, form_),
      chart_(system, form),
      matrix_(linear_) {
  r_ = x_ = Vector::Zero(linear_.unknowns());
  e_ = Vector::Zero(linear_.eta());
  q_ = v_ = Vector::Zero(system.coordinates());
}

void ImplicitStage::place(State& state, const Vector& q_base, const Vector& v_base, double wv, double wq) {
  state.q = q_base + wq * state.a;
  state.v = v_base + wv * state.a;
  if (e_.size() > 0) linear_.add_position_forces(-wq, e_, state.q);
}

bool ImplicitStage::solve(State& state, const Vector& q_base, const Vector& v_base, double wv, double wq,
                          double precision, Statistics& statistics) {
  constexpr int most = 8;
  // Below this the steps of the iteration are rounding errors.
  const double smallest = 1e-14 / tolerances_.q.rtol;
  const double target = std::max(precision, smallest);
  e_.setZero();
  place(state, q_base, v_base, wv, wq);
  linear_.evaluate(state);
  matrix_.factor(wv, wq);
  ++statistics.jacobians;
  ++statistics.factorizations;
  const Eigen::Index n = state.q.size();
  const Eigen::Index m = state.lambda.size();
  double before = 0.0;
  for (int iteration = 1; iteration <= most; ++iteration) {
    linear_.residual(state, r_);
    ++statistics.evaluations;
    linear_.scale(wv, wq, r_);
    matrix_.solve(r_, x_);
    state.a -= x_.head(n);
    state.lambda -= x_.segment(n, m);
    e_ -= x_.tail(e_.size());
    q_ = state.q;
    v_ = state.v;
    place(state, q_base, v_base, wv, wq);
    q_ -= state.q;
    v_ -= state.v;
    double size = weighted_error(q_, state.q, state.q, tolerances_.q);
    // With positions imposed, rounding errors of q / h enter the velocities: they cannot be asked to converge further.
    const double v_size = weighted_error(v_, state.v, state.v, tolerances_.v);
    size = form_ == Form::index3 ? std::max(size, std::min(1.0, std::abs(wv)) * v_size) : std::max(size, v_size);
    if (!std::isfinite(size)) return false;
    const double theta = iteration > 1 && before > 0.0 ? size / before : 0.5;
    if (size <= smallest || (theta < 1.0 && size * theta / (1.0 - theta) <= target))
      return finish_constraints(state, statistics);
    if (iteration > 2 && theta >= 0.95) return size <= 10.0 * target && finish_constraints(state, statistics);
    before = size;
  }
  return false;
}

bool ImplicitStage::finish_constraints(State& state, Statistics& statistics) {
  if (state.lambda.size() == 0) return true;
  if (form_ != Form::index3) return chart_.restore_end(state.t, state.q, state.v, statistics);
  if (system_.position_rows() == 0) return true;
  ++statistics.factorizations;
  return std::isfinite(system_.correct_position(state.t, state.q.data()));
}

}  // namespace raak
