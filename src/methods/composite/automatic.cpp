#include "methods/composite/automatic.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace raak {
namespace {

constexpr double limited = 3.0;  // a step of the sweeps is this much shorter than accuracy wants
// Sweeps are cheaper than Newton corrections where they contract well, and four of them solve the stages.
constexpr double contracting = 0.15;
constexpr int least_many_sweeps = 7;
constexpr int least_telling_sweeps = 4;  // fewer are cheap, and their contraction is little more than rounding errors
constexpr int first_signs = 4;
constexpr int most_signs = 200;
// A step that grew too far may diverge once in any system; a stiff one diverges again at half of it.
constexpr int sign_of_divergence = 1;
constexpr int sign_of_more_divergences = 3;
// Where steps diverge again and again, and contract in between, as loose tolerances let them: one of five or more.
constexpr double many_divergences = 2.2;
// Refusals in a row, for reasons other than accuracy, after which other coordinates are tried: independent ones fail at
// poses of their own, all of them only where constraints become dependent.
constexpr int most_refusals_of_independent = 6;
constexpr int most_refusals_of_all = 12;
// An end that projection cannot bring back tells of a singular pose, which independent coordinates step over from afar.
constexpr int refusals_of_projection = 4;
constexpr int most_changes = 8;
// Steps for which gauss stands in for tangent at first: it may well have stepped over what tangent could not, and would
// go so far into the next singular pose that tangent could not pass it either.
constexpr int first_stand_in = 2;
// Coordinates that turn with the bodies, as those of gears and fast spatial rotations do, are lost in step after step.
// Refusals for that, weighed over about the last twelve accepted steps, after which gauss takes over for good.
constexpr double memory_of_losses = 11.0 / 12.0;
constexpr double most_losses = 2.2;
constexpr double few_losses = 0.5;  // where the sweeps seem stiff: those of coordinates that turn away soon diverge
constexpr double growth_to_radau = 16.0;  // stiffness has shortened the last step, not accuracy
constexpr int most_coordinates_evaluated_slowly = 100;

}  // namespace

Automatic::Automatic(const ConstrainedSystem& system, std::string form, const Tolerances& tolerances)
    : system_(system), parts_(system, std::move(form), tolerances, *this) {
  sweeping_ = active_ = last_ = parts_.may_use_tangent() ? Part::tangent : Part::gauss;
  parts_.make(sweeping_);
  used_.reserve(AutomaticParts::names.size());
}

double Automatic::begin(const State& start, double until) {
  until_ = until;
  double h = 0.0;
  sweeping_ = Part::gauss;
  if (parts_.independent_coordinates_last(start)) {
    const bool affordable = system_.coordinates() <= 2 * system_.position_rows() &&
                            system_.coordinates() <= most_coordinates_evaluated_slowly;
    h = parts_.make(Part::tangent).begin(start, until);
    if (parts_.sweeps(Part::tangent).is_fast() || affordable) sweeping_ = Part::tangent;
  }
  if (sweeping_ == Part::gauss) h = parts_.make(Part::gauss).begin(start, until);
  active_ = last_ = sweeping_;
  signs_ = 0;
  needed_ = first_signs;
  divergences_ = refusals_ = changes_ = stands_in_ = 0;
  losses_ = diverging_ = 0.0;
  stand_in_ = first_stand_in;
  trial_.begin(system_, start, Radau::foreseen_factor_cost(system_), statistics());
  used_.clear();
  poses_.clear();
  return h;
}

void Automatic::use_fixed_steps() {
  fixed_steps_ = true;
  parts_.use_fixed_steps();
}

double Automatic::hand_over_to(Part other) {
  const State from = current();
  const double first = parts_.make(other).begin(from, until_);
  parts_.control(other).carry_on(parts_.control(active_));
  active_ = other;
  return first;
}

// Between independent coordinates and all of them. Returns the first step of those it has changed to, 0 if it has not.
double Automatic::change_coordinates() {
  const bool independent = active_ == Part::tangent;
  const int most = independent ? most_refusals_of_independent : most_refusals_of_all;
  if (refusals_ < most || changes_ >= most_changes || (!independent && !parts_.may_use_tangent())) return 0.0;
  ++changes_;
  if (independent) {
    stands_in_ = stand_in_;
    stand_in_ *= 8;
  }
  sweeping_ = independent ? Part::gauss : Part::tangent;
  const double first = hand_over_to(sweeping_);
  refusals_ = divergences_ = signs_ = 0;
  return first;
}

Attempt Automatic::attempt(double to) {
  if (refusals_ >= most_refusals_of_independent) {
    // What the others shortened in vain need not be that short.
    const double first = change_coordinates();
    if (std::abs(first) > std::abs(to - time())) return {false, first, nullptr};
  }
  return attempt_and_note(to);
}

// Returns the result where the method wrote it: a copy would wait until all of the attempt is done.
Attempt Automatic::attempt_and_note(double to) {
  Attempt result = active().attempt(to);
  if (result.acceptable || parts_.is_helped(active_)) return result;
  const bool diverged = is_sweeping() && parts_.sweeps(sweeping_).sweep_record().diverged;
  if (diverged) ++divergences_;
  // Sweeps of independent coordinates that diverge tell of stiffness only.
  if (result.trouble != nullptr && !(diverged && sweeping_ == Part::tangent)) {
    refusals_ += active_ == Part::gauss && !diverged ? refusals_of_projection : 1;
    if (active_ == Part::tangent) losses_ += 1.0;
  }
  return result;
}

void Automatic::note_use(bool helped) {
  const int part = static_cast<int>(helped ? Part::tangent : active_);
  if (std::find(used_.begin(), used_.end(), part) == used_.end()) used_.push_back(part);
}

void Automatic::note_poses() {
  const auto& found = active().poses();
  if (!found.empty() && (poses_.empty() || poses_.back().t != found.back().t)) poses_.push_back(found.back());
}

bool Automatic::returns_to_tangent() {
  if (active_ != Part::gauss || stands_in_ == 0 || --stands_in_ > 0) return false;
  sweeping_ = Part::tangent;
  return true;
}

// Only where no pose has been passed: beside poses coordinates are lost too, and only independent ones step over them.
bool Automatic::gives_up_tangent(bool seems_stiff) {
  losses_ *= memory_of_losses;
  if (active_ != Part::tangent || losses_ < (seems_stiff ? few_losses : most_losses) || !poses_.empty()) return false;
  sweeping_ = Part::gauss;
  return true;
}

bool Automatic::notes_sign_of_sweeps() {
  const SweepRecord& record = parts_.sweeps(sweeping_).sweep_record();
  // Newton corrections, which gain two digits each, would need about half as many.
  const bool are_many = record.sweeps >= least_many_sweeps && trial_.has_served() &&
                        record.sweeps >= 2.0 - std::log10(parts_.newton().sweep_tolerance());
  if (divergences_ > 0) signs_ += sign_of_divergence + sign_of_more_divergences * (divergences_ - 1);
  diverging_ = memory_of_losses * diverging_ + (divergences_ > 0 ? 1.0 : 0.0);
  if (diverging_ > many_divergences) signs_ += first_signs;
  return divergences_ > 0 || (record.wish > limited && record.sweeps >= least_telling_sweeps) || are_many;
}

bool Automatic::newton_sees_sweeps_serve() const {
  if (!parts_.restores_positions()) return false;
  const Radau& newton = parts_.newton();
  const double contraction = newton.fixed_point_contraction();
  return (contraction < contracting && contraction < std::sqrt(std::sqrt(newton.sweep_tolerance()))) ||
         trial_.sweeps_would_serve(contraction, newton.sweep_tolerance() / newton.first_residual(),
                                   parts_.sweeps(sweeping_).order() / 2, (newton.order() + 1) / 2);
}

double Automatic::accept() {
  const double from = time();
  const bool helped = parts_.is_helped(active_);
  const double h = active().accept();
  trial_.add_step(time() - from, is_sweeping(), parts_.has(Part::radau) ? parts_.newton().newton_work() : NewtonWork{},
                  statistics());
  if (last_ != active_ || used_.empty() || helped) note_use(helped);
  last_ = active_;
  note_poses();
  if (helped) {
    divergences_ = refusals_ = 0;
    return h;
  }
  return go_on(h);
}

double Automatic::go_on(double h) {
  const double left = std::abs(until_ - time());
  bool sign = false;
  bool looks = true;
  int weight = 1;
  bool tries = false;
  bool tried_in_vain = false;
  bool resumes = false;  // radau, from which the sweeps took over in vain
  if (is_sweeping()) {
    sign = notes_sign_of_sweeps();
    resumes = trial_.sweeps_have_lost(left);
    const bool due = trial_.is_due(parts_.sweeps(sweeping_).sweep_record(), left);
    tries = (resumes || due) && parts_.may_use_radau() && !fixed_steps_;
  } else {
    // What the linearized equations say takes a fiftieth of a step of small systems: after a trial every second is
    // asked.
    weight = trial_.goes_on() ? 1 : 2;
    looks = weight == 1 || statistics().accepted % 2 == 0;
    sign = looks && newton_sees_sweeps_serve();
    tried_in_vain = trial_.is_lost() && parts_.restores_positions();
  }
  divergences_ = refusals_ = 0;
  // Signs that are enough stay so until a trial can be afforded.
  if (is_sweeping() ? signs_ < needed_ : looks) {
    signs_ = sign ? signs_ + weight : std::max(0, signs_ - weight);
  }
  const bool other_is_better =
      signs_ >= needed_ && parts_.may_use_radau() && (!is_sweeping() || trial_.can_afford(left));
  if (returns_to_tangent() || gives_up_tangent(other_is_better)) {
    const double first = hand_over_to(sweeping_);
    signs_ = 0;
    return std::abs(first) < std::abs(h) ? h : std::copysign(std::min(std::abs(first), 2.0 * std::abs(h)), h);
  }
  if (!other_is_better && !tries && !tried_in_vain) return h;
  signs_ = 0;
  diverging_ = 0.0;
  if (other_is_better) needed_ = std::min(most_signs, 3 * needed_);
  if (is_sweeping()) trial_.change_to_radau(other_is_better, h);
  else trial_.change_to_sweeps(tried_in_vain);
  const double first = hand_over_to(is_sweeping() ? Part::radau : sweeping_);
  if (tried_in_vain) return trial_.swept_step();
  if (resumes && tries) return std::copysign(std::max(trial_.newton_step(), std::abs(h)), h);
  // Where accuracy has limited the step, one of radau resolves half as much.
  const double least = active_ == Part::radau && !other_is_better ? 0.5 : 1.0;
  const double most = active_ == Part::radau ? growth_to_radau : 2.0;
  return h * std::clamp(std::abs(first / h), least, most);
}

void Automatic::visit_state(Archive& archive) {
  archive.name("auto");
  archive(parts_);
  int sweeping = static_cast<int>(sweeping_), active = static_cast<int>(active_), last = static_cast<int>(last_);
  archive(sweeping, active, last);
  sweeping_ = static_cast<Part>(sweeping);
  active_ = static_cast<Part>(active);
  last_ = static_cast<Part>(last);
  archive(until_, signs_, needed_, divergences_, refusals_, changes_, diverging_, losses_, stands_in_, stand_in_,
          trial_, used_, poses_);
  scratch(system_);
}

std::string Automatic::methods_used() const {
  std::string names;
  for (const int part : used_) {
    if (!names.empty()) names += '+';
    names += AutomaticParts::names.at(static_cast<std::size_t>(part));
  }
  return names;
}

}  // namespace raak
