// Where positions are sought from when Newton's method does not find them from the guess.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <utility>

#include "kinematics/rank/scaled_equations.h"
#include "kinematics/start/start_positions.h"
#include "kinematics/start/straight_guess.h"

namespace raak {
namespace {

// Of two that leave gaps; the best may be none yet.
bool is_closer(const PositionSolution& found, const PositionSolution& best) {
  return found.q.size() > 0 && (best.q.size() == 0 || found.gap.norm() < best.gap.norm());
}

// Newton's method cannot leave a guess whose links lie in one line, and may end in a dead configuration from others:
// configurations around the guess are tried, further and further away, and the one found nearest to it is taken; where
// one was found as near as the configurations tried, none further away is looked for.
PositionSolution solve_around(const ConstrainedSystem& system, const StartRequest& request,
                              const std::vector<int>& trusted) {
  constexpr int most_tries = 24, tries_of_a_reach = 6;
  constexpr int most_coordinates = 200;                         // beyond it a try costs too much
  constexpr std::array<double, 4> reaches{0.1, 0.4, 1.0, 2.0};  // rad, or of the size of the mechanism
  if (system.coordinates() > most_coordinates) return {};
  PositionSolution found;
  std::minstd_rand random(1);
  std::uniform_real_distribution<double> any(-1.0, 1.0);
  double nearest = std::numeric_limits<double>::infinity();
  double farthest = 0.0;  // of the configurations tried from the guess
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
    const double way = (other.q - request.q).norm();
    if (!found.converged && is_closer(other, found)) found = other;
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

// The trusted values go from those of the known configuration to the ones asked for by small steps, and the
// configuration with them.
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
  return found.converged ? found : PositionSolution{};  // another branch may close: its gaps say nothing
}

// The guesses are those of the known configuration: nobody has asked for another branch than its own.
bool asks_for_known_branch(const StartRequest& request, const std::vector<int>& trusted) {
  if (request.known.size() != request.q.size()) return false;
  Vector guesses = request.q;
  for (const int k : trusted) guesses[k] = request.known[k];
  return guesses == request.known && request.q != request.known;
}

// The first of the other guesses that leads to a position, or of all configurations the one with the least gap.
PositionSolution solve_from_others(const ConstrainedSystem& system, const StartRequest& request,
                                   const std::vector<int>& trusted) {
  // Where another guess ends at the same gap, there is no way to close it.
  constexpr double same = 1e-3;
  PositionSolution found;
  double last = 0.0;
  for (const Vector& q : request.other_guesses()) {
    StartRequest other = request;
    other.q = q;
    for (const int k : trusted) other.q[k] = request.q[k];
    PositionSolution solution = solve_positions(system, other, trusted, Patience::little);
    if (solution.converged) return solution;
    const double gap = solution.gap.norm();
    if (is_closer(solution, found)) found = std::move(solution);
    if (std::abs(gap - last) < same * gap) break;
    last = gap;
  }
  return found;
}

}  // namespace

PositionSolution first_to_close(const std::vector<PositionStrategy>& strategies) {
  PositionSolution best;
  for (const PositionStrategy& strategy : strategies) {
    if (!strategy.applies) continue;
    PositionSolution found = strategy.search();
    if (found.converged) return found;
    if (is_closer(found, best)) best = std::move(found);
  }
  return best;
}

PositionSolution find_positions(const ConstrainedSystem& system, const StartRequest& request,
                                const std::vector<int>& trusted) {
  const auto from_guess = [&] {
    StartRequest bent = request;
    bent.q = guess_off_line(system, request, trusted);
    return solve_positions(system, bent, trusted);
  };
  return first_to_close({
      {"along the branch of a known configuration", asks_for_known_branch(request, trusted),
       [&] { return follow_from_known(system, request, trusted); }},
      {"from the guess", true, from_guess},
      {"by closing gaps little by little", system.position_rows() > 0,
       [&] { return close_by_degrees(system, request, trusted); }},
      {"from other guesses", static_cast<bool>(request.other_guesses),
       [&] { return solve_from_others(system, request, trusted); }},
      {"around the guess", request.look_around, [&] { return solve_around(system, request, trusted); }},
  });
}

}  // namespace raak
