#include "system/motion_terms.h"

namespace raak {
namespace {

std::size_t z(int i) {
  return static_cast<std::size_t>(i);
}

Reals with_time(const Recorded& t, const Reals& rest) {
  Reals all{t};
  all.insert(all.end(), rest.begin(), rest.end());
  return all;
}

}  // namespace

MotionTerms::MotionTerms(const Formulas& formulas, const RecordedState& inputs) : formulas_(formulas), x_(inputs) {
  formulas_.constraint(x_.t, x_.q, g_);
  residual_ = rate(g_);
  formulas_.velocity_constraint(x_.t, x_.q, x_.v, residual_);
}

Reals MotionTerms::rate(const Reals& values) const {
  return derivative_along(values, with_time(x_.t, x_.q), with_time(Recorded(1.0), x_.v));
}

SymmetricEntries MotionTerms::mass() const {
  SymmetricEntries M(static_cast<int>(x_.q.size()));
  formulas_.mass(x_.t, x_.q, M);
  return M;
}

Reals MotionTerms::force() const {
  Reals f(x_.q.size(), Recorded(0.0));
  formulas_.force(x_.t, x_.q, x_.v, f);
  return f;
}

Reals MotionTerms::velocity_residual_near(const Reals& dq) const {
  Reals near = derivative_along(residual_, x_.q, dq);
  for (std::size_t i = 0; i < near.size(); ++i) near[i] += residual_[i];
  return near;
}

Reals MotionTerms::residual_at_rest() const {
  Reals c = derivative_along(g_, {x_.t}, {Recorded(1.0)});
  formulas_.velocity_constraint(x_.t, x_.q, Reals(x_.q.size(), Recorded(0.0)), c);
  return c;
}

std::vector<Gradient> MotionTerms::position_jacobian() const {
  return gradients(g_, x_.q);
}

std::vector<Gradient> MotionTerms::jacobian() const {
  std::vector<Gradient> G = position_jacobian();
  const Reals c(residual_.begin() + static_cast<std::ptrdiff_t>(g_.size()), residual_.end());
  for (Gradient& row : gradients(c, x_.v)) G.push_back(std::move(row));
  return G;
}

Reals MotionTerms::bias() const {
  Reals b = rate(residual_);
  for (Recorded& entry : b) entry = -entry;
  return b;
}

Reals MotionTerms::inertia_and_reactions() const {
  Reals balance = mass().times(x_.a);
  const std::vector<Gradient> G = jacobian();
  for (std::size_t i = 0; i < G.size(); ++i)
    for (const auto& [j, entry] : G[i]) balance[z(j)] += entry * x_.lambda[i];
  return balance;
}

}  // namespace raak
