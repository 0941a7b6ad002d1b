#include "study/modes/static_equilibrium.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/error.h"
#include "kinematics/slow/free_vibrations.h"

namespace raak {
namespace {

constexpr int most_steps = 600, most_tries = 40;
constexpr double balanced = 1e-13;       // of the forces that act, as accelerations
constexpr double settled_step = 1e-14;   // in scales of the coordinates
constexpr double nearly_settled = 1e-3;  // steps of Newton's method from here on
constexpr double nearly = 1e-9;          // where rounding keeps steps from becoming smaller
constexpr double rotation_step = 0.4;    // rad
constexpr double length_step = 0.3;      // of the extent of the mechanism
constexpr double overshoot = -0.5;       // of the work at the beginning of a step
constexpr double longest = 1e30;         // s^2, of tau
constexpr double lost = 1e4;             // steps of the largest size away

// What each coordinate may move in a step, in its scale.
Vector step_limits(const ConstrainedSystem& system, const Vector& q) {
  const auto& units = system.description().units;
  double extent = system.description().length;
  for (std::size_t i = 0; i < units.size(); ++i)
    if (units[i] == "m") extent = std::max(extent, std::abs(q[static_cast<Eigen::Index>(i)]));
  Vector limits(q.size());
  for (Eigen::Index i = 0; i < q.size(); ++i) {
    const bool length = !units.empty() && units[static_cast<std::size_t>(i)] == "m";
    limits[i] = (length ? length_step * extent : rotation_step) / system.coordinate_scales()[i];
  }
  return limits;
}

// Brings q to g = 0 by Newton's method; false where it does not come there. Rotations weigh more than lengths: bodies
// that hang on each other then follow their rotations, however long their row is.
class Closing {
 public:
  Closing(const ConstrainedSystem& system, const Vector& limits) : weights_(limits.size(), limits.size()) {
    constexpr double of_lengths = 1e-6;
    const auto& units = system.description().units;
    std::vector<Eigen::Triplet<double>> entries;
    for (int i = 0; i < limits.size(); ++i) {
      const bool length = !units.empty() && units[static_cast<std::size_t>(i)] == "m";
      entries.emplace_back(i, i, (length ? of_lengths : 1.0) / (limits[i] * limits[i]));
    }
    weights_.setFromTriplets(entries.begin(), entries.end());
  }

  // Leaves the terms of the equations at the q that it found.
  bool close(RestEquations& equations, Vector& q) {
    constexpr int corrections = 12;
    constexpr double closed = 1e-13, nearly_closed = 1e-9;
    double before = std::numeric_limits<double>::infinity();
    for (int i = 0; i < corrections; ++i) {
      if (!equations.read_terms(q)) return false;
      const double gap = equations.gap.size() > 0 ? equations.gap.cwiseAbs().maxCoeff() : 0.0;
      if (gap <= closed || (gap <= nearly_closed && gap > 0.1 * before)) return true;
      before = gap;
      Vector dx, ignored;
      if (!factors_.factor(weights_, equations.G)) return false;
      factors_.solve(Vector::Zero(q.size()), -equations.gap, dx, ignored);
      q += dx.cwiseProduct(equations.scales());
    }
    return false;
  }

 private:
  SparseMatrix weights_;
  SaddleFactors factors_;
};

class Search {
 public:
  Search(RestEquations& equations, const Vector& start)
      : equations_(equations),
        start_(start),
        limits_(step_limits(equations.system(), start)),
        closing_(equations.system(), limits_) {
    result_.q = start;
  }

  EquilibriumSearch run(const std::atomic<bool>* stop) {
    if (!closing_.close(equations_, result_.q)) result_.q = start_;
    if (!equations_.evaluate(result_.q)) return fail(true);
    first_force_ = equations_.force_size();
    const double fastest = equations_.release.cwiseQuotient(limits_).cwiseAbs().maxCoeff();
    tau_ = fastest > 0.0 ? 0.1 / fastest : 1.0;
    for (result_.steps = 0; result_.steps < most_steps; ++result_.steps) {
      if (stop != nullptr && *stop) throw Error(ErrorKind::interrupted, "stopped while the equilibrium was sought");
      if (last_step_ < nearly_settled || result_.steps == 0) {
        if (!equations_.evaluate(result_.q)) return fail(true);
        if (is_done()) return succeed();
      }
      equations_.linearise(true);
      if (result_.steps == 0) {
        resistance_ = equations_.resistance_to(limits_);
        if (is_at_rest()) return succeed();
      }
      const Outcome outcome = step();
      if (outcome == Outcome::settled) return succeed();
      if (outcome == Outcome::stuck) break;
      const Vector away = (result_.q - start_).cwiseQuotient(equations_.scales()).cwiseQuotient(limits_);
      if (away.cwiseAbs().maxCoeff() > lost) break;
    }
    return last_step_ < nearly ? succeed() : fail(!equations_.evaluate(result_.q));
  }

 private:
  enum class Outcome { taken, settled, stuck };

  bool is_closed() const { return equations_.gap.size() == 0 || equations_.gap.cwiseAbs().maxCoeff() < balanced; }
  bool is_done() const {
    return is_closed() && equations_.release_size() <= balanced * std::max(first_force_, equations_.force_size());
  }
  // In the coordinates of joints all forces are rounding in an equilibrium.
  bool is_at_rest() const {
    return is_closed() && resistance_ > 0.0 && equations_.release_size() <= balanced * resistance_;
  }

  Outcome step() {
    const Vector force = equations_.force, gap = equations_.gap, from = result_.q;
    const SparseMatrix K = equations_.K, G = equations_.G, M = equations_.M;
    for (int tries = 0; tries < most_tries; ++tries, tau_ *= 0.25) {
      Vector dx, multipliers;
      if (!factors_.factor(SparseMatrix(K + (1.0 / tau_) * M), G)) continue;
      factors_.solve(force, -gap, dx, multipliers);
      const double size = dx.cwiseQuotient(limits_).cwiseAbs().maxCoeff(), step_size = dx.cwiseAbs().maxCoeff();
      const double work = force.dot(dx) + multipliers.dot(gap);  // without what closes the gaps
      if (!dx.allFinite() || size > 1.0 || (work < 0.0 && size > nearly)) continue;
      result_.q = from + dx.cwiseProduct(equations_.scales());
      if (!closing_.close(equations_, result_.q)) continue;
      const Vector left = equations_.force - equations_.G.transpose() * multipliers;
      if (left.dot(dx) < overshoot * work && size > nearly) continue;
      equations_.set_multipliers(multipliers);
      const bool falls = step_size < 0.5 * last_step_;
      const bool is_small = step_size < nearly_settled && last_step_ < nearly_settled;
      last_step_ = step_size;
      if (is_small && (step_size <= settled_step || (step_size < nearly && !falls && ++idle_ > 3)))
        return Outcome::settled;
      // As careful as the last refusal teaches.
      const double growth = size > 0.5 ? 1.0 : size > 0.1 ? 2.0 : 10.0;
      tau_ = std::min(tau_ * (tries > 0 ? 1.0 : growth), longest);
      return Outcome::taken;
    }
    result_.q = from;
    return Outcome::stuck;
  }

  // Steps become small in an equilibrium, and where forces grow without bound.
  EquilibriumSearch succeed() {
    constexpr double nearly_balanced = 1e-6, bounded = 1e8;
    if (!equations_.evaluate(result_.q)) return fail(true);
    const double force = equations_.force_size();
    const bool balances = equations_.release_size() <= nearly_balanced * std::max(first_force_, force);
    result_.found = is_at_rest() || (balances && (force <= bounded * first_force_ || first_force_ == 0.0));
    return result_.found ? result_ : fail(false);
  }
  EquilibriumSearch fail(bool singular) {
    result_.singular = singular;
    if (!singular)
      result_.moving = carriers_of(equations_.system(), equations_.t(), equations_.at().q, equations_.at().a);
    return result_;
  }

  RestEquations& equations_;
  Vector start_, limits_;
  Closing closing_;
  SaddleFactors factors_;
  EquilibriumSearch result_;
  double resistance_ = 0.0;  // to a step of the largest size
  double tau_ = 1.0, first_force_ = 0.0, last_step_ = std::numeric_limits<double>::infinity();
  int idle_ = 0;
};

}  // namespace

EquilibriumSearch find_equilibrium(RestEquations& equations, const Vector& start, const std::atomic<bool>* stop) {
  return Search(equations, start).run(stop);
}

bool is_balanced(const RestEquations& equations) {
  constexpr double of_forces = 1e-8;
  return equations.release_size() <= of_forces * equations.force_size();
}

}  // namespace raak
