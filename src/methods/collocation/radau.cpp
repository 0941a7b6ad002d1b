#include "methods/collocation/radau.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "methods/collocation/gauss.h"

namespace raak {
namespace {

// The order is one lower than Gauss', and lower still on stiff modes. Where all coordinates are integrated, small ones
// are judged by the scale of large ones and need the tighter control.
constexpr DecayMapping mapping_of_all{{1.3, 1.4, 0.36, 1.0, 1.0}, {2.5, 2.1, 0.36, 1.0, 0.03}};
constexpr DecayMapping mapping_of_independent{{1.3, 1.4, 0.36, 0.5, 1.0}, {1.9, 1.5, 0.41, 0.5, 0.03}};
constexpr double tolerance_for_eight_at_once = 2.1e-2;  // rtol + atol below which four stages never pay
constexpr int most_newton_corrections = 12;
constexpr int most_newton_corrections_of_fixed_steps = 60;
constexpr double contraction_of_old_jacobian = 0.005;  // a contraction beyond which a new Jacobian is worth its cost
constexpr double least_rate = 0.003;
constexpr double step_slack = 0.15;         // relative change of the step that the prepared correction still serves
constexpr double departure_of_stiff = 0.3;  // of the Newton correction from that of sweeps
constexpr double share_of_stiff = 30.0;     // of the tolerance: the estimate is 6 to 3000 times what the error is
constexpr double least_for_stiff = 0.85;    // change of a step below which it is to be repeated
constexpr double longest_change = 10.0;     // of a step, more than any may change

}  // namespace

Radau::Radau(const ConstrainedSystem& system, Form form, const Tolerances& tolerances)
    : system_(system),
      chart_(system, form, ProjectedChart::small_for(tolerances)),
      equations_(SparseEquations::worthwhile(system)),
      control_(system, tolerances, mapping_of_all),
      four_(system),
      eight_(system),
      jacobian_(std::make_unique<Jacobian>(system.coordinates(), system.rows(), equations_)),
      kept_jacobian_(std::make_unique<Jacobian>(*jacobian_)),
      series_(8 * system.coordinates()),
      next_series_(8 * system.coordinates()),
      fine_series_(16 * system.coordinates()),
      from_q_(Vector::Zero(system.coordinates())),
      from_v_(from_q_),
      end_q_(from_q_),
      end_v_(from_q_),
      raw_q_(from_q_),
      raw_v_(from_q_),
      first_stages_(asks_for_less_than(tolerance_for_eight_at_once, tolerances) ? 8 : 4),
      fixed_order_(first_stages_ == 8),
      is_tight_(pays_order_sixteen(tolerances)) {
  for (int d = 0; d < system.coordinates(); ++d) all_.push_back(d);
  const bool few = system.coordinates() <= CoordinateChoice::most_coordinates;
  if (few && system.velocity_rows() == 0 && system.position_rows() > 0 && form != Form::index2) choice_.emplace(system);
  now_ = next_ = before_ = middle_ = shown_ = State::of_size(system.coordinates(), system.rows());
}

void Radau::fix_stages(int stages) {
  first_stages_ = stages_ = stages;
  fixed_order_ = true;
}

double Radau::begin(const State& start, double until) {
  now_ = before_ = shown_ = start;
  shown_known_ = true;
  control_.begin(start);
  stages_ = next_stages_ = series_stages_ = first_stages_;
  for (int d = 0; d < system_.coordinates(); ++d) {
    series_[stages_ * d] = start.a[d];
    for (int k = 1; k < stages_; ++k) series_[stages_ * d + k] = 0.0;
  }
  have_series_ = false;
  just_rejected_ = false;
  since_drawn_near_ = 0;
  serves_ = chosen_here_ = true;
  independent_ = choice_ && choice_->begin(start) && choice_->is_fast();
  control_.use(independent_ ? mapping_of_independent : mapping_of_all);
  use_coordinates();
  four_.begin(unknowns(), unknown_rows(), uses_sparse());
  eight_.begin(unknowns(), unknown_rows(), uses_sparse());
  sixteen_.reset();
  return control_.first_step(start, until, stages_);
}

void Radau::resume(const State& state, double) {
  now_ = before_ = shown_ = state;
  shown_known_ = true;
  series_stages_ = stages_;
  if (stages_ == 4) start_series<4>(state.a, series_.data());
  else start_series<8>(state.a, series_.data());
  have_series_ = just_rejected_ = false;
  jacobian_->is_old = true;
}

template <int s>
bool Radau::factor(Rule<s>& rule, double h, double slack) {
  if (rule.now.jacobian == jacobian_->number && std::abs(h - rule.now.h) <= slack * std::abs(rule.now.h)) return true;
  if (!rule.refactored) std::swap(rule.now, rule.kept);
  rule.refactored = true;
  ++statistics().factorizations;
  rule.now.h = h;
  rule.now.jacobian = jacobian_->number;
  const bool factored = rule.now.newton->factor(independent_ ? jacobian_->reduced : jacobian_->full, h);
  newton_work_.cycles += rule.now.newton->factor_cost();
  return factored;
}

template <int s>
bool Radau::iterate(Rule<s>& rule, const Vector& q, const Vector& v, double t, double h, SweepMonitor& monitor) {
  const double* weight = control_.weight();
  IndependentLanes<s>& stages = rule.stages;
  stages.set_step(h);
  while (monitor.goes_on()) {
    const double residual = independent_ ? stages.find_residual(monitor.sweeps() == 0, t, q.data(), v.data(), weight)
                                         : stages.StageLanes<s>::find_residual(t, q.data(), v.data(), weight);
    if (monitor.sweeps() == 0) first_residual_ = residual;
    monitor.add(std::isfinite(residual)
                    ? rule.now.newton->correct(stages.residual.data(), stages.a.data(), weight, components_)
                    : residual,
                residual);
  }
  newton_work_.cycles += monitor.sweeps() * rule.now.newton->correction_cost();
  const bool is_new = jacobian_->t == t;
  const bool solved = monitor.converged() || (is_new && monitor.is_still());
  if (independent_ && solved) stages.settle_dependent();
  return solved;
}

template <int s>
bool Radau::solve_stages(Rule<s>& rule, double h) {
  for (;;) {
    if (jacobian_->is_old) update_jacobian(h);
    control_.prepare(h, now_.q, now_.v, series_.data(), series_stages_);
    rule.stages.predict(series_.data(), series_stages_, 1.0, have_series_ ? h / series_h_ : 0.0, control_.weight());
    if (!factor(rule, h, step_slack)) return false;
    SweepMonitor monitor(fixed_steps_ ? change_of_fixed_steps : control_.change(s),
                         fixed_steps_ ? most_newton_corrections_of_fixed_steps : most_newton_corrections, least_rate,
                         true);
    const bool converged = iterate(rule, now_.q, now_.v, now_.t, h, monitor);
    statistics().evaluations += s * monitor.sweeps();
    contraction_ = monitor.contraction();
    if (converged) return true;
    if (jacobian_->t == now_.t) return false;
    jacobian_->is_old = true;
  }
}

// Whether the pivots keep their signs and the dependent part lies where its own accelerations lead: nothing else limits
// the steps of what is driven, which the independent part may not feel.
template <int s>
bool Radau::stays_on_branch(const Rule<s>& rule, double h, const Vector& q, const Vector& v) const {
  return rule.stages.smallest_pivot() > CoordinateChoice::least_pivot &&
         rule.stages.distance(h, q.data(), v.data(), control_.weight()) <=
             CoordinateChoice::largest_distance * std::abs(h);
}

// The end of the step; returns what is wrong with it, or null.
template <int s>
const char* Radau::finish(Rule<s>& rule, double h) {
  rule.stages.finish(h, now_.q.data(), now_.v.data(), next_series_.data(), next_.q.data(), next_.v.data());
  if (independent_)
    return stays_on_branch(rule, h, now_.q, now_.v) ? nullptr
                                                    : "the dependent coordinates come to a singular configuration";
  raw_q_ = next_.q;
  raw_v_ = next_.v;
  const bool restored = chart_.restore_end(next_.t, next_.q, next_.v, statistics()) &&
                        control_.is_near(h, raw_q_, raw_v_, next_.q, next_.v);
  return restored ? nullptr : "the end of the step could not be brought back to the constraints";
}

// Jacobian and factors as they were when the attempt, or the dense output, began.
template <int s>
void Radau::restore_linearization(Rule<s>& rule) {
  if (rule.refactored) std::swap(rule.now, rule.kept);
  if (relinearized_) std::swap(jacobian_, kept_jacobian_);
  rule.refactored = relinearized_ = false;
}

template <int s>
Attempt Radau::refuse(Rule<s>& rule, double step, const char* trouble) {
  restore_linearization(rule);
  just_rejected_ = true;
  return {false, step, trouble};
}

// By how much the step may differ for the sake of modes that are stiff.
template <int s>
double Radau::length_for_stiff_modes(Rule<s>& rule) {
  if (rule.now.newton->departure(control_.weight(), components_) < departure_of_stiff) return longest_change;
  const double error =
      rule.stiff.measure(*rule.now.newton, next_series_.data(), control_.weight(), components_, unknowns());
  return std::pow(share_of_stiff * control_.wanted() / (error + 1e-300), 1.0 / s);
}

template <int s>
Attempt Radau::attempt_with(Rule<s>& rule, double to) {
  if (!serves_) replace_coordinates();
  const double h = to - now_.t;
  rule.refactored = relinearized_ = false;
  if (!solve_stages(rule, h)) return refuse(rule, 0.4 * h, "the Newton corrections of the stages did not converge");
  const SeriesEnd end = rule.stages.transform(control_.weight(), next_series_.data());
  const double stiff = length_for_stiff_modes(rule), factor = std::min(control_.factor_for_last(end.last, s), stiff);
  if ((factor < DecayControl::least_factor || stiff < least_for_stiff) && !fixed_steps_)
    return refuse(rule, h * std::max(0.3, 0.9 * factor), nullptr);
  next_.t = to;
  if (const char* trouble = finish(rule, h)) return refuse(rule, renews_start() ? h : 0.5 * h, trouble);
  const double most = just_rejected_ ? 1.0 : have_series_ ? 1.5 : 4.0;
  const double change = std::max(0.4, std::min(most, 0.95 * factor));
  // A step that stays as it is needs no new factorization.
  next_h_ = change > 1.0 && change < 1.1 ? h : h * change;
  next_stages_ = fixed_order_ || fixed_steps_ ? s : better_stages(factor);
  return {true, 0.0, nullptr};
}

Attempt Radau::attempt(double to) {
  return stages_ == 4 ? attempt_with(four_, to) : attempt_with(eight_, to);
}

double Radau::accept() {
  std::swap(before_, now_);
  std::swap(now_, next_);
  shown_known_ = false;
  series_.swap(next_series_);
  series_stages_ = stages_;
  series_h_ = done_h_ = now_.t - before_.t;
  have_series_ = true;
  dense_ready_ = false;
  just_rejected_ = false;
  stages_ = next_stages_;
  control_.commit();
  if (contraction_ > contraction_of_old_jacobian) jacobian_->is_old = true;
  if (independent_) keep_coordinates();
  return next_h_;
}

template <int s>
void Radau::refine(Rule<s>& rule) {
  constexpr int most = 30;
  constexpr double slack = 1e-2;
  rule.refactored = relinearized_ = false;
  rule.stages.predict(series_.data(), series_stages_, 0.0, 1.0);
  SweepMonitor monitor(0.1 * control_.change(series_stages_), most, least_rate, true);
  // The Jacobian of the step itself serves best, even where the next step wants a new one.
  const bool solved = factor(rule, done_h_, slack) && iterate(rule, from_q_, from_v_, before_.t, done_h_, monitor) &&
                      (!independent_ || stays_on_branch(rule, done_h_, from_q_, from_v_));
  if (!solved) rule.stages.predict(series_.data(), series_stages_, 0.0, 1.0);
  rule.stages.transform(control_.weight(), fine_series_.data());
  restore_linearization(rule);
}

void Radau::prepare_dense() {
  from_q_ = before_.q;
  from_v_ = before_.v;
  if (independent_) choice_->try_restore(before_.t, from_q_, from_v_);
  if (series_stages_ == 4) {
    refine(eight_);
    return;
  }
  if (!sixteen_) {
    sixteen_ = std::make_unique<Rule<16>>(system_);
    sixteen_->begin(independent_ ? static_cast<int>(jacobian_->reduced.M.rows()) : system_.coordinates(),
                    independent_ ? 0 : system_.rows(), uses_sparse());
    if (independent_) sixteen_->stages.use(*choice_->partition(), choice_->plan());
  }
  refine(*sixteen_);
}

void Radau::interpolate(double t, Vector& q, Vector& v) {
  const auto evaluate = [&](double x) {
    if (series_stages_ == 4) integrate_series<8>(fine_series_.data(), x, done_h_, from_q_, from_v_, q, v);
    else integrate_series<16>(fine_series_.data(), x, done_h_, from_q_, from_v_, q, v);
  };
  if (!dense_ready_) {
    prepare_dense();
    evaluate(1.0);
    end_q_ = current().q - q;
    end_v_ = current().v - v;
    dense_ready_ = true;
  }
  const double x = (t - before_.t) / done_h_;
  evaluate(x);
  add_end_correction(x, done_h_, end_q_, end_v_, q, v);
}

}  // namespace raak
