#include "system/branch_rates.h"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

#include "base/svd.h"
#include "system/independent_rows.h"

namespace raak {
namespace {

constexpr double dependent = 1e-6;    // singular values below this share of the largest
constexpr double on_branch = 1e-7;    // relative violation of the rows at the level of accelerations
constexpr double negligible = 1e-10;  // a coefficient of the quadratic equation, relative to the largest

// Several quadratic equations in the shares of the open directions, relative to the largest acceleration there is.
using Equations = std::function<Vector(const Vector&)>;

Eigen::Index rank_of(const Svd& svd) {
  const Vector& sigma = svd.singular_values();
  return std::count_if(sigma.begin(), sigma.end(), [&](double s) { return s > dependent * sigma[0]; });
}

bool are_met(const Vector& values) {
  return values.cwiseAbs().maxCoeff() <= on_branch;
}

// c[0] + c[1] x + c[2] x^2 = 0; a double root counts once.
std::vector<double> real_roots(const double (&c)[3]) {
  const double size = std::max({std::abs(c[0]), std::abs(c[1]), std::abs(c[2])});
  if (std::abs(c[2]) <= negligible * size) {
    if (std::abs(c[1]) <= negligible * size) return {};
    return {-c[0] / c[1]};
  }
  const double half = -0.5 * c[1] / c[2];
  const double discriminant = half * half - c[0] / c[2];
  const double rounding = negligible * std::max(half * half, std::abs(c[0] / c[2]));
  if (discriminant < -rounding) return {};
  if (discriminant <= rounding) return {half};
  const double far = half + std::copysign(std::sqrt(discriminant), half);
  return {far, c[0] / c[2] / far};
}

// Of one unknown: the roots of the equation with the largest coefficients that meet the others too.
std::vector<Vector> zeros_of_one(const Equations& equations) {
  const auto at = [&](double x) { return equations(Vector::Constant(1, x)); };
  const Vector middle = at(0.0);
  const Vector ahead = at(1.0);
  const Vector behind = at(-1.0);
  Eigen::Index main = 0;
  (middle.cwiseAbs() + ahead.cwiseAbs() + behind.cwiseAbs()).maxCoeff(&main);
  const double c[3] = {middle[main], 0.5 * (ahead[main] - behind[main]),
                       0.5 * (ahead[main] + behind[main]) - middle[main]};
  std::vector<Vector> found;
  for (const double x : real_roots(c))
    if (are_met(at(x))) found.push_back(Vector::Constant(1, x));
  return found;
}

// Differences of quadratic functions are their derivatives but for rounding.
Matrix derivatives(const Equations& equations, const Vector& z) {
  Matrix J;
  for (Eigen::Index j = 0; j < z.size(); ++j) {
    const Vector one = Vector::Unit(z.size(), j);
    const Vector column = 0.5 * (equations(z + one) - equations(z - one));
    if (J.size() == 0) J.resize(column.size(), z.size());
    J.col(j) = column;
  }
  return J;
}

// By Gauss and Newton from several places; empty also where the only zero is a multiple one, which tells no branch.
std::vector<Vector> some_zeros(const Equations& equations, Eigen::Index unknowns) {
  constexpr int starts = 8;
  constexpr int most_steps = 80;
  constexpr double far = 1e8;
  std::vector<Vector> found;
  bool any_simple = false;
  std::mt19937 random(1);  // NOLINT: the same places each time
  std::uniform_real_distribution<double> share(-2.0, 2.0);
  for (int start = 0; start < starts; ++start) {
    Vector z = Vector::Zero(unknowns);
    if (start > 0)
      for (double& entry : z) entry = share(random);
    Vector value = equations(z);
    // Undamped: along a chain of loops each step settles the next loop, while the others may get worse.
    for (int step = 0; step < most_steps && value.norm() > 1e-14 && z.norm() < far; ++step) {
      z -= derivatives(equations, z).colPivHouseholderQr().solve(value);
      value = equations(z);
    }
    if (!are_met(value)) continue;
    Eigen::ColPivHouseholderQR<Matrix> slopes(derivatives(equations, z));
    slopes.setThreshold(dependent);
    any_simple = any_simple || slopes.rank() == unknowns;
    const bool is_new = std::none_of(found.begin(), found.end(), [&](const Vector& other) {
      return (other - z).cwiseAbs().maxCoeff() < 1e-3 * (1.0 + z.cwiseAbs().maxCoeff());
    });
    if (is_new) found.push_back(z);
  }
  if (found.size() == 1 && !any_simple) return {};
  return found;
}

}  // namespace

std::vector<Vector> branch_velocities(const ConstrainedSystem& system, int given, const State& motion) {
  constexpr Eigen::Index most_directions = 20;  // of more no zero is found in as many steps
  const double speed = motion.v.size() > 0 ? motion.v.cwiseAbs().maxCoeff() : 0.0;
  const Eigen::Index m = system.rows() - given;
  if (m == 0 || !(speed > 0.0) || !std::isfinite(speed) || system.is_large()) return {motion.v};
  Matrix G(system.rows(), system.coordinates());
  system.jacobian(motion.t, motion.q, G);
  if (!G.allFinite()) return {motion.v};
  const Vector lengths = G.rowwise().norm().cwiseMax(1e-300);
  G = lengths.cwiseInverse().asDiagonal() * G;
  // Cheap for the many starts that are not singular.
  if (are_clearly_independent(G.topRows(m))) return {motion.v};
  Eigen::ColPivHouseholderQR<Matrix> qr(G.topRows(m).transpose());
  qr.setThreshold(dependent);
  if (qr.rank() == m) return {motion.v};
  const Svd rows{Matrix(G.topRows(m))};
  const Svd all(G);
  const Matrix null_space = rows.left_vectors().rightCols(m - rank_of(rows));
  Matrix open = all.right_vectors().rightCols(G.cols() - rank_of(all));
  if (open.cols() == 0 || open.cols() > std::min(most_directions, null_space.cols())) return {motion.v};
  for (Eigen::Index j = 0; j < open.cols(); ++j) open.col(j) *= speed / open.col(j).cwiseAbs().maxCoeff();
  // w' bias along the directions; the bias is quadratic in v.
  Vector bias(system.rows());
  const auto scaled_bias = [&](const Vector& v) {
    system.acceleration_bias(motion.t, motion.q, v, bias);
    return Vector(bias.head(m).cwiseQuotient(lengths.head(m)));
  };
  double scale = speed * speed;
  for (Eigen::Index j = 0; j < open.cols(); ++j)
    for (const double side : {-1.0, 0.0, 1.0})
      scale = std::max(scale, scaled_bias(motion.v + side * open.col(j)).cwiseAbs().maxCoeff());
  const Equations equations = [&](const Vector& z) {
    return Vector(null_space.transpose() * scaled_bias(motion.v + open * z) / scale);
  };
  if (are_met(equations(Vector::Zero(open.cols())))) return {motion.v};
  const std::vector<Vector> zeros = open.cols() == 1 ? zeros_of_one(equations) : some_zeros(equations, open.cols());
  if (zeros.empty()) return {motion.v};  // told where the accelerations are asked for
  std::vector<Vector> velocities;
  velocities.reserve(zeros.size());
  for (const Vector& z : zeros) velocities.emplace_back(motion.v + open * z);
  return velocities;
}

}  // namespace raak
