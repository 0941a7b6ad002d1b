#include "methods/charts/partitioned_gauss.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/error.h"
#include "kinematics/rank/rank_policy.h"
#include "methods/collocation/gauss.h"
#include "methods/control/sweep_monitor.h"

namespace raak {
namespace {

// That of gauss with the sweeps carried further: a sweep costs less here, and nothing after it evens errors out.
constexpr DecayMapping mapping_of_partitioned_gauss{{1.3, 0.55, 0.36, 0.03, 1.0}, {4.0, 2.6, 0.30, 0.1, 0.1}};
constexpr double singularity_in_sight = 0.3;  // of the reference: pivots that fall below may vanish in the next step
// Of the reference: at this distance d from a singular configuration rounding spoils accelerations by eps/d^2 = d, and
// below it they come from the series of the step.
const double spoiled_pivot = std::cbrt(std::numeric_limits<double>::epsilon());
constexpr double care_over_singularity =
    30.0;  // the last coefficient counts this often: errors change the branch's energy
constexpr int first_closing_steps = 3;
constexpr int most_sweeps_over_singularity = 30;

}  // namespace

template <int s>
PartitionedGauss<s>::PartitionedGauss(const ConstrainedSystem& system, const Tolerances& tolerances)
    : system_(system),
      n_(system.coordinates()),
      control_(system, tolerances, mapping_of_partitioned_gauss),
      stages_(system, collocation_rule(Collocation::Kind::gauss, s)),
      choice_(system),
      series_(s * n_),
      next_series_(s * n_),
      fine_series_(2 * s * n_),
      from_q_(Vector::Zero(n_)),
      from_v_(from_q_),
      end_q_(from_q_),
      end_v_(from_q_),
      passage_(collocation_rule(Collocation::Kind::gauss, s).c),
      singular_q_(from_q_),
      singular_v_(from_q_),
      tangential_(n_) {
  now_ = next_ = before_ = shown_ = State::of_size(n_, system.rows());
}

template <int s>
double PartitionedGauss<s>::begin(const State& start, double until) {
  now_ = before_ = shown_ = start;
  shown_known_ = motion_known_ = true;
  control_.begin(start);
  start_series<s>(start.a, series_.data());
  have_series_ = just_rejected_ = false;
  since_drawn_near_ = moved_ = 0;
  record_ = {};
  singularities_.clear();
  chosen_here_ = true;
  if (choice_.begin(start)) {
    use_choice();
    if (!choice_.chosen_at_start()) {
      choice_.relative_pivots(start, pivots_);
      stages_.take_signs(pivots_);
    }
  }
  ++statistics().jacobians;
  const double first = control_.first_step(start, until, s);
  return choice_.partition() == nullptr || choice_.chosen_at_start() ? first
                                                                     : first_over_singularity(start, until, first);
}

template <int s>
void PartitionedGauss<s>::resume(const State& state, double) {
  now_ = before_ = shown_ = state;
  shown_known_ = motion_known_ = true;
  start_series<s>(state.a, series_.data());
  have_series_ = just_rejected_ = false;
  since_drawn_near_ = moved_ = 0;
}

template <int s>
void PartitionedGauss<s>::use_choice() {
  const std::vector<int>& independent = choice_.partition()->independent();
  stages_.use(*choice_.partition(), choice_.plan());
  control_.integrates(independent.data(), static_cast<int>(independent.size()));
}

template <int s>
void PartitionedGauss<s>::choose(const State& at) {
  if (choice_.choose(at)) use_choice();
  chosen_here_ = true;
  ++statistics().jacobians;
}

// The dependent part of a state is only close to the constraints, and its pivots were last seen at the last stage
// before it: over a short step either may count for more than the step does, and no shorter one could be taken.
template <int s>
bool PartitionedGauss<s>::renews_start() {
  if (chosen_here_) return false;
  since_drawn_near_ = 0;
  if (!choice_.try_restore(now_.t, now_.q, now_.v)) return false;
  choose(now_);
  return true;
}

template <int s>
const State& PartitionedGauss<s>::motion() const {
  if (!motion_known_) {
    shown_.t = now_.t;
    shown_.q = now_.q;
    shown_.v = now_.v;
    choice_.try_restore(shown_.t, shown_.q, shown_.v);
    motion_known_ = true;
  }
  return shown_;
}

template <int s>
const State& PartitionedGauss<s>::current() const {
  if (!shown_known_) {
    motion();
    const double rows = update_accelerations(system_, shown_);
    // In a singular configuration: the limit along the motion; multipliers have none. Where only the coordinates are a
    // bad choice the rows are as independent as ever.
    if (choice_.nearest_pivot() < spoiled_pivot && !(rows > RankPolicy::resolved_pivot)) {
      for (int d = 0; d < n_; ++d) {
        shown_.a[d] = 0.0;
        for (int k = 0; k < s; ++k) shown_.a[d] += series_[s * d + k];
      }
      shown_.lambda.setConstant(std::numeric_limits<double>::quiet_NaN());
    }
    shown_known_ = true;
  }
  return shown_;
}

template <int s>
bool PartitionedGauss<s>::solve_stages(double h) {
  SweepMonitor monitor(fixed_steps_ ? change_of_fixed_steps : control_.change(s),
                       fixed_steps_ ? most_sweeps_of_fixed_steps : most_sweeps);
  stages_.set_step(h);
  found_ = Passage::none;
  const double* weight = control_.weight();
  // Over a singularity accelerations magnify errors of the dependent part by its distance to the third power: Newton
  // steps with the independent part held come before each sweep.
  const auto close = [&](bool first, int steps) {
    for (int i = 0; i < steps; ++i)
      stages_.find_residual(first && i == 0, now_.t, now_.q.data(), now_.v.data(), weight);
    statistics().evaluations += s * steps;
  };
  while (monitor.goes_on()) {
    if (found_ == Passage::over) close(false, 1);
    monitor.add(stages_.sweep(monitor.sweeps() == 0, now_.t, now_.q.data(), now_.v.data(), weight));
    if (monitor.sweeps() != 1 || stages_.smallest_pivot() > singularity_in_sight) continue;
    found_ = judge_pivots(h);
    if (found_ == Passage::elsewhere) break;
    if (found_ != Passage::over) continue;
    stages_.predict(series_.data(), s, 1.0, have_series_ ? h / series_h_ : 0.0);
    close(true, first_closing_steps);
    weight = tangential_weight();
    monitor = SweepMonitor(fixed_steps_ ? change_of_fixed_steps : control_.change(s), most_sweeps_over_singularity);
    monitor.expect_rounding(rounding_near_singularity());
    close(false, 1);
    monitor.add(stages_.sweep(false, now_.t, now_.q.data(), now_.v.data(), weight));
  }
  statistics().evaluations += s * monitor.sweeps();
  record_.sweeps = monitor.sweeps();
  record_.contraction = monitor.contraction();
  record_.diverged = !monitor.converged();
  // Near a singularity slow sweeps say nothing of stiffness.
  if (!(stages_.smallest_pivot() > singularity_in_sight)) {
    record_.sweeps = 0;
    record_.diverged = false;
  }
  return monitor.converged();
}

template <int s>
Attempt PartitionedGauss<s>::attempt(double to) {
  const double h = to - now_.t;
  const auto refused = [&](double step, const char* trouble) {
    just_rejected_ = true;
    return Attempt{false, step, trouble};
  };
  if (choice_.partition() == nullptr)
    return refused(0.5 * h, "the constraints are dependent: no coordinates determine the configuration");
  control_.prepare(h, now_.q, now_.v, series_.data(), s);
  stages_.predict(series_.data(), s, 1.0, have_series_ ? h / series_h_ : 0.0);
  const bool solved = solve_stages(h);
  if (found_ == Passage::elsewhere) {
    if (moved_++ == 0) meant_h_ = h;
    record_.diverged = false;
    return Attempt{false, better_step_, nullptr};
  }
  if (!solved)
    return refused(found_ == Passage::refused && renews_start() ? h : 0.5 * h,
                   "the sweeps over the stages did not converge");
  if (!(stages_.smallest_pivot() > CoordinateChoice::least_pivot)) {
    found_ = judge_pivots(h);
    if (found_ == Passage::elsewhere || found_ == Passage::refused)
      return refused(renews_start() ? h : 0.5 * h, "the dependent coordinates pass a singular configuration");
  }
  const SeriesEnd end = stages_.transform(control_.weight(), next_series_.data());
  const double factor = control_.factor(end, s, found_ == Passage::over ? care_over_singularity : 1.0);
  if (factor < DecayControl::least_factor && !fixed_steps_) return refused(h * std::max(0.3, 0.9 * factor), nullptr);
  if (stages_.smallest_pivot() < CoordinateChoice::serving_pivot &&
      !(stages_.distance(h, now_.q.data(), now_.v.data(), control_.weight()) <=
        CoordinateChoice::largest_distance * std::abs(h)))
    return refused(renews_start() ? h : 0.5 * h,
                   "the dependent coordinates leave their branch, as they may near a singular configuration");
  next_.t = to;
  stages_.finish(h, now_.q.data(), now_.v.data(), next_series_.data(), next_.q.data(), next_.v.data());
  const bool in_sight = !(stages_.smallest_pivot() > singularity_in_sight);
  const double allowed = std::sqrt(target_contraction / std::max(record_.contraction, 1e-3));
  // What was only shortened to lay a singularity elsewhere may be followed by a step of the length meant.
  const double most = just_rejected_ ? 1.0 : have_series_ ? std::max(1.5, moved_ > 0 ? meant_h_ / h : 0.0) : 4.0;
  const double wanted = control_.next(h, factor);
  // Where steps grow as fast as they may contraction does not limit them, nor near a singularity, where it is rounding.
  const bool limits = allowed < most && !in_sight;
  record_.wish = limits ? wanted / allowed : 1.0;
  next_h_ = h * std::max(0.4, std::min({most, wanted, in_sight ? most : std::max(allowed, 0.7)}));
  return {true, 0.0, nullptr};
}

template <int s>
double PartitionedGauss<s>::accept() {
  std::swap(before_, now_);
  std::swap(now_, next_);
  shown_known_ = motion_known_ = false;
  series_.swap(next_series_);
  series_h_ = done_h_ = now_.t - before_.t;
  have_series_ = true;
  dense_ready_ = false;
  just_rejected_ = false;
  moved_ = 0;
  chosen_here_ = false;
  control_.commit();
  if (found_ == Passage::over && passage_.passes()) {
    const double t = before_.t + passage_.zeros().front() * done_h_;
    integrate_series<s>(series_.data(), passage_.zeros().front(), done_h_, before_.q, before_.v, singular_q_,
                        singular_v_);
    singularities_.push_back({t, singular_q_});
  }
  const bool serves = stages_.smallest_pivot() > CoordinateChoice::serving_pivot;
  stages_.follow_references();
  if (!serves) {
    choice_.try_restore(before_.t, before_.q, before_.v);  // dense output must not see another part held
    choice_.try_restore(now_.t, now_.q, now_.v);
    choose(now_);
    since_drawn_near_ = 0;
  } else if (++since_drawn_near_ >= CoordinateChoice::steps_between_corrections) {
    choice_.draw_near(now_.t, now_.q, now_.v);
    since_drawn_near_ = 0;
  }
  return next_h_;
}

template <int s>
void PartitionedGauss<s>::prepare_dense() {
  constexpr int most = 30;
  if (!fine_)
    fine_ = std::make_unique<IndependentLanes<2 * s>>(system_, collocation_rule(Collocation::Kind::gauss, 2 * s));
  fine_->use(*choice_.partition(), choice_.plan());
  fine_->set_step(done_h_);
  from_q_ = before_.q;
  from_v_ = before_.v;
  choice_.try_restore(before_.t, from_q_, from_v_);
  fine_->predict(series_.data(), s, 0.0, 1.0);
  SweepMonitor monitor(0.1 * control_.change(s), most);
  while (monitor.goes_on())
    monitor.add(fine_->sweep(monitor.sweeps() == 0, before_.t, from_q_.data(), from_v_.data(), control_.weight()));
  if (monitor.converged()) {
    fine_->transform(control_.weight(), fine_series_.data());
    fine_->finish(done_h_, from_q_.data(), from_v_.data(), fine_series_.data(), end_q_.data(), end_v_.data());
  } else {
    // Where coordinates pass a singularity the finer nodes may come too near to it: the polynomial of the step is
    // known.
    for (int d = 0; d < n_; ++d)
      for (int k = 0; k < 2 * s; ++k) fine_series_[2 * s * d + k] = k < s ? series_[s * d + k] : 0.0;
    integrate_series<2 * s>(fine_series_.data(), 1.0, done_h_, from_q_, from_v_, end_q_, end_v_);
  }
  end_q_ = current().q - end_q_;
  end_v_ = current().v - end_v_;
  dense_ready_ = true;
}

template <int s>
void PartitionedGauss<s>::interpolate(double t, Vector& q, Vector& v) {
  if (!dense_ready_) prepare_dense();
  const double x = (t - before_.t) / done_h_;
  integrate_series<2 * s>(fine_series_.data(), x, done_h_, from_q_, from_v_, q, v);
  add_end_correction(x, done_h_, end_q_, end_v_, q, v);
}

template class PartitionedGauss<4>;
template class PartitionedGauss<8>;

}  // namespace raak
