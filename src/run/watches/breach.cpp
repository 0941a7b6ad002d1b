#include "run/watches/breach.h"

#include <algorithm>
#include <utility>

#include "kinematics/start/consistent_start.h"
#include "run/diagnosis/broken_motion.h"
#include "run/diagnosis/diagnosis.h"

namespace raak {
namespace {

// Of the size of the mechanism, or rad, of a row that was left out as redundant.
constexpr double largest_share = 1e-6;

enum class Side { before, beyond };

// Where `is_beyond` becomes true in the step, between `before`, where it is false, and `end`, where it is true.
template <class IsBeyond>
State located(const ConstrainedSystem& system, Integrator& step, double before, const State& end, Side side,
              const IsBeyond& is_beyond) {
  constexpr int halvings = 50;
  State there = end;
  double beyond = end.t;
  for (int i = 0; i < halvings; ++i) {
    there.t = 0.5 * (before + beyond);
    step.interpolate(there.t, there.q, there.v);
    (is_beyond(there) ? beyond : before) = there.t;
  }
  there.t = side == Side::before ? before : beyond;
  step.interpolate(there.t, there.q, there.v);
  update_accelerations(system, there);
  return there;
}

}  // namespace

BreachWatch::BreachWatch(const RunState& run, TurnWatch* turns, bool rows)
    : system_(run.system),
      start_(run.start()),
      plan_(run.plan),
      turns_(turns),
      rows_(rows),
      held_(normalization_rows(run.system.description().constraints)) {}

void BreachWatch::after_step(RunState& run, Integrator& step) {
  const double from = run.seen_at;
  const State& end = run.ended_at ? *run.ended_at : step.current();
  std::optional<Breach> found;
  if (plan_.dropped_rows) found = left_out_row(step, from, end, run.h);
  if (!found && turns_ != nullptr) found = half_turn(step, from, end, run.h);
  if (!found && turns_ != nullptr && turns_->watches_axes()) found = opposite_axes(step, from, end, run.h);
  if (!found && rows_) found = jumping_row(step, from, end, run.h);
  if (!found) return;
  run.ended_at = std::move(found->there);
  run.fail(std::move(found->diagnosis));
}

std::optional<Breach> BreachWatch::left_out_row(Integrator& step, double from, const State& end, double h) {
  RowGap gap = plan_.dropped_rows->widest_gap(end);
  std::optional<Breach> found;
  if (!(gap.share <= largest_share)) {
    State there = located(system_, step, from, end, Side::beyond, [&](const State& at) {
      return !(plan_.dropped_rows->widest_gap(at).share <= largest_share);
    });
    gap = plan_.dropped_rows->widest_gap(there);
    Diagnosis diagnosis = diagnose_open_row(system_, start_, there, h, gap);
    found = Breach{std::move(there), std::move(diagnosis)};
  }
  largest_gap_ = std::max(largest_gap_, gap.size);
  return found;
}

std::optional<Breach> BreachWatch::half_turn(Integrator& step, double from, const State& end, double h) {
  const auto angle = turns_->passed_half_turn(end.q);
  if (!angle) return std::nullopt;
  State there = located(system_, step, from, end, Side::before,
                        [&](const State& at) { return turns_->passed_half_turn(at.q).has_value(); });
  Diagnosis diagnosis = diagnose_half_turn(system_, start_, there, h, turns_->name(*angle));
  return Breach{std::move(there), std::move(diagnosis)};
}

std::optional<Breach> BreachWatch::opposite_axes(Integrator& step, double from, const State& end, double h) {
  State before = end;
  step.interpolate(from, before.q, before.v);
  const auto angle = turns_->swung_over(before.q, end.q);
  if (!angle) return std::nullopt;
  State there = located(system_, step, from, end, Side::before,
                        [&](const State& at) { return turns_->leans_back(*angle, before.q, at.q); });
  if (!turns_->are_opposite(*angle, there.q)) return std::nullopt;
  Diagnosis diagnosis = diagnose_opposite_axes(system_, start_, there, h, turns_->name(*angle));
  return Breach{std::move(there), std::move(diagnosis)};
}

// As where a prescribed angle jumps by a turn. A row that no driver opened is reported at the end, should it stay open.
std::optional<Breach> BreachWatch::jumping_row(Integrator& step, double from, const State& end, double h) {
  if (!is_far_open(system_, end, held_, g_)) return std::nullopt;
  auto diagnosis = open_at_end(system_, start_, end, h);
  if (!diagnosis) return std::nullopt;
  State there = located(system_, step, from, end, Side::before,
                        [&](const State& at) { return is_far_open(system_, at, held_, g_); });
  const double direction = plan_.until >= start_.t ? 1.0 : -1.0;
  if (!blame_jumping_row(system_, there, direction, *diagnosis)) return std::nullopt;
  return Breach{std::move(there), std::move(*diagnosis)};
}

}  // namespace raak
