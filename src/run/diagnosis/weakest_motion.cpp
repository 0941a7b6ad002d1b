#include "run/diagnosis/weakest_motion.h"

#include <algorithm>
#include <cmath>

#include "base/linear/factors.h"
#include "base/linear/sparse_factors.h"
#include "kinematics/rank/constraint_frame.h"
#include "run/diagnosis/conditioning.h"
#include "system/sparse_equations.h"

namespace raak {
namespace {

constexpr Eigen::Index most_sparse_rows = 20000;  // beyond it the matrices take longer than the answer is worth

// A row that vanishes shows only against what it was.
Vector usual_lengths(const Vector& here, const Vector& at_start) {
  return here.cwiseMax(at_start).cwiseMax(1e-300);
}

// The lower triangular L of M = L L': velocities L'v all count alike. Without it, as of bodies without mass, the roots
// of the diagonal.
Matrix root_of_mass(const ConstrainedSystem& system, const State& at) {
  Matrix M(system.coordinates(), system.coordinates());
  system.mass(at.t, at.q, M);
  if (const Eigen::LLT<Matrix> factors(M); factors.info() == Eigen::Success) return factors.matrixL();
  return M.diagonal().cwiseMax(1e-300).cwiseSqrt().asDiagonal();
}

// G L^-T
Matrix jacobian_by_mass(const ConstrainedSystem& system, const State& at, const Matrix& root) {
  Matrix G(system.rows(), system.coordinates());
  system.jacobian(at.t, at.q, G);
  return root.triangularView<Eigen::Lower>().solve(G.transpose()).transpose();
}

std::optional<WeakestMotion> find_dense(const ConstrainedSystem& system, const State& start, const State& last) {
  const Eigen::Index m = system.rows();
  const Matrix root = root_of_mass(system, last);
  const Vector at_start = jacobian_by_mass(system, start, root_of_mass(system, start)).rowwise().norm();
  const ConstraintFrame frame(jacobian_by_mass(system, last, root), at_start);
  if (!frame.is_finite() || !at_start.allFinite()) return std::nullopt;
  WeakestMotion found;
  found.lengths = frame.lengths();
  const Svd& svd = frame.svd();
  found.smallest = svd.singular_values()[m - 1];
  found.largest = svd.singular_values()[0];
  found.u = svd.left_vectors().col(m - 1);
  const Vector w = svd.right_vectors().col(m - 1);
  found.direction = root.transpose().triangularView<Eigen::Upper>().solve(w);
  const Vector moving = root.transpose() * last.v;
  found.speed = w.dot(moving);
  found.all_speed = moving.norm();
  const Vector changing = root.transpose() * last.a;
  found.change = w.dot(changing);
  found.all_change = changing.norm();
  return found;
}

Vector lengths_of_rows(const SparseMatrix& J) {
  Vector squares = Vector::Zero(J.rows());
  for (Eigen::Index k = 0; k < J.outerSize(); ++k)
    for (SparseMatrix::InnerIterator entry(J, k); entry; ++entry) squares[entry.row()] += entry.value() * entry.value();
  return squares.cwiseSqrt();
}

// With the roots of the diagonal of M for L. The vector begins with what the drivers ask for: where that cannot be met
// it has a part along u.
std::optional<WeakestMotion> find_sparse(const ConstrainedSystem& system, const SparseEquations& equations,
                                         const State& start, const State& last, const Vector& asked) {
  constexpr int iterations = 12;
  Vector root;
  const auto jacobian_at = [&](const State& at) {
    SparseMatrix G;
    equations.sparse_jacobian(at.t, at.q, G);
    system.mass_diagonal(at.t, at.q, root);
    root = root.cwiseMax(1e-300).cwiseSqrt().eval();
    return SparseMatrix(G * root.cwiseInverse().asDiagonal());
  };
  const Vector at_start = lengths_of_rows(jacobian_at(start));
  SparseMatrix J = jacobian_at(last);
  WeakestMotion found;
  found.lengths = usual_lengths(lengths_of_rows(J), at_start);
  if (!found.lengths.allFinite()) return std::nullopt;
  J = found.lengths.cwiseInverse().asDiagonal() * J;
  const SparseMatrix across = J.transpose();
  constexpr double rounding = 1e-15;
  const SparseSymmetricFactors factors(J * across, rounding);
  if (!factors.exist()) return std::nullopt;
  found.u = asked.cwiseQuotient(found.lengths).normalized();
  Vector strongest = found.u;
  for (int i = 0; i < iterations; ++i) {
    found.u = factors.solve(found.u).normalized();
    strongest = (J * (across * strongest)).normalized();
  }
  Vector w = (across * found.u).normalized();
  // Rounding in u, small as it is, is not small beside J'u close to a dead position: what the other rows resist goes.
  Vector resisted = J * w;
  resisted -= found.u * found.u.dot(resisted);
  Vector share = factors.solve(resisted);
  share -= found.u * found.u.dot(share);
  w = (w - across * share).normalized();
  found.smallest = (J * w).norm();
  found.largest = (across * strongest).norm();
  if (!found.u.allFinite() || !w.allFinite() || !(found.smallest > 0.0)) return std::nullopt;
  found.direction = w.cwiseQuotient(root);
  const Vector moving = root.cwiseProduct(last.v);
  found.speed = w.dot(moving);
  found.all_speed = moving.norm();
  const Vector changing = root.cwiseProduct(last.a);
  found.change = w.dot(changing);
  found.all_change = changing.norm();
  return found;
}

}  // namespace

std::optional<WeakestMotion> find_weakest_motion(const ConstrainedSystem& system, const State& start, const State& last,
                                                 const Vector& asked) {
  if (system.rows() == 0 || system.rows() > system.coordinates()) return std::nullopt;
  if (system.has_dense_matrices() && system.rows() <= most_rows_to_decompose) return find_dense(system, start, last);
  const auto* const equations = dynamic_cast<const SparseEquations*>(&system);
  if (equations == nullptr || system.rows() > most_sparse_rows) return std::nullopt;
  return find_sparse(system, *equations, start, last, asked);
}

}  // namespace raak
