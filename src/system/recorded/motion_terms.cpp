#include "system/recorded/motion_terms.h"

#include "base/linear/index.h"

namespace raak {
namespace {

Reals with_time(const Recorded& t, const Reals& rest) {
  Reals all{t};
  all.insert(all.end(), rest.begin(), rest.end());
  return all;
}

}  // namespace

const Reals& MotionTerms::constraint() const {
  if (!g_) formulas_.constraint(x_.t, x_.q, g_.emplace());
  return *g_;
}

const Reals& MotionTerms::velocity_residual() const {
  if (!residual_) residual_ = formulas_.velocity_residual(x_);
  if (!residual_) {
    residual_ = rate(constraint());
    formulas_.velocity_constraint(x_.t, x_.q, x_.v, *residual_);
  }
  return *residual_;
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
  Reals near = derivative_along(velocity_residual(), x_.q, dq);
  for (std::size_t i = 0; i < near.size(); ++i) near[i] += velocity_residual()[i];
  return near;
}

Reals MotionTerms::residual_at_rest() const {
  Reals c = derivative_along(constraint(), {x_.t}, {Recorded(1.0)});
  formulas_.velocity_constraint(x_.t, x_.q, Reals(x_.q.size(), Recorded(0.0)), c);
  return c;
}

std::vector<Gradient> MotionTerms::position_jacobian() const {
  if (std::optional<std::vector<Gradient>> known = formulas_.jacobian(x_)) {
    known->resize(constraint().size());
    return std::move(*known);
  }
  return gradients(constraint(), x_.q);
}

std::vector<Gradient> MotionTerms::jacobian() const {
  if (std::optional<std::vector<Gradient>> known = formulas_.jacobian(x_)) return std::move(*known);
  std::vector<Gradient> G = position_jacobian();
  Reals c;
  formulas_.velocity_constraint(x_.t, x_.q, x_.v, c);
  for (Gradient& row : gradients(c, x_.v)) G.push_back(std::move(row));
  return G;
}

Reals MotionTerms::bias() const {
  if (std::optional<Reals> known = formulas_.bias(x_)) return std::move(*known);
  Reals b = rate(velocity_residual());
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
