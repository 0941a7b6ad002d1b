#include "kinematics/start/start_positions.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <utility>

#include "base/linear/svd.h"
#include "kinematics/rank/constraint_frame.h"
#include "kinematics/rank/scaled_equations.h"
#include "kinematics/rank/sparse_step.h"
#include "kinematics/start/straight_guess.h"

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

// A search may turn bodies round and round before they close. A turn less is the same pose, unless something counts
// turns, as drivers and gears do. True: an angle has changed.
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
    // What rounding of the many turns has left may be what keeps the pose open.
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
    // A residual that hardly falls any more is that of a pose where it is least.
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
      // Of many coordinates the shortest step takes long: a damping below what it changes leads to the same pose.
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

namespace {

// Newton's method cannot leave a guess whose links lie in one line, and may end in a dead pose from others: poses
// around the guess are tried, further and further away, and the one found nearest to it is taken; where one was found
// as near as the poses tried, none further away is looked for.
PositionSolution solve_around(const ConstrainedSystem& system, const StartRequest& request,
                              const std::vector<int>& trusted, PositionSolution found) {
  constexpr int most_tries = 24, tries_of_a_reach = 6;
  constexpr int most_coordinates = 200;                         // beyond it a try costs too much
  constexpr std::array<double, 4> reaches{0.1, 0.4, 1.0, 2.0};  // rad, or of the size of the mechanism
  if (system.coordinates() > most_coordinates) return found;
  std::minstd_rand random(1);
  std::uniform_real_distribution<double> any(-1.0, 1.0);
  double nearest = std::numeric_limits<double>::infinity();
  double farthest = 0.0;  // of the poses tried from the guess
  for (int i = 0; i < most_tries; ++i) {
    if (i % tries_of_a_reach == 0 && nearest < farthest) break;
    const double reach = reaches[static_cast<std::size_t>(i / tries_of_a_reach)];
    farthest = reach * std::sqrt(static_cast<double>(request.q.size()));
    StartRequest beside = request;
    Vector step(request.q.size());
    for (double& part : step) part = reach * any(random);
    beside.q += request.frames != nullptr ? request.frames->to_coordinates(request.q, std::move(step)) : step;
    for (const int k : trusted) beside.q[k] = request.q[k];
    PositionSolution other = solve_positions(system, beside, trusted, Patience::little);
    // Of poses that leave gaps the one with the least is kept, for what is said of them.
    if (!other.converged && !found.converged && other.gap.norm() < found.gap.norm()) found = other;
    const double way = (other.q - request.q).norm();
    if (!other.converged || !(way < nearest)) continue;
    nearest = way;
    found = std::move(other);
  }
  return found;
}

// The gaps of the guess are closed little by little, g(q) = (1 - s) g(guess), with s from 0 to 1: Newton's method then
// never leaves the joints that are closed, and bends chains the way they are bent (Allgower and Georg, Introduction to
// Numerical Continuation Methods, 1990, chapter 3).
PositionSolution close_by_degrees(const ConstrainedSystem& system, const StartRequest& request,
                                  const std::vector<int>& trusted) {
  constexpr int most_corrections = 8;
  constexpr double first_step = 1.0 / 16.0, shortest_step = 1.0 / 512.0;
  constexpr double close_enough = 1e-6;  // of the gaps at first
  const Eigen::Index m = system.position_rows();
  Vector q = request.q;
  Vector g(m), gap(m);
  Matrix G(system.rows(), system.coordinates());
  system.constraint(request.t, q, gap);
  const double largest = gap.cwiseAbs().maxCoeff();
  double done = 0.0;
  for (double step = first_step; done < 1.0 && step >= shortest_step && std::isfinite(largest);) {
    const double aim = std::min(1.0, done + step);
    Vector next = q;
    bool reached = false;
    for (int i = 0; i < most_corrections && !reached; ++i) {
      system.constraint(request.t, next, g);
      g -= (1.0 - aim) * gap;
      if (!(g.cwiseAbs().maxCoeff() <= 4.0 * largest)) break;
      reached = g.cwiseAbs().maxCoeff() <= close_enough * largest;
      if (reached) break;
      system.jacobian(request.t, next, G);
      next += ScaledEquations(system, request.t, next, G.topRows(m), g, trusted, next, request.q).damped_step(1e-10);
    }
    if (reached) {
      q = next;
      done = aim;
      step *= 1.5;
    } else {
      step *= 0.5;
    }
  }
  StartRequest from = request;
  from.q = q;
  for (const int k : trusted) from.q[k] = request.q[k];
  return solve_positions(system, from, trusted, Patience::little);
}

// The trusted values go from those of the known pose to the ones asked for by small steps, and the pose with them.
PositionSolution follow_from_known(const ConstrainedSystem& system, const StartRequest& request,
                                   const std::vector<int>& trusted) {
  constexpr double longest_step = 0.05;  // rad or m
  constexpr double least_steps = 16.0, most_steps = 4000.0;
  double distance = 0.0;
  for (const int k : trusted) distance = std::max(distance, std::abs(request.q[k] - request.known[k]));
  const double steps = std::clamp(std::ceil(distance / longest_step), least_steps, most_steps);
  StartRequest next = request;
  next.q = request.known;
  PositionSolution found = solve_positions(system, next, trusted);
  for (double i = 1.0; i <= steps && found.converged; ++i) {
    next.q = found.q;
    for (const int k : trusted)
      next.q[k] = i == steps ? request.q[k] : request.known[k] + i / steps * (request.q[k] - request.known[k]);
    found = solve_positions(system, next, trusted, Patience::little);
  }
  return found;
}

// The guesses are those of the known pose: nobody has asked for another branch than its own.
bool asks_for_known_branch(const StartRequest& request, const std::vector<int>& trusted) {
  if (request.known.size() != request.q.size()) return false;
  Vector guesses = request.q;
  for (const int k : trusted) guesses[k] = request.known[k];
  return guesses == request.known && request.q != request.known;
}

}  // namespace

namespace {

// The first of the other guesses that leads to a position, or of all poses the one with the least gap.
PositionSolution solve_from_others(const ConstrainedSystem& system, const StartRequest& request,
                                   const std::vector<int>& trusted, PositionSolution found) {
  // Where another guess ends at the same gap, there is no way to close it.
  constexpr double same = 1e-3;
  double last = 0.0;
  for (const Vector& q : request.other_guesses()) {
    StartRequest other = request;
    other.q = q;
    for (const int k : trusted) other.q[k] = request.q[k];
    PositionSolution solution = solve_positions(system, other, trusted, Patience::little);
    if (solution.converged) return solution;
    const double gap = solution.gap.norm();
    if (gap < found.gap.norm()) found = std::move(solution);
    if (std::abs(gap - last) < same * gap) break;
    last = gap;
  }
  return found;
}

}  // namespace

PositionSolution find_positions(const ConstrainedSystem& system, const StartRequest& request,
                                const std::vector<int>& trusted) {
  if (asks_for_known_branch(request, trusted)) {
    PositionSolution followed = follow_from_known(system, request, trusted);
    if (followed.converged) return followed;
  }
  StartRequest bent = request;
  bent.q = bent_from_line(system, request, trusted);
  PositionSolution found = solve_positions(system, bent, trusted);
  if (!found.converged && system.position_rows() > 0) {
    PositionSolution closed = close_by_degrees(system, request, trusted);
    if (closed.converged || closed.gap.norm() < found.gap.norm()) found = std::move(closed);
  }
  if (!found.converged && request.other_guesses) found = solve_from_others(system, request, trusted, std::move(found));
  if (!found.converged && request.look_around) found = solve_around(system, request, trusted, std::move(found));
  return found;
}

}  // namespace raak
