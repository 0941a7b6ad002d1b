#include "methods/runge_kutta/refined_step.h"

#include <algorithm>
#include <cmath>

#include "methods/collocation/dense_collocation.h"

namespace raak {
namespace {

constexpr double enough = 0.01;  // of the tolerance: the change of a sweep after which no other follows
constexpr int most_refining_sweeps = 12;
constexpr double contracting_enough = 0.5;

}  // namespace

RefinedStep::RefinedStep(const ConstrainedSystem& system, const Tolerances& tolerances)
    : system_(system), tolerance_(tolerances.v), series_(points * system.coordinates()) {
  weight_ = a_ = end_q_ = end_v_ = Vector::Zero(system.coordinates());
  lambda_ = Vector::Zero(system.rows());
}

bool RefinedStep::refine(const State& from, const State& to, const Interpolant& own) {
  const Collocation& rule = collocation_rule(Collocation::Kind::gauss, points);
  if (!stages_) stages_ = std::make_unique<StageLanes<points>>(system_, rule);
  const double h = to.t - from.t;
  const Eigen::Index n = weight_.size();
  for (int i = 0; i < points; ++i) {
    const double t = from.t + rule.c[static_cast<std::size_t>(i)] * h;
    own(t, end_q_, end_v_);
    if (!(system_.accelerate(t, end_q_.data(), end_v_.data(), a_.data(), lambda_.data()) > 0.0)) return false;
    for (int d = 0; d < n; ++d) stages_->a[points * d + i] = a_[d];
  }
  for (Eigen::Index d = 0; d < n; ++d)
    weight_[d] =
        std::abs(h) / (tolerance_.absolute(d) + tolerance_.rtol * std::max(std::abs(from.v[d]), std::abs(to.v[d])));
  stages_->set_step(h);
  double before = 0.0;
  bool solved = false;
  for (int sweep = 0; sweep < most_refining_sweeps && !solved; ++sweep) {
    const double change = stages_->sweep(from.t, from.q.data(), from.v.data(), weight_.data());
    if (!std::isfinite(change) || (sweep > 0 && change > enough && change > contracting_enough * before)) return false;
    solved = change < enough;
    before = change;
  }
  if (!solved) return false;
  stages_->transform(weight_.data(), series_.data());
  stages_->finish(h, from.q.data(), from.v.data(), series_.data(), end_q_.data(), end_v_.data());
  end_q_ = to.q - end_q_;
  end_v_ = to.v - end_v_;
  return true;
}

void RefinedStep::interpolate(const State& from, const State& to, double t, const Interpolant& own, Vector& q,
                              Vector& v) {
  if (!looked_at_) refined_ = refine(from, to, own);
  looked_at_ = true;
  if (!refined_) {
    own(t, q, v);
    return;
  }
  const double h = to.t - from.t;
  const double x = (t - from.t) / h;
  integrate_series<points>(series_.data(), x, h, from.q, from.v, q, v);
  const double share = x * x * (3.0 - 2.0 * x);
  q += share * end_q_;
  v += share * end_v_;
}

}  // namespace raak
