#include "kinematics/start/start_positions.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "base/linear/svd.h"
#include "kinematics/rank/constraint_frame.h"
#include "kinematics/rank/scaled_equations.h"
#include "kinematics/rank/sparse_step.h"

namespace raak {
namespace {

constexpr double closed_but_for_rounding =
    1e-15;  // relative residual that is left alone: correcting it may lead astray
constexpr int max_iterations = 100;

}  // namespace

std::vector<std::string> moving_coordinates(const ConstrainedSystem& system, const Svd& svd, Eigen::Index rank,
                                            const Vector& column) {
  std::vector<std::string> names;
  const Matrix& V = svd.right_vectors();
  Vector reach = Vector::Zero(V.rows());
  for (Eigen::Index k = rank; k < V.cols(); ++k) reach = reach.cwiseMax((column.asDiagonal() * V.col(k)).cwiseAbs());
  for (Eigen::Index j = 0; j < reach.size(); ++j)
    if (reach[j] > 1e-6 * reach.maxCoeff())
      names.push_back(system.description().coordinates[static_cast<std::size_t>(j)]);
  return names;
}

namespace {

// A search may turn bodies round and round before they close. A turn less is the same configuration, unless something
// counts turns, as drivers and gears do. True: an angle has changed.
bool take_nearest_turns(const ConstrainedSystem& system, const StartRequest& request, Vector& q) {
  constexpr double no_worse = 2.0;
  constexpr double turn = 2.0 * std::numbers::pi;
  const std::vector<std::string>& units = system.description().units;
  Vector g(system.position_rows());
  const auto gap_at = [&](const Vector& at) {
    system.constraint(request.t, at, g);
    return g.size() > 0 ? g.cwiseAbs().maxCoeff() : 0.0;
  };
  bool changed = false;
  for (std::size_t i = 0; i < units.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    const double turns = std::round((q[k] - request.q[k]) / turn);
    if (units[i] != "rad" || turns == 0.0 || !std::isfinite(turns)) continue;
    // What rounding of the many turns has left may be what keeps the configuration open.
    const double allowed = no_worse * gap_at(q) + closed_but_for_rounding * (1.0 + std::abs(q[k]));
    Vector nearer = q;
    nearer[k] -= turns * turn;
    if (!(gap_at(nearer) <= allowed)) continue;
    q = nearer;
    changed = true;
  }
  return changed;
}

}  // namespace

// Step 2: Newton-Raphson on [Phi_q; B_v], each step shortened until the residual falls.
PositionSolution solve_positions(const ConstrainedSystem& system, const StartRequest& request,
                                 const std::vector<int>& trusted, Patience patient) {
  const Eigen::Index n = system.coordinates();
  const Eigen::Index m = system.position_rows();
  Vector q = request.q;
  Vector g(m);
  Matrix G(system.rows(), n);
  const auto equations_at = [&](const Vector& at) {
    system.constraint(request.t, at, g);
    system.jacobian(request.t, at, G);
    return ScaledEquations(system, request.t, at, G.topRows(m), g, trusted, at, request.q);
  };
  ScaledEquations equations = equations_at(q);
  Vector gaps = g;
  const auto iterate = [&] {
    // A residual that hardly falls any more is that of a configuration where it is least.
    constexpr int look_every = 20;
    constexpr double still_falling = 0.9;
    double last_look = std::numeric_limits<double>::infinity();
    double mu = 0.0;
    for (int iteration = 0; iteration < max_iterations; ++iteration) {
      const double before = equations.residual.norm();
      const bool is_closed = request.bounds.are_closed(q, gaps);
      if (is_closed && before <= closed_but_for_rounding * std::max(1.0, q.cwiseQuotient(equations.column).norm()))
        break;
      if (patient == Patience::little && iteration % look_every == 0) {
        if (before > still_falling * last_look && before > closed_residual) break;
        last_look = before;
      }
      // Of many coordinates the shortest step takes long: a damping below what it changes leads to the same
      // configuration.
      const double damping = mu > 0.0 || n <= many_unknowns ? mu : 1e-11;
      const Vector candidate = q + (damping > 0.0 ? equations.damped_step(damping) : equations.step());
      ScaledEquations next = equations_at(candidate);
      const bool better = next.residual.allFinite() && next.residual.norm() < before;
      if (better) {
        q = candidate;
        gaps = g;
        equations = std::move(next);
        mu = mu > 1e-12 ? mu * 0.1 : 0.0;
      } else {
        const double length = std::max(1.0, q.cwiseQuotient(equations.column).norm());
        if (before <= 1e-15 * length || mu > 1e8) break;  // rounding level, or no direction leads down
        mu = mu > 0.0 ? mu * 10.0 : 1e-6;
        if (before < closed_residual && mu > 1e-4) break;
      }
    }
  };
  iterate();
  if (take_nearest_turns(system, request, q)) {
    equations = equations_at(q);
    gaps = g;
    iterate();
  }
  PositionSolution solution;
  const double length = std::max(1e-3, q.cwiseQuotient(equations.column).cwiseAbs().maxCoeff());
  solution.q = q;
  // Angles that run away would make any gap small beside them.
  constexpr double farthest = 1e6;
  solution.converged =
      equations.residual.cwiseAbs().maxCoeff() <= closed_residual * std::clamp(length, 1.0, farthest) &&
      request.bounds.are_near(q) && request.bounds.are_closed(q, gaps);
  if (request.allow_free) {
    solution.rank = static_cast<int>(ConstraintFrame(equations.A).rank(RankPolicy::zero));
  } else {
    const Svd svd(equations.A);
    const Eigen::Index rank = svd.rank(RankPolicy::zero);
    solution.rank = static_cast<int>(rank);
    if (rank < n) solution.free = moving_coordinates(system, svd, rank, equations.column);
  }
  solution.gap = gaps.cwiseAbs();
  return solution;
}

}  // namespace raak
