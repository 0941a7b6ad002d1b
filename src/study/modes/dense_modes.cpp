#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>

#include "base/error.h"
#include "base/linear/eigenvalues.h"
#include "base/linear/factors.h"
#include "base/linear/svd.h"
#include "study/modes/mode_solvers.h"

namespace raak {
namespace {

using Complex = std::complex<double>;

// The matrices on what the rows allow, x = basis u, in which the mass is 1.
struct Reduced {
  Matrix basis, K, D;
};

// Orthonormal columns of all that the rows allow. Of many coordinates with few freedoms the factors of G would take
// minutes: as many random directions as there are freedoms are projected on it instead.
Matrix allowed_directions(const RestEquations& equations) {
  constexpr Eigen::Index many = 600;
  const Eigen::Index n = equations.M.rows(), m = equations.G.rows();
  if (m == 0) return Matrix::Identity(n, n);
  if (n <= many) {
    return orthonormal_complement(Matrix(equations.G).transpose());
  }
  SparseMatrix identity(n, n);
  identity.setIdentity();
  SaddleFactors projection;
  projection.factor(identity, equations.G);
  std::mt19937_64 generator(1);
  std::normal_distribution<double> anything;
  Matrix directions(n, n - m);
  for (Eigen::Index j = 0; j < directions.cols(); ++j) {
    Vector random(n);
    for (double& number : random) number = anything(generator);
    directions.col(j) = projection.solve(random);
  }
  return orthonormal_columns(directions);
}

[[noreturn]] void refuse_slopes() {
  throw Error(ErrorKind::computation,
              "the modes are not defined: the derivative of a force is not finite in this configuration, or beyond all "
              "numbers. Look at the formulas of the forces there, or take another configuration with --at");
}

Reduced reduce(const RestEquations& equations) {
  const Matrix Z = allowed_directions(equations);
  const Matrix mass = Z.transpose() * (equations.M * Z);
  const Eigen::SelfAdjointEigenSolver<Matrix> inertia(mass);
  const Vector& size = inertia.eigenvalues();
  constexpr double vanishing = 1e-14;
  if (inertia.info() != Eigen::Success || !(size[0] > vanishing * size[size.size() - 1]))
    throw Error(ErrorKind::computation,
                "the modes are not defined: a motion that the joints allow has no inertia. Give the bodies that take "
                "part in it a mass or a moment of inertia");
  Reduced result;
  result.basis = Z * inertia.eigenvectors() * size.cwiseSqrt().cwiseInverse().asDiagonal();
  result.K = result.basis.transpose() * (equations.K * result.basis);
  result.D = result.basis.transpose() * (equations.D * result.basis);
  if (!result.K.allFinite() || !result.D.allFinite()) refuse_slopes();
  return result;
}

RawMode mode_of(Complex s, const Eigen::VectorXcd& x) {
  return {s, x, false};
}
RawMode mode_of(Complex s, const Matrix& basis, const Eigen::VectorXcd& u) {
  return mode_of(s, basis.cast<Complex>() * u);
}

Complex root_of(double square) {
  return square >= 0.0 ? Complex(0.0, std::sqrt(square)) : Complex(std::sqrt(-square), 0.0);
}

std::vector<RawMode> undamped(const Reduced& reduced, bool symmetric) {
  std::vector<RawMode> modes;
  if (symmetric) {
    const Eigen::SelfAdjointEigenSolver<Matrix> eigen(Matrix(0.5 * (reduced.K + reduced.K.transpose())));
    for (Eigen::Index i = 0; i < eigen.eigenvalues().size(); ++i) {
      modes.push_back(
          mode_of(root_of(eigen.eigenvalues()[i]), reduced.basis, eigen.eigenvectors().col(i).cast<Complex>()));
    }
    return modes;
  }
  const Eigen::EigenSolver<Matrix> eigen(reduced.K);
  for (Eigen::Index i = 0; i < eigen.eigenvalues().size(); ++i) {
    Complex s = std::sqrt(-eigen.eigenvalues()[i]);
    if (s.imag() < 0.0) s = -s;  // the other of the two: pairs of conjugate squares give one of each sign
    modes.push_back(mode_of(s, reduced.basis, eigen.eigenvectors().col(i)));
  }
  return modes;
}

// Columns of motions without stiffness and damping, and of all others: double roots at 0 are taken out before rounding
// makes pairs of them.
void split_free_motions(const Reduced& reduced, double unit, Matrix& free, Matrix& others) {
  constexpr double nothing = 1e-12;
  const Eigen::Index n = reduced.K.rows();
  Matrix stacked(4 * n, n);
  stacked << reduced.K / (unit * unit), reduced.D / unit, reduced.K.transpose() / (unit * unit),
      reduced.D.transpose() / unit;
  const Svd svd(triangle_of(stacked));
  const Eigen::Index held = svd.rank(nothing);
  others = svd.right_vectors().leftCols(held);
  free = svd.right_vectors().rightCols(n - held);
}

// Beside fast modes the slow ones have lost their digits, but not their directions: among these alone they are found
// again (Rayleigh and Ritz), until none is much slower than the fastest of the others.
void separate_slow(const RestEquations& equations, std::vector<RawMode>& modes) {
  constexpr double much_slower = 1e-5, unseen_beside = 1e-7;
  const auto by_size = [](const RawMode& a, const RawMode& b) { return std::abs(a.s) < std::abs(b.s); };
  std::stable_sort(modes.begin(), modes.end(), by_size);
  for (std::size_t count = modes.size(); count > 1;) {
    const double fastest = std::abs(modes[count - 1].s);
    const auto slow = static_cast<std::size_t>(
        std::count_if(modes.begin(), modes.begin() + static_cast<std::ptrdiff_t>(count),
                      [&](const RawMode& mode) { return std::abs(mode.s) <= much_slower * fastest; }));
    if (slow == 0 || slow == count) break;
    Matrix X(equations.M.rows(), static_cast<Eigen::Index>(slow));
    for (std::size_t i = 0; i < slow; ++i) X.col(static_cast<Eigen::Index>(i)) = modes[i].x.real();
    const Matrix K = X.transpose() * (equations.K * X), M = X.transpose() * (equations.M * X);
    const Eigen::LLT<Matrix> root(M);
    if (root.info() != Eigen::Success) break;
    const Matrix half = root.matrixL().solve(0.5 * (K + K.transpose()));
    const Matrix whole = root.matrixL().solve(Matrix(half.transpose()));
    const Eigen::SelfAdjointEigenSolver<Matrix> eigen(Matrix(0.5 * (whole + whole.transpose())));
    const Matrix shapes = X * Matrix(root.matrixU().solve(eigen.eigenvectors()));
    for (std::size_t i = 0; i < slow; ++i)
      modes[i] = mode_of(root_of(eigen.eigenvalues()[static_cast<Eigen::Index>(i)]),
                         shapes.col(static_cast<Eigen::Index>(i)).cast<Complex>());
    std::stable_sort(modes.begin(), modes.begin() + static_cast<std::ptrdiff_t>(slow), by_size);
    count = slow;
  }
  const double fastest = modes.empty() ? 0.0 : std::abs(modes.back().s);
  std::optional<SparseMatrix> beside;
  for (RawMode& mode : modes) {
    mode.rigid = is_free_along(equations, mode.x);
    if (!mode.rigid && std::abs(mode.s) <= unseen_beside * fastest) {
      // A stiffness that changes with the last digits of the configuration is none.
      if (!beside) beside = equations.stiffness_beside();
      const double here = std::abs(mode.x.dot(equations.K * mode.x)), there = std::abs(mode.x.dot(*beside * mode.x));
      mode.rigid = !(std::abs(there - here) <= 0.01 * here);
    }
    if (mode.rigid) mode.s = 0.0;
  }
}

std::vector<RawMode> damped(const Reduced& reduced) {
  const double unit = std::max(std::sqrt(reduced.K.norm()), reduced.D.norm());  // 1/s
  if (!std::isfinite(unit)) refuse_slopes();
  Matrix free, others;
  split_free_motions(reduced, unit, free, others);
  std::vector<RawMode> modes;
  for (Eigen::Index i = 0; i < free.cols(); ++i) {
    modes.push_back(mode_of(0.0, reduced.basis, free.col(i).cast<Complex>()));
    modes.back().rigid = true;
  }
  const Eigen::Index n = others.cols();
  Matrix A = Matrix::Zero(2 * n, 2 * n);
  A.topRightCorner(n, n).setIdentity();
  A.bottomLeftCorner(n, n) = -others.transpose() * reduced.K * others / (unit * unit);
  A.bottomRightCorner(n, n) = -others.transpose() * reduced.D * others / unit;
  const Eigen::EigenSolver<Matrix> eigen(A);
  if (eigen.info() != Eigen::Success)
    throw Error(ErrorKind::computation, "the modes were not found: the eigenvalues do not converge");
  for (Eigen::Index i = 0; i < 2 * n; ++i) {
    const Complex s = unit * eigen.eigenvalues()[i];
    if (s.imag() < 0.0) continue;
    modes.push_back(mode_of(s, reduced.basis * others, eigen.eigenvectors().col(i).head(n)));
  }
  return modes;
}

}  // namespace

bool has_symmetric_stiffness(const RestEquations& equations) {
  constexpr double rounding = 1e-10;
  const SparseMatrix skew = equations.K - SparseMatrix(equations.K.transpose());
  return skew.norm() <= rounding * equations.stiffness_sizes.norm();
}

bool is_undamped(const RestEquations& equations) {
  return !(equations.D.norm() > 0.0);
}

void settle_rounding(const RestEquations& equations, double fastest, std::vector<RawMode>& modes) {
  constexpr double of_squares = 1e-14, of_roots = 1e-14, much_slower = 1e-7;
  const bool undamped = is_undamped(equations);
  const double unseen = undamped ? std::sqrt(of_squares) * fastest : of_roots * fastest;
  for (RawMode& mode : modes) {
    if (!mode.rigid) mode.rigid = std::abs(mode.s) <= unseen;
    if (!mode.rigid && is_free_along(equations, mode.x)) {
      // With damping, a motion without stiffness has two roots: 0, and the rate at which it dies out.
      const Eigen::VectorXcd by_damping = equations.D * mode.x, by_mass = equations.M * mode.x;
      const double decay = std::abs(mode.x.dot(by_damping)) / std::abs(mode.x.dot(by_mass));
      mode.rigid = undamped || std::abs(mode.s) <= much_slower * decay;
    }
    if (mode.rigid) mode.s = 0.0;
    if (std::abs(mode.s.real()) <= of_roots * fastest) mode.s.real(0.0);
  }
}

bool is_free_along(const RestEquations& equations, const Eigen::VectorXcd& x) {
  constexpr double rounding = 1e-11;
  const Vector sizes = x.cwiseAbs();
  const double most = sizes.dot(equations.stiffness_sizes * sizes);
  const Eigen::VectorXcd along = equations.K * x;
  return std::abs(x.dot(along)) <= rounding * most;
}

void keep_slowest(std::vector<RawMode>& modes, int count) {
  std::stable_sort(modes.begin(), modes.end(),
                   [](const RawMode& a, const RawMode& b) { return std::abs(a.s) < std::abs(b.s); });
  if (modes.size() > static_cast<std::size_t>(count)) modes.resize(static_cast<std::size_t>(count));
}

std::vector<RawMode> dense_modes(const RestEquations& equations, int count) {
  if (equations.freedoms() <= 0) return {};
  const Reduced reduced = reduce(equations);
  const bool symmetric = is_undamped(equations) && has_symmetric_stiffness(equations);
  std::vector<RawMode> modes = is_undamped(equations) ? undamped(reduced, symmetric) : damped(reduced);
  double fastest = 0.0;
  for (const RawMode& mode : modes) fastest = std::max(fastest, std::abs(mode.s));
  if (symmetric) separate_slow(equations, modes);
  else settle_rounding(equations, fastest, modes);
  keep_slowest(modes, count);
  return modes;
}

}  // namespace raak
