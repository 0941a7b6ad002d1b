#include "methods/composite/singularity_crossing.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "methods/charts/coordinate_choice.h"
#include "methods/charts/partitioned_gauss.h"
#include "methods/control/decay_control.h"
#include "system/equations/forms.h"

namespace raak {
namespace {

// Of the largest strength seen, which is the sine of an angle: the singularity is about 0.25 rad ahead. A step that is
// refused for another reason than its error sees the singularity from further away: from too near errors have grown too
// large.
constexpr double near_singularity = 0.25;
constexpr double near_for_trouble = 0.5;
constexpr double clear_of_singularity = 0.55;
constexpr double small_at_start = 0.03;
constexpr double vanishing_row = 1e-3;  // of the longest one
constexpr double surely_clear = 0.1;
constexpr int most_steps_beside = 4;
constexpr double seen_from_afar = 0.7;
constexpr int many_troubles = 6;
constexpr int most_refusals = 16;  // of tangent in a row: it does not pass either
constexpr int most_failures = 3;
constexpr int weight_of_refusal = 3;  // in accepted steps, after which it is forgotten
// Of the largest sine at the stages so far: below it a step is looked at, and again where it has fallen as much more.
constexpr double worth_a_look = 0.5;
constexpr double worth_another_look = 0.7;
constexpr double surely_strong = 0.9;
constexpr double steps_ahead = 2.0;
constexpr int most_steps_towards = 12;  // of tangent while the singularity does not come

}  // namespace

SingularityCrossing::SingularityCrossing(const ConstrainedSystem& system, std::string name, Form form,
                                         const Tolerances& tolerances, std::unique_ptr<Integrator> method)
    : system_(system),
      name_(std::move(name)),
      form_(form),
      tolerances_(tolerances),
      method_(std::move(method)),
      active_(method_.get()),
      last_(method_.get()),
      G_(system.rows(), system.coordinates()),
      rows_(system.coordinates(), system.rows()),
      largest_row_(Vector::Zero(system.rows())),
      qr_(system.coordinates(), system.rows()) {
  method_->count_as_part_of(*this);
}

bool SingularityCrossing::serves(const ConstrainedSystem& system, Form form) {
  return holds_positions(form) && system.velocity_rows() == 0 && system.position_rows() > 0 &&
         system.has_dense_matrices() && CoordinateChoice::is_affordable(system);
}

double SingularityCrossing::begin(const State& start, double until) {
  until_ = until;
  active_ = last_ = method_.get();
  singularities_.clear();
  strongest_ = largest_sine_ = last_strength_ = 0.0;
  looked_at_ = 1.0;
  largest_row_.setZero();
  refusals_ = failures_ = troubles_ = refused_lately_ = 0;
  crossed_ = false;
  start_ = middle_ = start;
  return method_->begin(start, until);
}

void SingularityCrossing::resume(const State& state, double until) {
  until_ = until;
  active_->resume(state, until);
}

double SingularityCrossing::strength(const State& at) {
  system_.jacobian(at.t, at.q, G_);
  const Eigen::Index n = G_.cols();
  const Eigen::Index m = G_.rows();
  if (!G_.allFinite() || m > n) return 0.0;
  // By geometry: beside a heavy body the rows of light ones are almost dependent in the metric of the masses where they
  // only turn fast.
  rows_ = system_.coordinate_scales().asDiagonal() * G_.transpose() * system_.row_scales().cwiseInverse().asDiagonal();
  for (Eigen::Index i = 0; i < m; ++i) largest_row_[i] = std::max(largest_row_[i], rows_.col(i).norm());
  // One that vanishes at the start has no length of its own yet.
  const double least = vanishing_row * largest_row_.maxCoeff();
  for (Eigen::Index i = 0; i < m; ++i) rows_.col(i) /= std::max({largest_row_[i], least, 1e-300});
  qr_.compute(rows_);
  return std::abs(qr_.matrixQR()(m - 1, m - 1));
}

// The first step of tangent; 0 where it is not needed or does not help.
double SingularityCrossing::start_crossing(bool trouble) {
  if (failures_ >= most_failures) return 0.0;
  if (strongest_ == 0.0) strongest_ = strength(start_);
  const double here = strength(active_->current());
  strongest_ = std::max(strongest_, here);
  const bool starts_there = active_->time() == start_.t && here < small_at_start;
  // A method that is refused again and again may see the singularity from further away.
  const double limit = troubles_ >= many_troubles ? seen_from_afar : trouble ? near_for_trouble : near_singularity;
  if (!(here < limit * strongest_) && !starts_there) return 0.0;
  last_strength_ = here;
  return hand_over();
}

void SingularityCrossing::make_tangent_part() {
  if (!tangent_) {
    tangent_ = make_tangent(system_, form_, tolerances_);
    tangent_->count_as_part_of(*this);
  }
  if (fixed_steps_) tangent_->use_fixed_steps();
}

double SingularityCrossing::hand_over() {
  make_tangent_part();
  const double first = tangent_->begin(active_->current(), until_);
  if (const DecayControl* const control = method_->decay_control()) tangent_->control().carry_on(*control);
  active_ = tangent_.get();
  refusals_ = steps_ = 0;
  return first;
}

double SingularityCrossing::hand_back() {
  const double first = method_->begin(active_->current(), until_);
  if (DecayControl* const control = method_->decay_control()) control->carry_on(tangent_->control());
  active_ = method_.get();
  return first;
}

// Whether the rows become dependent in the step just tried or in the next two. Sines of the stages depend on the order
// of elimination and may be small anywhere; they only decide when to look.
bool SingularityCrossing::comes_to_singularity() {
  const double sine = method_->constraint_strength();
  // Of a run that starts in a singularity all pivots are relative to very small ones, and mean nothing.
  if (largest_sine_ == 0.0) looks_always_ = sine < surely_strong && strength(start_) < small_at_start;
  largest_sine_ = std::max(largest_sine_, sine);
  if (looks_always_) looked_at_ = HUGE_VAL;
  else if (sine > worth_a_look * largest_sine_) {
    looked_at_ = 1.0;
    return false;
  }
  if (sine > worth_another_look * looked_at_ || failures_ >= most_failures || fixed_steps_) return false;
  looked_at_ = sine;
  if (strongest_ == 0.0) strongest_ = strength(start_);
  const State& from = active_->current();
  const State& to = active_->attempted();
  middle_.t = 0.5 * (from.t + to.t);
  middle_.q = 0.5 * (from.q + to.q) + 0.125 * (to.t - from.t) * (from.v - to.v);
  const double here = last_strength_ = strength(from);
  const double half_way = strength(middle_);
  const double there = strength(to);
  strongest_ = std::max(strongest_, here);
  const bool passes = half_way < near_singularity * strongest_ && half_way < here;
  const bool goes_there = there < near_for_trouble * strongest_ && there < 2.0 * steps_ahead * (half_way - there);
  return passes || goes_there;
}

Attempt SingularityCrossing::attempt(double to) {
  const double h = to - active_->time();
  Attempt result = active_->attempt(to);
  // What the method has tried, tangent can try; what was shortened on the way to the singularity need not be that
  // short.
  const auto try_by_tangent = [&](double first) {
    result = {false, std::copysign(std::max(std::abs(first), std::abs(h)), h), nullptr};
  };
  if (result.acceptable && !is_crossing() && comes_to_singularity()) {
    try_by_tangent(hand_over());
  } else if (!result.acceptable && !is_crossing()) {
    const bool trouble = result.trouble != nullptr;
    if (trouble) ++troubles_;
    // A step that is too long for its error now and then is nothing to look at: that takes as long as several steps.
    refused_lately_ += weight_of_refusal;
    const double first = trouble || refused_lately_ > weight_of_refusal ? start_crossing(trouble) : 0.0;
    if (first != 0.0) try_by_tangent(first);
  } else if (!result.acceptable && result.trouble != nullptr && ++refusals_ >= most_refusals) {
    ++failures_;
    const double first = hand_back();
    result = {false, std::copysign(std::min(std::abs(first), std::abs(result.retry_step)), first), result.trouble};
  }
  return result;
}

double SingularityCrossing::accept() {
  double h = active_->accept();
  last_ = active_;
  refusals_ = 0;
  refused_lately_ = std::max(0, refused_lately_ - 1);
  if (!is_crossing()) {
    troubles_ = 0;
  } else {
    crossed_ = true;
    const auto& found = tangent_->singularities();
    if (!found.empty() && (singularities_.empty() || singularities_.back().t != found.back().t))
      singularities_.push_back(found.back());
    const double here = strength(active_->current());
    strongest_ = std::max(strongest_, here);
    // After a start in a singularity what was seen so far says little.
    const bool clear = here > (troubles_ >= many_troubles ? seen_from_afar : clear_of_singularity) * strongest_;
    ++steps_;
    const bool behind = here >= last_strength_ || steps_ >= most_steps_towards;
    last_strength_ = here;
    const bool clear_of_weak_ones = steps_ >= most_steps_beside && here > clear_of_singularity * strongest_;
    if (behind && ((clear && here > surely_clear) || clear_of_weak_ones)) {
      troubles_ = 0;
      looked_at_ = 1.0;
      const double first = hand_back();
      h = std::copysign(std::min(std::abs(first), 2.0 * std::abs(h)), first);
    }
  }
  return h;
}

void SingularityCrossing::visit_state(Archive& archive) {
  archive.name("singularity crossing");
  bool has_tangent = tangent_ != nullptr, active_is_method = active_ == method_.get(),
       last_is_method = last_ == method_.get();
  archive(has_tangent, active_is_method, last_is_method);
  if (archive.is_loading() && has_tangent) make_tangent_part();
  method_->visit_state(archive);
  if (has_tangent) tangent_->visit_state(archive);
  if (archive.is_loading()) {
    active_ = active_is_method ? method_.get() : tangent_.get();
    last_ = last_is_method ? method_.get() : tangent_.get();
  }
  archive(singularities_, largest_row_, start_, middle_, until_, strongest_, largest_sine_, looked_at_, looks_always_);
  archive(last_strength_, refusals_, failures_, troubles_, refused_lately_, steps_, crossed_);
  scratch(system_, name_, form_, tolerances_, G_, rows_, qr_);
}

void SingularityCrossing::interpolate(double t, Vector& q, Vector& v) {
  last_->interpolate(t, q, v);
}

void SingularityCrossing::count_as_part_of(Integrator& whole) {
  Integrator::count_as_part_of(whole);
  method_->count_as_part_of(whole);
  if (tangent_) tangent_->count_as_part_of(whole);
}

void SingularityCrossing::use_fixed_steps() {
  fixed_steps_ = true;
  method_->use_fixed_steps();
}

}  // namespace raak
