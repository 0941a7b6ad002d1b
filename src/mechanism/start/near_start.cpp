#include "mechanism/start/near_start.h"

#include <algorithm>
#include <cmath>

#include "base/linear/factors.h"
#include "kinematics/rank/constraint_frame.h"

namespace raak {
namespace {

constexpr double contraction = 0.1;    // of each step against the one before it; 1/4 would do for convergence
constexpr double longest_step = 0.25;  // rad, or of the length of the mechanism
constexpr double rounding = 1e-16;
constexpr double last_step = 1e-12;  // after it, rounding decides on the next one
constexpr int most_steps = 12;

// Those of the system that are not trusted; none where a trusted one is no angle of the system.
std::optional<std::vector<int>> untrusted(const ConstrainedSystem& system, const std::vector<std::string>& names,
                                          const std::vector<std::string>& units, const std::vector<int>& tree,
                                          const std::vector<std::string>& trusted) {
  std::vector<char> holds(static_cast<std::size_t>(system.coordinates()), 0);
  for (const std::string& name : trusted) {
    const auto of_bodies = static_cast<int>(std::find(names.begin(), names.end(), name) - names.begin());
    if (of_bodies == static_cast<int>(names.size()) || !units[static_cast<std::size_t>(of_bodies)].starts_with("rad"))
      return std::nullopt;
    const auto kept = std::find(tree.begin(), tree.end(), of_bodies);
    if (!tree.empty() && kept == tree.end()) return std::nullopt;
    holds[static_cast<std::size_t>(tree.empty() ? of_bodies : kept - tree.begin())] = 1;
  }
  std::vector<int> free;
  for (int i = 0; i < system.coordinates(); ++i)
    if (holds[static_cast<std::size_t>(i)] == 0) free.push_back(i);
  return free;
}

// The columns of the coordinates that may change, rows and columns in the scales of the mechanism.
Matrix scaled_columns(const ConstrainedSystem& system, const State& state, const std::vector<int>& free) {
  return ConstraintFrame::scaled_rows(system, state.t, state.q)(Eigen::all, free);
}

}  // namespace

NearStart::NearStart(const ConstrainedSystem& system, const ReportedNames& names, const std::vector<int>& tree,
                     const StartRequest& start)
    : tree_(tree), is_trusted_rate_(names.velocities.size(), 0) {
  if (system.velocity_rows() > 0 || !system.has_dense_matrices() || !start.correct_positions) return;
  const auto free = untrusted(system, names.positions, names.position_units, tree, start.trusted_positions);
  const auto rates = untrusted(system, names.velocities, names.velocity_units, tree, start.trusted_velocities);
  if (!free || !rates) return;
  free_ = *free;
  free_rates_ = *rates;
  const auto rows = static_cast<std::size_t>(system.rows());
  fits_ = free_.size() == rows;
  rates_fit_ = free_rates_.size() == rows;
  for (std::size_t i = 0; i < names.velocities.size(); ++i)
    is_trusted_rate_[i] =
        std::count(start.trusted_velocities.begin(), start.trusted_velocities.end(), names.velocities[i]) > 0;
}

std::optional<State> NearStart::find(const ConstrainedSystem& system, const State& guess,
                                     const StartRequest& start) const {
  if (!fits_) return std::nullopt;
  // Rates that are guessed hold where they can: with rows for them that may be too many.
  for (std::size_t i = 0; i < is_trusted_rate_.size(); ++i)
    if (is_trusted_rate_[i] == 0 && start.v[static_cast<Eigen::Index>(i)] != 0.0) return std::nullopt;
  State state = State::of_size(system.coordinates(), system.rows());
  state.t = guess.t;
  state.q = tree_.empty() ? guess.q : Vector(guess.q(tree_));
  state.v = tree_.empty() ? guess.v : Vector(guess.v(tree_));
  if (!find_positions(system, state) || !find_velocities(system, state)) return std::nullopt;
  return state;
}

bool NearStart::find_positions(const ConstrainedSystem& system, State& state) const {
  if (free_.empty()) return true;
  const Vector scales = system.coordinate_scales()(free_), row_scales = system.row_scales();
  Vector g(system.rows());
  double last = longest_step / contraction;
  for (int i = 0; i < most_steps; ++i) {
    system.constraint(state.t, state.q, g);
    const Matrix A = scaled_columns(system, state, free_);
    if (i == 0 && !ConstraintFrame(A).is_regular()) return false;
    const Vector step = solve_square(A, g.cwiseQuotient(row_scales));
    const double size = step.cwiseAbs().maxCoeff();
    if (!(size <= contraction * last)) return false;
    state.q(free_) -= step.cwiseProduct(scales);
    // Steps fall as squares do: the next one would be c size^2, and this one was c last^2.
    if (size <= last_step || (i > 0 && size * size * (size / (last * last)) <= rounding)) return true;
    last = size;
  }
  return false;
}

bool NearStart::find_velocities(const ConstrainedSystem& system, State& state) const {
  if (system.rows() == 0) return rates_fit_ || state.v.isZero(0.0);
  const Vector scales = system.coordinate_scales()(free_rates_);
  Vector c(system.rows());
  if (!rates_fit_ && !state.v.isZero(0.0)) return false;
  state.v(free_rates_).setZero();
  system.velocity_constraint(state.t, state.q, state.v, c);
  const Matrix A = scaled_columns(system, state, rates_fit_ ? free_rates_ : free_);
  if (!ConstraintFrame(A).is_regular()) return false;
  if (c.isZero(0.0)) return true;
  if (!rates_fit_) return false;
  const Eigen::PartialPivLU<Matrix> lu(A);
  for (int pass = 0; pass < 2; ++pass) {  // the second removes the rounding of the first
    state.v(free_rates_) -= lu.solve(c.cwiseQuotient(system.row_scales())).cwiseProduct(scales);
    system.velocity_constraint(state.t, state.q, state.v, c);
  }
  return state.v.allFinite();
}

}  // namespace raak
