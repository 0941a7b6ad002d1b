#include "methods/composite/automatic.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "methods/catalogue.h"
#include "methods/runge_kutta/embedded_runge_kutta.h"
#include "system/called_equations.h"

namespace raak {
namespace {

constexpr double growth_to_radau = 16.0;  // stiffness has shortened the last step, not accuracy
constexpr int most_coordinates_evaluated_slowly = 100;

}  // namespace

Automatic::Automatic(const ConstrainedSystem& system, Form form, const Tolerances& tolerances)
    : system_(system), parts_(system, form, tolerances, *this) {
  sweeping_ = active_ = last_ = parts_.may_use_tangent() ? Part::tangent : Part::gauss;
  parts_.make(sweeping_);
  used_.reserve(AutomaticParts::names.size());
}

double Automatic::begin(const State& start, double until) {
  until_ = until;
  double h = 0.0;
  sweeping_ = Part::gauss;
  // Tangent asks for the rows and their rates at every stage, gauss once a step.
  const bool calls_are_dear = dynamic_cast<const CalledEquations*>(&system_) != nullptr;
  if (!calls_are_dear && parts_.independent_coordinates_last(start)) {
    const bool affordable = system_.coordinates() <= 2 * system_.position_rows() &&
                            system_.coordinates() <= most_coordinates_evaluated_slowly;
    h = parts_.make(Part::tangent).begin(start, until);
    if (parts_.sweeps(Part::tangent).is_fast() || affordable) sweeping_ = Part::tangent;
  }
  if (sweeping_ == Part::gauss) h = parts_.make(Part::gauss).begin(start, until);
  active_ = last_ = sweeping_;
  coordinates_ = {};
  stiffness_ = {};
  signs_ = {};
  trial_.begin(system_, start, Radau::foreseen_factor_cost(system_), statistics());
  used_.clear();
  singularities_.clear();
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

Attempt Automatic::attempt(double to) {
  const Part other =
      coordinates_.has_refusals() ? coordinates_.after_refusals(active_, parts_.may_use_tangent()) : active_;
  if (other != active_) {
    sweeping_ = other;
    const double first = hand_over_to(other);
    stiffness_.forget_divergences();
    signs_.forget();
    // What the others shortened in vain need not be that short.
    if (std::abs(first) > std::abs(to - time())) return {false, first, nullptr};
  }
  return attempt_and_note(to);
}

// Returns the result where the method wrote it: a copy would wait until all of the attempt is done.
Attempt Automatic::attempt_and_note(double to) {
  Attempt result = active().attempt(to);
  if (result.acceptable || parts_.is_helped(active_)) return result;
  const bool diverged = is_sweeping() && parts_.sweeps(sweeping_).sweep_record().diverged;
  if (diverged) stiffness_.note_divergence();
  if (result.trouble != nullptr) coordinates_.note_refusal(active_, diverged);
  return result;
}

void Automatic::note_use(bool helped) {
  const int part = static_cast<int>(helped ? Part::tangent : active_);
  if (std::find(used_.begin(), used_.end(), part) == used_.end()) used_.push_back(part);
}

void Automatic::note_singularities() {
  const auto& found = active().singularities();
  if (!found.empty() && (singularities_.empty() || singularities_.back().t != found.back().t))
    singularities_.push_back(found.back());
}

bool Automatic::sweeps_look_stiff() {
  // Newton corrections, which gain two digits each, would need about half as many.
  constexpr double least_many = 7.0;
  const double many =
      trial_.has_paid() ? std::max(least_many, 2.0 - std::log10(parts_.newton().sweep_tolerance())) : HUGE_VAL;
  return stiffness_.note_sweeps(parts_.sweeps(sweeping_).sweep_record(), many, signs_);
}

bool Automatic::newton_sees_sweeps_serve() const {
  if (!parts_.restores_positions()) return false;
  const Radau& newton = parts_.newton();
  const double contraction = newton.fixed_point_contraction();
  return StiffnessSelector::contract_well(contraction, newton.sweep_tolerance()) ||
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
  note_singularities();
  coordinates_.forget_refusals();
  if (helped) stiffness_.forget_divergences();
  return helped ? h : go_on(h);
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
    sign = sweeps_look_stiff();
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
  stiffness_.forget_divergences();
  // Signs that are enough stay so until a trial can be afforded.
  if (is_sweeping() ? !signs_.is_enough() : looks) signs_.note(sign, weight);
  const bool other_is_better =
      signs_.is_enough() && parts_.may_use_radau() && (!is_sweeping() || trial_.can_afford(left));
  if (const Part other = coordinates_.after_step(active_, other_is_better, !singularities_.empty()); other != active_) {
    sweeping_ = other;
    const double first = hand_over_to(other);
    signs_.forget();
    return std::abs(first) < std::abs(h) ? h : std::copysign(std::min(std::abs(first), 2.0 * std::abs(h)), h);
  }
  if (!other_is_better && !tries && !tried_in_vain) return h;
  signs_.forget();
  stiffness_.change();
  if (other_is_better) signs_.harden();
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
  archive(until_, coordinates_, stiffness_, signs_, trial_, used_, singularities_);
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

namespace {

// Where nothing is projected: none of its own methods goes without.
class PlainDop853 final : public Dop853 {
 public:
  using Dop853::Dop853;
  std::string methods_used() const override { return "dop853"; }
};

std::unique_ptr<Integrator> make(const ConstrainedSystem& system, Form form, const Tolerances& tolerances) {
  return holds_velocities(form) ? make_method<Automatic>(system, form, tolerances)
                                : make_projected<PlainDop853>(system, form, tolerances);
}

}  // namespace

MethodInfo automatic_method() {
  return {.name = "auto",
          .summary = "tangent, gauss where tangent cannot serve, and radau while the system is stiff",
          .forms = all_forms,
          .make = make,
          .is_choice = true,
          .is_for_stiffness = true,
          .follows_tolerance = true,
          .crosses_singularities = true,
          .shortfall = 0.0};
}

}  // namespace raak
