#include "mechanism/large/start/large_positions.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "mechanism/bodies/catalogue.h"

namespace raak {
namespace {

constexpr int most_iterations = 100;
constexpr int most_halvings = 30;

// Angles of planar bodies in the turn nearest to where they were guessed, as far as the rows hold there too: drivers
// and gears count turns.
void take_nearest_turns(const Instance& instance, const Vector& guess,
                        const std::function<double(const Vector&)>& gap_of, Vector& q) {
  constexpr double turn = 2.0 * std::numbers::pi;
  constexpr double no_worse = 2.0, rounding = 1e-13;
  std::vector<int> turned;
  for (const Body& body : instance.bodies())
    if (const int i = body.first + body.kind->angle;
        body.kind->angle >= 0 && std::round((q[i] - guess[i]) / turn) != 0.0)
      turned.push_back(i);
  const auto take = [&](const std::vector<int>& angles) {
    Vector nearer = q;
    for (const int i : angles) nearer[i] -= turn * std::round((q[i] - guess[i]) / turn);
    if (!(gap_of(nearer) <= no_worse * gap_of(q) + rounding)) return false;
    q = nearer;
    return true;
  };
  constexpr std::size_t most_one_by_one = 100;
  if (turned.empty() || take(turned) || turned.size() > most_one_by_one) return;
  for (const int i : turned) take({i});
}

}  // namespace

HoldingEvaluation::HoldingEvaluation(const MaximalFormulas& formulas, const LargeEvaluation& evaluation,
                                     const std::vector<GivenValue>& positions,
                                     const std::vector<GivenValue>& velocities)
    : formulas_(&formulas), evaluation_(&evaluation) {
  if (positions.empty() && velocities.empty()) return;
  own_formulas_.emplace(formulas.holding(positions, velocities));
  formulas_ = &*own_formulas_;
  own_.emplace(evaluation.instance(), with_given(*formulas_, evaluation.elements()));
  evaluation_ = &*own_;
}

double gap_at(const LargeEvaluation& evaluation, double t, const Vector& q, Vector& gaps) {
  gaps.setZero(evaluation.elements().position_rows);
  evaluation.residual(false, t, q.data(), nullptr, gaps.data());
  return gaps.norm();
}

Vector HoldingEvaluation::scales() const {
  const double length = formulas_->instance().length();
  Vector scales(static_cast<Eigen::Index>(formulas_->all_rows().size()));
  for (Eigen::Index i = 0; i < scales.size(); ++i)
    scales[i] = formulas_->all_rows()[static_cast<std::size_t>(i)].unit == "m" ? length : 1.0;
  return scales;
}

double size_of_positions(const Instance& instance, const Vector& q) {
  double size = 1.0;
  for (const Body& body : instance.bodies())
    for (int i = 0; i < instance.dimensions() && !body.ground && !body.counter; ++i)
      size = std::max(size, std::abs(q[body.first + i]) / instance.length());
  return size;
}

bool close_positions(const HoldingEvaluation& holding, double t, Vector& q, Vector& gaps) {
  const LargeEvaluation& evaluation = *holding;
  const Vector scales = holding.scales().head(evaluation.elements().position_rows);
  const auto scaled_gap_at = [&](const Vector& at, Vector& rows) {
    gap_at(evaluation, t, at, rows);
    return rows.cwiseQuotient(scales).norm();
  };
  const Vector guess = q;
  double gap = scaled_gap_at(q, gaps);
  const double size = size_of_positions(*evaluation.instance(), q);
  const double rounding = 1e-15 * size * std::sqrt(static_cast<double>(gaps.size()));
  for (int i = 0; i < most_iterations && gap > rounding; ++i) {
    Vector full = q;
    Vector unused = q;
    std::vector<int> left_out;
    evaluation.correct_dependent(Solve::positions, t, full.data(), unused.data(), left_out);
    if (!full.allFinite()) break;
    bool better = false;
    double length = 1.0;
    for (int k = 0; k < most_halvings && !better; ++k, length *= 0.5) {
      const Vector candidate = q + length * (full - q);
      Vector there;
      const double next = scaled_gap_at(candidate, there);
      better = next < gap;
      if (!better) continue;
      q = candidate;
      gap = next;
      gaps = there;
    }
    if (!better) break;
  }
  take_nearest_turns(
      *evaluation.instance(), guess, [&](const Vector& at) { return scaled_gap_at(at, gaps); }, q);
  scaled_gap_at(q, gaps);
  return gaps.size() == 0 || gaps.cwiseQuotient(scales).cwiseAbs().maxCoeff() <= closed_gap * size;
}

}  // namespace raak
