// Steps of tangent over singular configurations: what the pivots of a sweep say of the step, and how far its stages can
// be trusted.
#include <algorithm>
#include <cmath>
#include <limits>

#include "kinematics/rank/rank_policy.h"
#include "methods/charts/partitioned_gauss.h"

namespace raak {
namespace {

constexpr double stage_clear_of_singularity =
    0.02;  // of the reference: where the first stage after a start in a singularity should be
constexpr double most_longer = 16.0;  // times the step tried
constexpr int most_moves = 6;

}  // namespace

// Near a singularity rounding spoils the dependent accelerations most, and they are not integrated: only the
// independent ones show whether the sweeps have converged.
template <int s>
const double* PartitionedGauss<s>::tangential_weight() {
  for (int d = 0; d < n_; ++d) tangential_[d] = 0.0;
  for (const int d : choice_.partition()->independent()) tangential_[d] = control_.weight()[d];
  return tangential_.data();
}

// The stage nearest to the singularity is spoiled by eps/d^3 (singularity_locator.h), row after row. Its share of the
// step is small, and no sweep makes it better.
template <int s>
double PartitionedGauss<s>::rounding_near_singularity() const {
  constexpr double spoiled = 10.0;
  // Of the relative error allowed. Changes that stand still below it are rounding, of two stages in a single step; half
  // the step would bring its stages nearer to the singularity and spoil them eight times as much.
  constexpr double borne = 100.0;
  const double nearest = passage_.nearest() * choice_.share_of_best_strength();
  const double rows = system_.position_rows();
  const double expected = spoiled * rows * std::numeric_limits<double>::epsilon() / (nearest * nearest * nearest);
  return std::max(expected, borne * control_.wanted());
}

template <int s>
typename PartitionedGauss<s>::Passage PartitionedGauss<s>::judge_pivots(double h) {
  stages_.relative_pivots(pivots_);
  const double smallest_pivot = stages_.smallest_pivot();
  const bool seen = passage_.look(pivots_);
  const bool vanish =
      !((seen && smallest_pivot > 0.0 ? passage_.nearest() : smallest_pivot) > CoordinateChoice::least_pivot);
  if (!seen || passage_.zeros().empty()) return vanish ? Passage::refused : Passage::none;
  const double at = passage_.zeros().front();
  stages_.transform(control_.weight(), next_series_.data());
  integrate_series<s>(next_series_.data(), at, h, now_.q, now_.v, singular_q_, singular_v_);
  next_.t = now_.t + h;
  integrate_series<s>(next_series_.data(), 1.0, h, now_.q, now_.v, next_.q, next_.v);
  if (!choice_.is_singular_configuration(now_.t + at * h, singular_q_, now_, next_))
    return vanish ? Passage::refused : Passage::none;
  const double smallest = passage_.nearest();
  if (!fixed_steps_ && moved_ < most_moves) {
    const bool starts_there = at < passage_.first_node();
    const double share = passage_.best_share();
    const double longer = std::min(most_longer, 1.5 * stage_clear_of_singularity / smallest);
    if (starts_there ? smallest < stage_clear_of_singularity && !just_rejected_ : share < 1.0) {
      better_step_ = h * (starts_there ? longer : share);
      return Passage::elsewhere;
    }
  }
  if (!vanish && !passage_.passes()) return Passage::none;
  return smallest < RankPolicy::regular ? Passage::refused : Passage::over;
}

// Where the pivots are zero if they go on as they begin; a singularity that is too near lies before the first stage.
template <int s>
double PartitionedGauss<s>::first_over_singularity(const State& start, double until, double step) {
  constexpr double far_ahead = 60.0;                      // in first steps
  constexpr double between_stages = s == 4 ? 0.2 : 0.17;  // of the step
  constexpr double too_near = 0.05;                       // of the reference
  if (fixed_steps_) return step;
  State later = start;
  later.t += step;
  later.q += step * start.v;
  std::vector<double> then;
  choice_.relative_pivots(start, pivots_);
  choice_.relative_pivots(later, then);
  double ahead = far_ahead;
  double nearest = 1.0;
  for (std::size_t k = 0; k < then.size(); ++k) {
    const double steps = pivots_[k] / (pivots_[k] - then[k]);
    if (!(steps > 0.0 && steps < ahead)) continue;
    ahead = steps;
    nearest = std::abs(pivots_[k]);
  }
  if (ahead == far_ahead) return step;
  const double stage =
      nearest < too_near ? passage_.first_node() / (1.0 + stage_clear_of_singularity / nearest) : between_stages;
  const double wanted = step * ahead / stage;
  const double span = until - start.t;
  return std::abs(wanted) > std::abs(span) ? span : std::abs(wanted) > std::abs(step) ? wanted : step;
}

template const double* PartitionedGauss<4>::tangential_weight();
template const double* PartitionedGauss<8>::tangential_weight();
template double PartitionedGauss<4>::rounding_near_singularity() const;
template double PartitionedGauss<8>::rounding_near_singularity() const;
template double PartitionedGauss<4>::first_over_singularity(const State&, double, double);
template double PartitionedGauss<8>::first_over_singularity(const State&, double, double);
template PartitionedGauss<4>::Passage PartitionedGauss<4>::judge_pivots(double);
template PartitionedGauss<8>::Passage PartitionedGauss<8>::judge_pivots(double);

}  // namespace raak
