#include "study/modes/rest_equations.h"

#include <algorithm>
#include <cmath>

#include "kinematics/rank/constraint_frame.h"
#include "run/diagnosis/passed_singularities.h"
#include "system/turn_gauge.h"

namespace raak {
namespace {

constexpr Eigen::Index most_dense = 150;  // unknowns of a saddle point

using Entries = std::vector<Eigen::Triplet<double>>;

void add(const SparseMatrix& A, double factor, Entries& to) {
  for (int j = 0; j < A.outerSize(); ++j)
    for (SparseMatrix::InnerIterator entry(A, j); entry; ++entry)
      to.emplace_back(static_cast<int>(entry.row()), j, factor * entry.value());
}

double largest(const SparseMatrix& A) {
  double size = 0.0;
  for (int j = 0; j < A.outerSize(); ++j)
    for (SparseMatrix::InnerIterator entry(A, j); entry; ++entry) size = std::max(size, std::abs(entry.value()));
  return size;
}

}  // namespace

bool SaddleFactors::factor(const SparseMatrix& A, const SparseMatrix& G) {
  n_ = A.rows();
  m_ = G.rows();
  unit_ = largest(A);
  if (!(unit_ > 0.0) || !std::isfinite(unit_)) unit_ = 1.0;
  if (n_ + m_ <= most_dense) {
    Matrix J = Matrix::Zero(n_ + m_, n_ + m_);
    J.topLeftCorner(n_, n_) = Matrix(A) / unit_;
    J.bottomLeftCorner(m_, n_) = Matrix(G);
    J.topRightCorner(n_, m_) = Matrix(G).transpose();
    if (!J.allFinite()) return false;
    dense_.compute(J);
    return dense_.matrixLU().diagonal().cwiseAbs().minCoeff() > 0.0;
  }
  if (sparse_ == nullptr) sparse_ = std::make_unique<SparseFactor<double>>(n_ + m_);
  Entries& entries = sparse_->entries();
  entries.clear();
  add(A, 1.0 / unit_, entries);
  for (int j = 0; j < G.outerSize(); ++j)
    for (SparseMatrix::InnerIterator entry(G, j); entry; ++entry) {
      const int row = static_cast<int>(n_ + entry.row());
      entries.emplace_back(row, j, entry.value());
      entries.emplace_back(j, row, entry.value());
    }
  for (const auto& entry : entries)
    if (!std::isfinite(entry.value())) return false;
  sparse_->factor();
  return solve(Vector::Ones(n_)).allFinite();
}

void SaddleFactors::solve(const Vector& top, const Vector& bottom, Vector& x, Vector& y) const {
  Vector right(n_ + m_), found(n_ + m_);
  right << top / unit_, bottom;
  if (n_ + m_ <= most_dense) found = dense_.solve(right);
  else sparse_->solve(right, found);
  x = found.head(n_);
  y = unit_ * found.tail(m_);
}

Vector SaddleFactors::solve(const Vector& top) const {
  Vector x, y;
  solve(top, Vector::Zero(m_), x, y);
  return x;
}

RestEquations::RestEquations(const ConstrainedSystem& system, double t)
    : system_(system),
      sparse_(SparseEquations::worthwhile(system)),
      rest_(State::of_size(system.coordinates(), system.rows())),
      held_(system.coordinates() - coordinates_without_centres(system)) {
  rest_.t = t;
  G.resize(system.rows() + held_, system.coordinates());
}

SparseMatrix RestEquations::scaled(const SparseMatrix& matrix) const {
  return SparseMatrix(scales().asDiagonal() * matrix * scales().asDiagonal());
}

void RestEquations::read_mass(const Vector& q, SparseMatrix& to) const {
  const Eigen::Index n = system_.coordinates();
  to.resize(n, n);
  if (sparse_ != nullptr) {
    sparse_->sparse_mass(rest_.t, q, to);
  } else {
    Matrix dense(n, n);
    system_.mass(rest_.t, q, dense);
    to = dense.sparseView();
  }
  to = scaled(to);
}

bool RestEquations::read_terms(const Vector& q) {
  const Eigen::Index n = system_.coordinates(), m = system_.rows();
  rest_.q = q;
  read_mass(q, M);
  SparseMatrix rows(m, n);
  if (m > 0 && sparse_ != nullptr) {
    sparse_->sparse_jacobian(rest_.t, q, rows);
  } else if (m > 0) {
    Matrix dense(m, n);
    system_.jacobian(rest_.t, q, dense);
    rows = dense.sparseView();
  }
  Entries entries;
  add(SparseMatrix(system_.row_scales().cwiseInverse().asDiagonal() * rows * scales().asDiagonal()), 1.0, entries);
  for (Eigen::Index i = 0; i < held_; ++i)
    entries.emplace_back(static_cast<int>(m + i), static_cast<int>(n - held_ + i), 1.0);
  G.setFromTriplets(entries.begin(), entries.end());
  force.resize(n);
  system_.force(rest_.t, q, rest_.v, force);
  force = force.cwiseProduct(scales()).eval();
  Vector g(system_.position_rows());
  if (g.size() > 0) system_.constraint(rest_.t, q, g);
  gap = Vector::Zero(G.rows());
  gap.head(g.size()) = g.cwiseQuotient(system_.row_scales().head(g.size()));
  return force.allFinite() && gap.allFinite();
}

bool RestEquations::evaluate(const Vector& q) {
  if (!read_terms(q) || !factors_.factor(M, G)) return false;
  Vector found;
  factors_.solve(force, Vector::Zero(G.rows()), release, found);
  rest_.a = release.cwiseProduct(scales());
  set_multipliers(found);
  return release.allFinite() && multipliers.allFinite();
}

void RestEquations::set_multipliers(const Vector& scaled_multipliers) {
  multipliers = scaled_multipliers;
  rest_.lambda = multipliers.head(system_.rows()).cwiseQuotient(system_.row_scales());
}

SparseMatrix RestEquations::inertia_stiffness(const State& state) const {
  const Eigen::Index n = system_.coordinates();
  SparseMatrix result(n, n);
  if (sparse_ != nullptr) {
    sparse_->sparse_inertia_stiffness(state, result);
  } else {
    Matrix dense(n, n);
    system_.inertia_stiffness(state, dense);
    result = dense.sparseView();
  }
  return scaled(result);
}

void RestEquations::read_slopes(const Vector& q, const Vector& v, SparseMatrix& by_q, SparseMatrix& by_v) const {
  const Eigen::Index n = system_.coordinates();
  by_q.resize(n, n);
  by_v.resize(n, n);
  if (sparse_ != nullptr) {
    sparse_->sparse_force_derivatives(rest_.t, q, v, by_q, by_v);
  } else {
    Matrix f_q(n, n), f_v(n, n);
    system_.force_derivatives(rest_.t, q, v, f_q, f_v);
    by_q = f_q.sparseView();
    by_v = f_v.sparseView();
  }
  by_q = scaled(by_q);
  by_v = scaled(by_v);
}

std::optional<std::string> RestEquations::kinked_coordinate() const {
  constexpr double far = 1e-7, near = 1e-2 * far;  // in scales of the coordinates, and of those per second
  constexpr double rounding = 1e-10;
  const Eigen::Index n = system_.coordinates();
  SparseMatrix by_q, by_v, beside_q, beside_v;
  read_slopes(rest_.q, rest_.v, by_q, by_v);
  // By coordinate, how much the slopes of its force differ at a distance to either side: no fold is seen from one
  // alone.
  const auto changes = [&](double distance) {
    Vector sizes = Vector::Zero(n);
    for (const double side : {-distance, distance}) {
      const Vector away = step_of(side);
      read_slopes(rest_.q + away, rest_.v + away, beside_q, beside_v);
      sizes += SparseMatrix((beside_q - by_q).cwiseAbs() + (beside_v - by_v).cwiseAbs()) * Vector::Ones(n);
    }
    return sizes;
  };
  const Vector size = SparseMatrix(by_q.cwiseAbs() + by_v.cwiseAbs()) * Vector::Ones(n);
  const Vector at_far = changes(far), at_near = changes(near);
  for (Eigen::Index i = 0; i < n; ++i) {
    const bool shrinks = at_near[i] <= 0.5 * at_far[i] || at_near[i] <= rounding * size[i];
    if (!shrinks) return system_.description().coordinates[static_cast<std::size_t>(i)];
  }
  return std::nullopt;
}

Vector RestEquations::step_of(double size) const {
  Vector step(system_.coordinates());
  for (Eigen::Index i = 0; i < step.size(); ++i)
    step[i] = size * (1.0 + 0.5 * std::cos(static_cast<double>(i))) * scales()[i];
  return step;
}

SparseMatrix RestEquations::stiffness_beside() const {
  constexpr double rounding = 1e-13;
  RestEquations beside(system_, rest_.t);
  beside.evaluate(rest_.q + step_of(rounding));
  beside.linearise(in_equilibrium_);
  return beside.K;
}

void RestEquations::linearise(bool in_equilibrium) {
  in_equilibrium_ = in_equilibrium;
  SparseMatrix f_q, f_v;
  read_slopes(rest_.q, rest_.v, f_q, f_v);
  D = -f_v;
  State still = rest_;
  still.a.setZero();
  const SparseMatrix held = inertia_stiffness(still);
  stiffness_sizes = f_q.cwiseAbs() + held.cwiseAbs();
  K = held - f_q;
  if (in_equilibrium || !(rest_.a.cwiseAbs().maxCoeff() > 0.0)) return;
  const SparseMatrix along = inertia_stiffness(rest_) - held;
  // M has at most products of four sines, cosines and quaternions in it: a difference over a small part of a turn.
  const double reach = 1e-4 / release.cwiseAbs().maxCoeff();
  SparseMatrix ahead, behind;
  read_mass(rest_.q + reach * rest_.a, ahead);
  read_mass(rest_.q - reach * rest_.a, behind);
  const SparseMatrix rate = (ahead - behind) * (0.5 / reach);
  K = (K + 0.5 * (along + SparseMatrix(along.transpose())) - 0.5 * rate).eval();
}

double RestEquations::release_size() const {
  return std::sqrt(std::max(0.0, release.dot(M * release)));
}

double RestEquations::size_of(const Vector& forces) const {
  double sum = 0.0;
  const Vector diagonal = M.diagonal();
  for (Eigen::Index i = 0; i < forces.size(); ++i)
    if (diagonal[i] > 0.0) sum += forces[i] * forces[i] / diagonal[i];
  return std::sqrt(sum);
}

double RestEquations::force_size() const {
  return size_of(force);
}

double RestEquations::resistance_to(const Vector& displacement) const {
  return size_of(K * displacement);
}

Dependence find_dependence(const RestEquations& equations) {
  const ConstrainedSystem& system = equations.system();
  Dependence found;
  if (system.rows() == 0) return found;
  if (!system.has_dense_matrices()) {
    State at = equations.at();
    found.singular = !(update_accelerations(system, at) > RankPolicy::weak * RankPolicy::weak);
    return found;
  }
  const ConstraintFrame frame{Matrix(equations.G)};
  found.singular =
      !(frame.lengths().minCoeff() > RankPolicy::weak * frame.lengths().maxCoeff()) || frame.rank() < system.rows();
  if (found.singular) found.joints = dependent_joints(system, equations.t(), equations.at().q);
  return found;
}

}  // namespace raak
