#include "run/warnings/fastest_mode.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/linear/eigenvalues.h"
#include "base/linear/factors.h"
#include "base/sort_stably.h"
#include "base/text/text.h"
#include "kinematics/rank/constraint_frame.h"
#include "run/diagnosis/backward_damping.h"
#include "run/watches/uniform_growth.h"
#include "system/energy_accounts.h"

namespace raak {
namespace {

constexpr Eigen::Index most_coordinates = 600, most_freedoms = 120;  // beyond these it takes seconds
constexpr double share_worth_naming = 0.1;                           // of the largest share
constexpr std::size_t most_names = 4, most_shares = 12;

// Orthonormal columns of what the first `rows` rows of G allow.
Matrix allowed_directions(const Matrix& G, Eigen::Index rows) {
  const ConstraintFrame frame(G.topRows(rows));
  return frame.motions(frame.rank(RankPolicy::zero));
}

// The parts worth a name.
FastestMode::Shares shares_of(FastestMode::Shares parts) {
  double sum = 0.0, largest = 0.0;
  for (const auto& [name, part] : parts) {
    sum += part;
    largest = std::max(largest, part);
  }
  std::erase_if(parts, [&](const auto& part) { return !(part.second > share_worth_naming * largest); });
  sort_stably(parts, [](const auto& a, const auto& b) { return a.second > b.second; });
  if (parts.size() > most_shares) parts.resize(most_shares);
  for (auto& [name, part] : parts) part /= sum;
  return parts;
}

// How much each spring stores and each damper takes of the mode: second differences of its energy along the shape x,
// and of its power. Its largest part is 1 in scales of the coordinates. `speed` makes both a rate of the mode: a spring
// works at the rate at which the mode swings.
FastestMode::Shares force_shares(const ConstrainedSystem& system, const State& at, const Vector& x, double speed) {
  const EnergyAccounts* const accounts = system.energy_accounts();
  if (accounts == nullptr) return {};
  FastestMode::Shares parts;
  const auto curvature = [&](const std::vector<EnergyAccount>& list, double reach, double factor, auto&& evaluate) {
    Vector before, now, after;
    evaluate(-reach, before);
    evaluate(0.0, now);
    evaluate(reach, after);
    for (std::size_t i = 0; i < list.size(); ++i) {
      const auto k = static_cast<Eigen::Index>(i);
      const double part = factor * std::abs(after[k] - 2.0 * now[k] + before[k]) / (reach * reach);
      if (!std::isfinite(part) || part == 0.0 || list[i].kind == EnergyAccount::Kind::driver) continue;
      const auto same =
          std::find_if(parts.begin(), parts.end(), [&](const auto& p) { return p.first == list[i].name; });
      if (same != parts.end()) same->second += part;  // a spring with a damper in it
      else parts.emplace_back(list[i].name, part);
    }
  };
  const Vector& scales = system.coordinate_scales();
  const double q_reach = 1e-4 * (1.0 + at.q.cwiseQuotient(scales).cwiseAbs().maxCoeff());
  const double v_reach = std::max(at.v.cwiseQuotient(scales).cwiseAbs().maxCoeff(), q_reach * speed);
  curvature(accounts->potentials(), q_reach, 1.0 / speed,
            [&](double reach, Vector& energies) { accounts->potential_energies(at.t, at.q + reach * x, energies); });
  if (!accounts->works().empty() && !accounts->work_in_closed_form()) {
    curvature(accounts->works(), v_reach, 1.0, [&](double reach, Vector& rates) {
      State moved = at;
      moved.v += reach * x;
      accounts->work_rates(moved, rates);
    });
  }
  return shares_of(std::move(parts));
}

std::string quoted(const FastestMode::Shares& shares) {
  std::vector<std::string> names;
  for (const auto& [name, share] : shares)
    if (names.size() < most_names) names.push_back(fmt::format("\"{}\"", name));
  const std::size_t more = shares.size() - names.size();
  return join(names) + (more > 0 ? fmt::format(" and {} more", more) : "");
}

// [y; w]' = A [y; w], in scales of the coordinates.
struct LinearMotion {
  Matrix A, M, P, N;
  State at;
};

std::optional<LinearMotion> linearize(const ConstrainedSystem& system, const State& state) {
  const Eigen::Index n = system.coordinates();
  if (n > most_coordinates || !system.has_dense_matrices()) return std::nullopt;
  Matrix M(n, n), f_q(n, n), f_v(n, n), K(n, n), G(system.rows(), n);
  State at = state;
  if (!at.lambda.allFinite()) at.lambda.setZero();  // in a singular configuration they are unknown
  system.mass(at.t, at.q, M);
  system.force_derivatives(at.t, at.q, at.v, f_q, f_v);
  system.inertia_stiffness(at, K);
  if (system.rows() > 0) system.jacobian(at.t, at.q, G);
  if (!M.allFinite() || !f_q.allFinite() || !f_v.allFinite() || !K.allFinite() || !G.allFinite()) return std::nullopt;
  // In scales of coordinates and rows, so that a rank does not depend on the size of the mechanism.
  const Vector& scales = system.coordinate_scales();
  for (Matrix* const matrix : {&M, &f_q, &f_v, &K})
    *matrix = (scales.asDiagonal() * *matrix * scales.asDiagonal()).eval();
  G = (system.row_scales().cwiseInverse().asDiagonal() * G * scales.asDiagonal()).eval();
  const Matrix P = allowed_directions(G, system.position_rows());
  const Matrix N = system.velocity_rows() == 0 ? P : allowed_directions(G, system.rows());
  const Eigen::Index y = P.cols(), w = N.cols();
  if (w == 0 || w > most_freedoms) return std::nullopt;
  const Eigen::LLT<Matrix> reduced_mass(Matrix(Matrix(N.transpose() * M) * N));
  if (reduced_mass.info() != Eigen::Success) return std::nullopt;
  Matrix A = Matrix::Zero(y + w, y + w);
  A.topRightCorner(y, w) = P.transpose() * N;
  const Matrix stiffness = N.transpose() * Matrix(f_q - K), damping = N.transpose() * f_v;
  A.bottomLeftCorner(w, y) = reduced_mass.solve(Matrix(stiffness * P));
  A.bottomRightCorner(w, w) = reduced_mass.solve(Matrix(damping * N));
  return LinearMotion{std::move(A), std::move(M), P, N, std::move(at)};
}

// The mode whose eigenvalue has the largest size.
FastestMode leading_mode(const ConstrainedSystem& system, const State& state,
                         double (*size)(const std::complex<double>& value)) {
  FastestMode found;
  found.t = state.t;
  const std::optional<LinearMotion> motion = linearize(system, state);
  if (!motion) return found;
  const auto& [A, M, P, N, at] = *motion;
  const Eigen::Index n = system.coordinates(), w = N.cols();
  const Eigen::EigenSolver<Matrix> modes(A);
  if (modes.info() != Eigen::Success) return found;
  Eigen::Index fastest = 0;
  for (Eigen::Index i = 1; i < modes.eigenvalues().size(); ++i)
    if (size(modes.eigenvalues()[i]) > size(modes.eigenvalues()[fastest])) fastest = i;
  const std::complex<double> value = modes.eigenvalues()[fastest];
  found.decay = -value.real();
  found.frequency = std::abs(value.imag());
  if (!(found.speed() > 0.0)) return found;
  const Eigen::VectorXcd mode = modes.eigenvectors().col(fastest).tail(w);
  const Vector real = N * Vector(mode.real()), imaginary = N * Vector(mode.imag());
  const Vector momenta = (M * real).cwiseAbs2() + (M * imaginary).cwiseAbs2();
  FastestMode::Shares parts;
  for (Eigen::Index i = 0; i < n; ++i)
    parts.emplace_back(system.description().coordinates[static_cast<std::size_t>(i)],
                       std::hypot(real[i], imaginary[i]) * std::sqrt(momenta[i]));
  found.coordinates = shares_of(std::move(parts));
  const Vector& shape = real.norm() >= imaginary.norm() ? real : imaginary;
  if (shape.norm() > 0.0)
    found.forces = force_shares(
        system, at, system.coordinate_scales().cwiseProduct(shape) / shape.cwiseAbs().maxCoeff(), found.speed());
  return found;
}

}  // namespace

double FastestMode::speed() const {
  return std::hypot(decay, frequency);
}

FastestMode fastest_mode(const ConstrainedSystem& system, const State& state) {
  return leading_mode(system, state, [](const std::complex<double>& value) { return std::abs(value); });
}

FastestMode most_damped_mode(const ConstrainedSystem& system, const State& state) {
  return leading_mode(system, state, [](const std::complex<double>& value) { return -value.real(); });
}

FastestMode growing_mode(const ConstrainedSystem& system, const State& state, double direction) {
  if (direction < 0.0) return most_damped_mode(system, state);
  return leading_mode(system, state, [](const std::complex<double>& value) { return value.real(); });
}

std::optional<double> growth_rate(const ConstrainedSystem& system, const State& state, double direction) {
  constexpr double rounding = 1e-7;  // a double eigenvalue 0, of what may drift, is off by the root of it
  const std::optional<LinearMotion> motion = linearize(system, state);
  if (!motion) return std::nullopt;
  const Eigen::EigenSolver<Matrix> modes(motion->A, false);
  if (modes.info() != Eigen::Success) return std::nullopt;
  const double rate = (std::copysign(1.0, direction) * modes.eigenvalues().real()).maxCoeff();
  return rate > rounding * modes.eigenvalues().cwiseAbs().maxCoeff() ? rate : 0.0;
}

// z' = A z + z'(0) with z(0) = 0: along each mode z'(0) (exp(c s) - 1)/c, where c is its eigenvalue.
std::optional<LinearGrowth> linear_growth(const ConstrainedSystem& system, const State& state, double span) {
  constexpr double rounding = std::numeric_limits<double>::epsilon();
  constexpr double most_alike = 1e8;  // condition of the modes, beyond which their parts say nothing
  const std::optional<LinearMotion> motion = linearize(system, state);
  if (!motion || !state.a.allFinite()) return std::nullopt;
  const Eigen::EigenSolver<Matrix> modes(motion->A);
  if (modes.info() != Eigen::Success) return std::nullopt;
  const Eigen::Index y = motion->P.cols(), w = motion->N.cols();
  const Vector& scales = system.coordinate_scales();
  const Vector q = state.q.cwiseQuotient(scales), v = state.v.cwiseQuotient(scales), a = state.a.cwiseQuotient(scales);
  Vector change(y + w), errors(y + w);
  change << motion->P.transpose() * v, motion->N.transpose() * a;
  const double position = 1.0 + q.cwiseAbs().maxCoeff(), velocity = v.cwiseAbs().maxCoeff();
  errors << Vector::Constant(y, rounding * position), Vector::Constant(w, rounding * velocity);
  const Eigen::MatrixXcd basis = modes.eigenvectors(), inverse = inverse_of(basis);
  const Matrix shares = inverse.cwiseAbs();
  const double condition = basis.cwiseAbs().colwise().sum().maxCoeff() * shares.colwise().sum().maxCoeff();
  if (!(condition < most_alike)) return std::nullopt;
  const Vector real = Matrix(inverse.real()) * change, imaginary = Matrix(inverse.imag()) * change;
  LinearGrowth found{-std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (Eigen::Index i = 0; i < real.size(); ++i) {
    const std::complex<double> rate = modes.eigenvalues()[i];
    // Beyond that what exp(c s) - 1 is beside exp(c s) does not matter.
    const double grown = std::max(0.0, rate.real() * span);
    const double time = std::min(std::abs(span), 1.0 / (std::abs(rate) + 1e-300));
    found.motion = std::max(found.motion, std::log(std::hypot(real[i], imaginary[i]) * time + 1e-300) + grown);
    found.errors = std::max(found.errors, std::log(shares.row(i).dot(errors) + 1e-300) + grown);
  }
  return found;
}

std::string text_of(const FastestMode& mode) {
  const std::string what = mode.decays()  ? fmt::format("a mode that dies out at {:.1e} 1/s", mode.decay)
                           : mode.grows() ? fmt::format("a mode that grows at {:.1e} 1/s", -mode.decay)
                                          : fmt::format("a vibration of {:.1e} rad/s", mode.frequency);
  std::string text = fmt::format("{}, carried by {}", what, quoted(mode.coordinates));
  if (!mode.forces.empty())
    text += fmt::format(" and the force{} {}", mode.forces.size() == 1 ? "" : "s", quoted(mode.forces));
  return text;
}

}  // namespace raak
