#include "system/branch_rates.h"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "base/svd.h"
#include "system/independent_rows.h"

namespace raak {
namespace {

constexpr double dependent = 1e-6;    // singular values below this share of the largest
constexpr double on_branch = 1e-7;    // relative violation of the rows at the level of accelerations
constexpr double negligible = 1e-10;  // a coefficient of the quadratic equation, relative to the largest

Eigen::Index rank_of(const Svd& svd) {
  const Vector& sigma = svd.singular_values();
  return std::count_if(sigma.begin(), sigma.end(), [&](double s) { return s > dependent * sigma[0]; });
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

}  // namespace

std::vector<Vector> branch_velocities(const ConstrainedSystem& system, int given, const State& motion) {
  const double speed = motion.v.size() > 0 ? motion.v.cwiseAbs().maxCoeff() : 0.0;
  const Eigen::Index m = system.rows() - given;
  if (m == 0 || !(speed > 0.0) || !std::isfinite(speed) || system.is_large()) return {motion.v};
  Matrix G(system.rows(), system.coordinates());
  system.jacobian(motion.t, motion.q, G);
  if (!G.allFinite()) return {motion.v};
  for (Eigen::Index i = 0; i < G.rows(); ++i) G.row(i) /= std::max(G.row(i).norm(), 1e-300);
  // Cheap for the many starts that are not singular.
  if (are_clearly_independent(G.topRows(m))) return {motion.v};
  Eigen::ColPivHouseholderQR<Matrix> qr(G.topRows(m).transpose());
  qr.setThreshold(dependent);
  if (qr.rank() == m) return {motion.v};
  const Svd rows{Matrix(G.topRows(m))};
  const Svd all(G);
  const Matrix open = all.right_vectors().rightCols(G.cols() - rank_of(all));
  if (open.cols() != 1) return {motion.v};
  const Vector direction = open.col(0) / open.col(0).cwiseAbs().maxCoeff();
  const Matrix null_space = rows.left_vectors().rightCols(m - rank_of(rows));
  Vector lengths(m);
  Matrix unscaled(system.rows(), system.coordinates());
  system.jacobian(motion.t, motion.q, unscaled);
  for (Eigen::Index i = 0; i < m; ++i) lengths[i] = std::max(unscaled.row(i).norm(), 1e-300);
  // w' bias along the direction; the bias is quadratic in v.
  Vector bias(system.rows());
  double scale = 0.0;
  const auto violated = [&](double x) {
    system.acceleration_bias(motion.t, motion.q, motion.v + x * speed * direction, bias);
    const Vector b = bias.head(m).cwiseQuotient(lengths);
    scale = std::max({scale, b.cwiseAbs().maxCoeff(), speed * speed});
    return Vector(null_space.transpose() * b);
  };
  const Vector middle = violated(0.0);
  const Vector ahead = violated(1.0);
  const Vector behind = violated(-1.0);
  if (!(middle.cwiseAbs().maxCoeff() > on_branch * scale)) return {motion.v};
  Eigen::Index main = 0;
  (middle.cwiseAbs() + ahead.cwiseAbs() + behind.cwiseAbs()).maxCoeff(&main);
  const double c[3] = {middle[main], 0.5 * (ahead[main] - behind[main]),
                       0.5 * (ahead[main] + behind[main]) - middle[main]};
  std::vector<double> found;
  for (const double x : real_roots(c))
    if (violated(x).cwiseAbs().maxCoeff() <= on_branch * scale) found.push_back(x);
  if (found.empty()) return {motion.v};  // told where the accelerations are asked for
  std::vector<Vector> velocities;
  velocities.reserve(found.size());
  for (const double x : found) velocities.emplace_back(motion.v + x * speed * direction);
  return velocities;
}

}  // namespace raak
