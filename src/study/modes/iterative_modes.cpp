// Arnoldi's method of Spectra (Debian's libspectra-dev; after Lehoucq, Sorensen and Yang, ARPACK Users' Guide, 1998)
// on the inverse of the shifted saddle point [K - sigma M, G'; G, 0], whose range is what the rows allow: no basis of
// it is needed. docs/decisions/0013-modes.md.
#include <Spectra/GenEigsRealShiftSolver.h>
#include <Spectra/SymGEigsShiftSolver.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "base/error.h"
#include "study/modes/mode_solvers.h"

namespace raak {
namespace {

using Complex = std::complex<double>;
constexpr int most_restarts = 300;
constexpr double converged = 1e-13;

[[noreturn]] void refuse_slow_convergence() {
  throw Error(
      ErrorKind::computation,
      "the modes were not found: the iterations of the eigenvalues do not converge. Ask for fewer with --count");
}

// y = (K - sigma M)^-1 x on what the rows allow.
class ShiftedInverse {
 public:
  using Scalar = double;
  explicit ShiftedInverse(const RestEquations& equations) : equations_(equations) {}
  Eigen::Index rows() const { return equations_.M.rows(); }
  Eigen::Index cols() const { return rows(); }
  void set_shift(double sigma) {
    if (!factors_.factor(SparseMatrix(equations_.K - sigma * equations_.M), equations_.G))
      throw Error(ErrorKind::computation,
                  "the modes are not defined: a motion that the joints allow has neither inertia nor stiffness");
  }
  void perform_op(const double* x, double* y) const {
    Eigen::Map<Vector>(y, rows()) = factors_.solve(Eigen::Map<const Vector>(x, rows()));
  }

 private:
  const RestEquations& equations_;
  SaddleFactors factors_;
};

class MassProduct {
 public:
  using Scalar = double;
  explicit MassProduct(const SparseMatrix& M) : M_(M) {}
  Eigen::Index rows() const { return M_.rows(); }
  Eigen::Index cols() const { return rows(); }
  void perform_op(const double* x, double* y) const {
    Eigen::Map<Vector>(y, rows()) = M_ * Eigen::Map<const Vector>(x, rows());
  }

 private:
  const SparseMatrix& M_;
};

// The inverse of the equations of first order, z = (x, x'/unit), shifted by sigma (in units of `unit`):
//   s x = unit v,   s M v unit = -D v unit - K x - G' mu.
class ShiftedStates {
 public:
  using Scalar = double;
  ShiftedStates(const RestEquations& equations, double unit)
      : equations_(equations), K_(equations.K / (unit * unit)), D_(equations.D / unit) {}
  Eigen::Index rows() const { return 2 * equations_.M.rows(); }
  Eigen::Index cols() const { return rows(); }
  void set_shift(double sigma) {
    sigma_ = sigma;
    if (!factors_.factor(SparseMatrix(K_ + sigma * D_ + sigma * sigma * equations_.M), equations_.G))
      throw Error(ErrorKind::computation,
                  "the modes are not defined: a motion that the joints allow has neither inertia nor stiffness");
  }
  void perform_op(const double* z, double* result) const {
    const Eigen::Index n = equations_.M.rows();
    const Eigen::Map<const Vector> x(z, n), v(z + n, n);
    Eigen::Map<Vector> first(result, n), second(result + n, n);
    first = factors_.solve(-(equations_.M * (v + sigma_ * x)) - D_ * x);
    second = x + sigma_ * first;
  }

 private:
  const RestEquations& equations_;
  double sigma_ = 0.0;
  SparseMatrix K_, D_;
  SaddleFactors factors_;
};

// A start that the rows allow, the same in every run.
template <class Operator>
Vector starting_vector(const Operator& inverse, const SparseMatrix* M) {
  std::mt19937_64 generator(1);
  std::uniform_real_distribution<double> anything(-1.0, 1.0);
  Vector random(inverse.rows()), image(inverse.rows());
  for (double& number : random) number = anything(generator);
  if (M != nullptr) random = *M * random;
  inverse.perform_op(random.data(), image.data());
  return image;
}

// Of omega^2: what a stiffness in the equations means for a mass.
double typical_square(const RestEquations& equations) {
  const Vector mass = equations.M.diagonal(), stiffness = equations.stiffness_sizes.diagonal();
  double most = 0.0;
  for (Eigen::Index i = 0; i < mass.size(); ++i)
    if (mass[i] > 0.0) most = std::max(most, stiffness[i] / mass[i]);
  return most > 0.0 ? most : 1.0;
}

int basis_size(const RestEquations& equations, int wanted, Eigen::Index most) {
  return static_cast<int>(std::min<Eigen::Index>(std::max(2 * wanted + 20, 40), std::min(most, equations.M.rows())));
}

std::vector<RawMode> symmetric_modes(const RestEquations& equations, int count, double sigma) {
  ShiftedInverse inverse(equations);
  MassProduct mass(equations.M);
  Spectra::SymGEigsShiftSolver<ShiftedInverse, MassProduct, Spectra::GEigsMode::ShiftInvert> solver(
      inverse, mass, count, basis_size(equations, count, equations.freedoms()), sigma);
  const Vector start = starting_vector(inverse, &equations.M);
  solver.init(start.data());
  solver.compute(Spectra::SortRule::LargestMagn, most_restarts, converged);
  if (solver.info() != Spectra::CompInfo::Successful) refuse_slow_convergence();
  const Matrix vectors = solver.eigenvectors();
  std::vector<RawMode> modes;
  for (Eigen::Index i = 0; i < vectors.cols(); ++i) {
    const Vector x = vectors.col(i);
    const double square =
        x.dot(equations.K * x) / x.dot(equations.M * x);  // Rayleigh: right to the square of the error
    modes.push_back(
        {square >= 0.0 ? Complex(0.0, std::sqrt(square)) : Complex(std::sqrt(-square), 0.0), x.cast<Complex>(), false});
  }
  settle_rounding(equations, std::sqrt(typical_square(equations)), modes);
  return modes;
}

std::vector<RawMode> general_modes(const RestEquations& equations, int count, double unit) {
  ShiftedStates inverse(equations, unit);
  const int wanted = static_cast<int>(std::min<Eigen::Index>(2 * count + 2, 2 * equations.freedoms() - 2));
  Spectra::GenEigsRealShiftSolver<ShiftedStates> solver(inverse, wanted,
                                                        basis_size(equations, wanted, 2 * equations.freedoms()), 1.0);
  const Vector start = starting_vector(inverse, nullptr);
  solver.init(start.data());
  solver.compute(Spectra::SortRule::LargestMagn, most_restarts, converged);
  if (solver.info() != Spectra::CompInfo::Successful) refuse_slow_convergence();
  const auto values = solver.eigenvalues();
  const Eigen::MatrixXcd vectors = solver.eigenvectors();
  const bool undamped = is_undamped(equations);
  constexpr double nothing = 1e-6;  // of the shift: rounding makes pairs of the double root at 0
  std::vector<RawMode> modes;
  for (Eigen::Index i = 0; i < vectors.cols(); ++i) {
    const Complex s = unit * values[i];
    if (s.imag() < 0.0) continue;
    RawMode mode{s, vectors.col(i).head(equations.M.rows()), false};
    mode.rigid = std::abs(s) < nothing * unit && is_free_along(equations, mode.x);
    // Of the two roots that a motion without damping has, the one that grows stands for both.
    if (undamped && s.imag() == 0.0 && s.real() < 0.0) continue;
    modes.push_back(std::move(mode));
  }
  settle_rounding(equations, unit, modes);
  return modes;
}

double slowest_that_moves(const std::vector<RawMode>& modes) {
  double slowest = 0.0;
  for (const RawMode& mode : modes)
    if (!mode.rigid && (slowest == 0.0 || std::abs(mode.s) < slowest)) slowest = std::abs(mode.s);
  return slowest;
}

}  // namespace

std::vector<RawMode> iterative_modes(const RestEquations& equations, int count) {
  // The shift lies on the side where nothing is stable, so that nothing is hit, and near the slowest mode: that is
  // known better after a first look.
  double slowest = std::sqrt(1e-6 * typical_square(equations));
  const bool symmetric = is_undamped(equations) && has_symmetric_stiffness(equations);
  std::vector<RawMode> modes;
  for (int look = 0; look < 3; ++look) {
    modes =
        symmetric ? symmetric_modes(equations, count, -slowest * slowest) : general_modes(equations, count, slowest);
    const double found = slowest_that_moves(modes);
    constexpr double near = 30.0;
    if (!(found > 0.0) || (found < near * slowest && slowest < near * found)) break;
    slowest = found;
  }
  keep_slowest(modes, count);
  return modes;
}

}  // namespace raak
