#include "kinematics/rank/quadratic_zeros.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "base/linear/factors.h"
#include "base/linear/svd.h"
#include "kinematics/rank/rank_policy.h"

namespace raak {
namespace {

constexpr double rounding_of_equations = 1e-7;  // of the equations
constexpr double negligible = 1e-10;            // a coefficient, relative to the largest

// c[0] + c[1] x + c[2] x^2 = 0; a double root counts once.
std::vector<double> real_roots(const double (&c)[3]) {
  const double size = std::max({std::abs(c[0]), std::abs(c[1]), std::abs(c[2])});
  if (std::abs(c[2]) <= negligible * size) {
    if (std::abs(c[1]) <= negligible * size) return {};
    return {-c[0] / c[1]};
  }
  const double half = -0.5 * c[1] / c[2];
  const double discriminant = half * half - c[0] / c[2];
  const double blur = negligible * std::max(half * half, std::abs(c[0] / c[2]));
  if (discriminant < -blur) return {};
  if (discriminant <= blur) return {half};
  const double far = half + std::copysign(std::sqrt(discriminant), half);
  return {far, c[0] / c[2] / far};
}

// Of one unknown: the roots of the equation with the largest coefficients that meet the others too.
std::vector<Vector> zeros_of_one(const QuadraticEquations& equations) {
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
    if (are_zero(at(x))) found.push_back(Vector::Constant(1, x));
  return found;
}

// Differences of quadratic functions are their derivatives but for rounding.
Matrix derivatives(const QuadraticEquations& equations, const Vector& z) {
  Matrix J;
  for (Eigen::Index j = 0; j < z.size(); ++j) {
    const Vector one = Vector::Unit(z.size(), j);
    const Vector column = 0.5 * (equations(z + one) - equations(z - one));
    if (J.size() == 0) J.resize(column.size(), z.size());
    J.col(j) = column;
  }
  return J;
}

// The steps of Gauss and Newton, undamped: along a chain of loops each settles the next loop, while others may get
// worse.
Vector approach(const QuadraticEquations& equations, Vector z, int most_steps) {
  constexpr double far = 1e8;
  Vector value = equations(z);
  for (int step = 0; step < most_steps && value.norm() > 1e-14 && z.norm() < far; ++step) {
    z -= derivatives(equations, z).colPivHouseholderQr().solve(value);
    value = equations(z);
  }
  return z;
}

void add(std::vector<Vector>& found, const Vector& z) {
  const bool is_new = std::none_of(found.begin(), found.end(), [&](const Vector& other) {
    return (other - z).cwiseAbs().maxCoeff() < 1e-3 * (1.0 + z.cwiseAbs().maxCoeff());
  });
  if (is_new) found.push_back(z);
}

std::vector<Vector> zeros_from_several_places(const QuadraticEquations& equations, Eigen::Index unknowns) {
  constexpr int starts = 8;
  constexpr int most_steps = 80;
  std::vector<Vector> found;
  std::mt19937 random(1);  // NOLINT: the same places each time
  std::uniform_real_distribution<double> share(-2.0, 2.0);
  for (int start = 0; start < starts; ++start) {
    Vector z = Vector::Zero(unknowns);
    if (start > 0)
      for (double& entry : z) entry = share(random);
    z = approach(equations, z, most_steps);
    if (are_zero(equations(z))) add(found, z);
  }
  return found;
}

// constant + linear z + z' curvature z for each equation.
struct Coefficients {
  Vector constant;
  Matrix linear;                  // a row for each equation
  std::vector<Matrix> curvature;  // a symmetric matrix for each
};

Coefficients coefficients(const QuadraticEquations& equations, Eigen::Index n) {
  Coefficients c;
  c.constant = equations(Vector::Zero(n));
  c.linear.resize(c.constant.size(), n);
  c.curvature.assign(static_cast<std::size_t>(c.constant.size()), Matrix::Zero(n, n));
  Matrix ahead(c.constant.size(), n);
  const auto set = [&](Eigen::Index i, Eigen::Index j, const Vector& values) {
    for (std::size_t k = 0; k < c.curvature.size(); ++k)
      c.curvature[k](i, j) = c.curvature[k](j, i) = values[static_cast<Eigen::Index>(k)];
  };
  for (Eigen::Index i = 0; i < n; ++i) {
    ahead.col(i) = equations(Vector::Unit(n, i));
    const Vector behind = equations(-Vector::Unit(n, i));
    c.linear.col(i) = 0.5 * (ahead.col(i) - behind);
    set(i, i, 0.5 * (ahead.col(i) + behind) - c.constant);
    for (Eigen::Index j = 0; j < i; ++j)
      set(i, j, 0.5 * (equations(Vector::Unit(n, i) + Vector::Unit(n, j)) - ahead.col(i) - ahead.col(j) + c.constant));
  }
  return c;
}

Vector values_at(const Coefficients& c, const Vector& z) {
  Vector values = c.constant + c.linear * z;
  for (Eigen::Index k = 0; k < values.size(); ++k) values[k] += z.dot(c.curvature[static_cast<std::size_t>(k)] * z);
  return values;
}

Matrix slopes_at(const Coefficients& c, const Vector& z) {
  Matrix slopes = c.linear;
  for (Eigen::Index k = 0; k < slopes.rows(); ++k)
    slopes.row(k) += 2.0 * (c.curvature[static_cast<std::size_t>(k)] * z).transpose();
  return slopes;
}

// The combinations of the equations that have no quadratic terms along the directions, as columns.
Matrix linear_combinations(const Coefficients& c, const Matrix& directions) {
  const Eigen::Index n = directions.cols();
  const Eigen::Index count = c.constant.size();
  Matrix terms(std::max(n * (n + 1) / 2, count), count);  // at least as many rows, for a triangle of all columns
  terms.setZero();
  for (Eigen::Index k = 0; k < count; ++k) {
    const Matrix A = directions.transpose() * c.curvature[static_cast<std::size_t>(k)] * directions;
    Eigen::Index row = 0;
    for (Eigen::Index i = 0; i < n; ++i)
      for (Eigen::Index j = 0; j <= i; ++j) terms(row++, k) = A(i, j);
  }
  const Svd svd(triangle_of(terms));
  const Vector& sigma = svd.singular_values();
  const Eigen::Index rank = std::count_if(sigma.begin(), sigma.end(), [](double s) { return s > RankPolicy::weak; });
  return svd.right_vectors().rightCols(count - rank);
}

// z = at + directions u is what linear combinations of the equations leave open. Along a chain of loops, where the rate
// of one crank is known, each step settles the next one: the equation (z' - z) z = 0 is linear in z' once z is known.
struct Remainder {
  Vector at;
  Matrix directions;
  bool is_empty = false;  // the equations contradict each other
};

// Each step also corrects what the steps before it have settled: over fifty loops errors would grow to 1e-7.
Remainder after_linear_steps(const QuadraticEquations& equations, Eigen::Index n) {
  constexpr double contradiction = 1e-4;
  const Coefficients c = coefficients(equations, n);
  Remainder rest{Vector::Zero(n), Matrix::Identity(n, n), false};
  while (rest.directions.cols() > 0) {
    const Matrix combined = linear_combinations(c, rest.directions);
    if (combined.cols() == 0) break;
    const Matrix slopes = combined.transpose() * slopes_at(c, rest.at);
    const Vector values = combined.transpose() * values_at(c, rest.at);
    const Svd svd(slopes);
    const Vector& sigma = svd.singular_values();
    const Eigen::Index rank = std::count_if(sigma.begin(), sigma.end(), [](double s) { return s > RankPolicy::weak; });
    const Vector shares = svd.left_vectors().leftCols(rank).transpose() * values;
    const Vector step = -svd.right_vectors().leftCols(rank) * shares.cwiseQuotient(sigma.head(rank));
    rest.is_empty = (values + slopes * step).norm() > contradiction * (1.0 + rest.at.squaredNorm());
    if (rank <= n - rest.directions.cols() || rest.is_empty) break;
    rest.at += step;
    rest.directions = svd.right_vectors().rightCols(n - rank);
  }
  return rest;
}

}  // namespace

bool are_zero(const Vector& values) {
  return values.cwiseAbs().maxCoeff() <= rounding_of_equations;
}

std::vector<Vector> quadratic_zeros(const QuadraticEquations& equations, Eigen::Index unknowns) {
  const Remainder rest = after_linear_steps(equations, unknowns);
  if (rest.is_empty) return {};
  const Eigen::Index left = rest.directions.cols();
  const QuadraticEquations of_rest = [&](const Vector& u) { return equations(rest.at + rest.directions * u); };
  std::vector<Vector> ends{Vector::Zero(0)};
  if (left > 0) ends = left == 1 ? zeros_of_one(of_rest) : zeros_from_several_places(of_rest, left);
  constexpr int polish = 3;
  std::vector<Vector> found;
  for (const Vector& u : ends) {
    const Vector z = approach(equations, rest.at + rest.directions * u, polish);
    if (are_zero(equations(z))) add(found, z);
  }
  if (found.size() != 1 || left == 1) return found;
  Eigen::ColPivHouseholderQR<Matrix> slopes(derivatives(equations, found[0]));
  slopes.setThreshold(RankPolicy::weak);
  if (slopes.rank() < unknowns) found.clear();
  return found;
}

}  // namespace raak
