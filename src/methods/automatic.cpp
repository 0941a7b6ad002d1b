#include "methods/automatic.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "methods/chart.h"
#include "methods/gauss.h"
#include "methods/tangent.h"

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
constexpr int most_lasting_freedoms = 4;

}  // namespace

Automatic::Automatic(const ConstrainedSystem& system, std::string form, const Tolerances& tolerances)
    : system_(system),
      form_(std::move(form)),
      tolerances_(tolerances),
      sweeping_(may_use_tangent() ? tangent() : gauss()),
      active_(sweeping_),
      last_(sweeping_) {
  used_.reserve(3);
}

bool Automatic::may_use_tangent() const {
  return form_ != "index2" && system_.velocity_rows() == 0 && system_.position_rows() > 0 &&
         CoordinateChoice::is_affordable(system_);
}

FixedPointMethod* Automatic::tangent() {
  if (!tangent_) tangent_ = make_tangent(system_, form_, tolerances_);
  return part(*tangent_);
}
FixedPointMethod* Automatic::gauss() {
  if (!gauss_) gauss_ = make_gauss(system_, form_, tolerances_);
  return part(*gauss_);
}
Radau* Automatic::radau() {
  if (!radau_) radau_ = std::make_unique<Radau>(system_, form_, tolerances_);
  return part(*radau_);
}

// Of the only row: elsewhere it may vanish, as that of a crank and a rod of one length does where both stand upright.
bool Automatic::row_changes_length(const State& start) const {
  constexpr double way = 0.3;  // in the scales of the coordinates
  constexpr double noticed = 1e-3;
  constexpr int most_corrections = 10;
  Matrix row(1, system_.coordinates());
  system_.jacobian(start.t, start.q, row);
  const double length = row.norm();
  if (!(length > 0.0)) return true;
  // Along the row's own coordinates: one moves, the one with the largest entry follows.
  Eigen::Index follows = 0;
  Eigen::Index moves = 0;
  row.cwiseAbs().row(0).maxCoeff(&follows);
  Vector others = row.cwiseAbs().transpose();
  others[follows] = -1.0;
  others.maxCoeff(&moves);
  Vector along = Vector::Zero(system_.coordinates());
  along[moves] = 1.0;
  along[follows] = -row(0, moves) / row(0, follows);
  Vector q = start.q + way / along.cwiseQuotient(system_.coordinate_scales()).norm() * along;
  const double closed = std::max(1e-9 * system_.row_scales()[0], rounding_of_rows(system_, q));
  double residual = HUGE_VAL;
  for (int i = 0; i < most_corrections && residual > closed; ++i)
    residual = system_.correct_position(start.t, q.data());
  if (!(residual <= closed)) return true;
  system_.jacobian(start.t, q, row);
  return !(std::abs(row.norm() - length) <= noticed * length);
}

double Automatic::begin(const State& start, double until) {
  until_ = until;
  double h = 0.0;
  sweeping_ = nullptr;
  if (may_use_tangent()) {
    // Only independent coordinates pass singular poses, which few freedoms of many rows may have. Many freedoms change
    // their coordinates often, and so do unit lengths of quaternions, few rows for the freedoms that they leave, and a
    // point on a rod, whose row is as long in every pose.
    const int freedoms = system_.coordinates() - system_.position_rows();
    const bool lasting = freedoms <= most_lasting_freedoms && freedoms <= 2 * system_.position_rows() &&
                         (system_.position_rows() > 1 || row_changes_length(start));
    const bool affordable =
        freedoms <= system_.position_rows() && system_.coordinates() <= most_coordinates_evaluated_slowly;
    if (lasting) {
      h = tangent()->begin(start, until);
      if (tangent_->is_fast() || affordable) sweeping_ = tangent_.get();
    }
  }
  if (sweeping_ == nullptr) {
    sweeping_ = gauss();
    h = sweeping_->begin(start, until);
  }
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
  if (gauss_) gauss_->use_fixed_steps();
  if (radau_) radau_->use_fixed_steps();
  if (tangent_) tangent_->use_fixed_steps();
}

DecayControl& Automatic::control_of(Integrator* method) {
  if (method == radau_.get()) return radau_->control();
  return method == gauss_.get() ? gauss_->control() : tangent_->control();
}

double Automatic::hand_over_to(Integrator* other) {
  const State from = active_->current();
  const double first = other->begin(from, until_);
  control_of(other).carry_on(control_of(active_));
  active_ = other;
  return first;
}

// Between independent coordinates and all of them. Returns the first step of those it has changed to, 0 if it has not.
double Automatic::change_coordinates() {
  const bool independent = uses_tangent();
  const int most = independent ? most_refusals_of_independent : most_refusals_of_all;
  if (refusals_ < most || changes_ >= most_changes || (!independent && !may_use_tangent())) return 0.0;
  ++changes_;
  if (independent) {
    stands_in_ = stand_in_;
    stand_in_ *= 8;
  }
  sweeping_ = independent ? gauss() : tangent();
  const double first = hand_over_to(sweeping_);
  refusals_ = divergences_ = signs_ = 0;
  return first;
}

Attempt Automatic::attempt(double to) {
  if (refusals_ >= most_refusals_of_independent) {
    // What the others shortened in vain need not be that short.
    const double first = change_coordinates();
    if (std::abs(first) > std::abs(to - active_->time())) return {false, first, nullptr};
  }
  return attempt_and_note(to);
}

// Returns the result where the method wrote it: a copy would wait until all of the attempt is done.
Attempt Automatic::attempt_and_note(double to) {
  Attempt result = active_->attempt(to);
  if (result.acceptable) return result;
  const bool diverged = is_sweeping() && sweeping_->sweep_record().diverged;
  if (diverged) ++divergences_;
  // Sweeps of independent coordinates that diverge tell of stiffness only.
  if (result.trouble != nullptr && !(diverged && sweeping_ == tangent_.get())) {
    refusals_ += active_ == gauss_.get() && !diverged ? refusals_of_projection : 1;
    if (uses_tangent()) losses_ += 1.0;
  }
  return result;
}

void Automatic::note_use() {
  const char* name = active_ == radau_.get() ? "radau" : active_ == gauss_.get() ? "gauss" : "tangent";
  if (std::find(used_.begin(), used_.end(), name) == used_.end()) used_.push_back(name);
}

bool Automatic::returns_to_tangent() {
  if (!is_sweeping() || sweeping_ != gauss_.get() || stands_in_ == 0 || --stands_in_ > 0) return false;
  sweeping_ = tangent_.get();
  return true;
}

// Only where no pose has been passed: beside poses coordinates are lost too, and only independent ones step over them.
bool Automatic::gives_up_tangent(bool seems_stiff) {
  losses_ *= memory_of_losses;
  if (!uses_tangent() || losses_ < (seems_stiff ? few_losses : most_losses) || !poses_.empty()) return false;
  sweeping_ = gauss();
  return true;
}

double Automatic::accept() {
  const double from = active_->time();
  const double h = active_->accept();
  trial_.add_step(active_->time() - from, is_sweeping(), radau_ ? radau_->newton_work() : 0.0, statistics());
  if (last_ != active_ || used_.empty()) note_use();
  last_ = active_;
  if (const auto& found = active_->poses(); !found.empty() && (poses_.empty() || poses_.back().t != found.back().t))
    poses_.push_back(found.back());
  bool sign = false;
  bool tries = false;
  bool tried_in_vain = false;
  if (is_sweeping()) {
    const SweepRecord& record = sweeping_->sweep_record();
    // Newton corrections, which gain two digits each, would need about half as many.
    const auto are_many = [&](int sweeps) {
      return sweeps >= least_many_sweeps && trial_.has_served() &&
             sweeps >= 2.0 - std::log10(radau_->sweep_tolerance());
    };
    sign =
        divergences_ > 0 || (record.wish > limited && record.sweeps >= least_telling_sweeps) || are_many(record.sweeps);
    if (divergences_ > 0) signs_ += sign_of_divergence + sign_of_more_divergences * (divergences_ - 1);
    diverging_ = memory_of_losses * diverging_ + (divergences_ > 0 ? 1.0 : 0.0);
    if (diverging_ > many_divergences) signs_ += first_signs;
    const bool due = trial_.is_due(record);
    tries = (trial_.sweeps_have_lost() || due) && has_radau() && !fixed_steps_;
  } else {
    const double enough = std::sqrt(std::sqrt(radau_->sweep_tolerance()));
    const double contraction = radau_->fixed_point_contraction();
    sign = contraction < std::min(contracting, enough) ||
           trial_.sweeps_would_serve(contraction, radau_->sweep_tolerance() / radau_->first_residual(),
                                     sweeping_->order() / 2, (radau_->order() + 1) / 2);
    tried_in_vain = trial_.is_lost();
  }
  divergences_ = refusals_ = 0;
  // Signs that are enough stay so until a trial can be afforded.
  if (!is_sweeping() || signs_ < needed_) signs_ = sign ? signs_ + 1 : std::max(0, signs_ - 1);
  const bool other_is_better = signs_ >= needed_ && has_radau() && (!is_sweeping() || trial_.can_afford());
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
  const double first = hand_over_to(is_sweeping() ? static_cast<Integrator*>(radau()) : sweeping_);
  if (tried_in_vain) return trial_.swept_step();
  const double longest = (active_ == radau_.get() ? growth_to_radau : 2.0) * std::abs(h);
  return std::abs(first) < std::abs(h) ? h : std::copysign(std::min(std::abs(first), longest), h);
}

void Automatic::visit_state(Archive& archive) {
  archive.name("auto");
  // The parts that were made, and which of them is which.
  bool made[] = {tangent_ != nullptr, gauss_ != nullptr, radau_ != nullptr};
  archive(made);
  if (archive.is_loading()) {
    if (made[0]) tangent();
    if (made[1]) gauss();
    if (made[2]) radau();
  }
  if (made[0]) tangent_->visit_state(archive);
  if (made[1]) gauss_->visit_state(archive);
  if (made[2]) radau_->visit_state(archive);
  const std::array<Integrator*, 3> parts{tangent_.get(), gauss_.get(), radau_.get()};
  const auto number = [&](const Integrator* part) {
    return static_cast<int>(std::find(parts.begin(), parts.end(), part) - parts.begin());
  };
  int sweeping = number(sweeping_), active = number(active_), last = number(last_);
  archive(sweeping, active, last);
  if (archive.is_loading()) {
    sweeping_ = sweeping == 0 ? tangent_.get() : gauss_.get();
    active_ = parts.at(static_cast<std::size_t>(active));
    last_ = parts.at(static_cast<std::size_t>(last));
  }
  archive(until_, signs_, needed_, divergences_, refusals_, changes_, diverging_, losses_, stands_in_, stand_in_,
          trial_);
  constexpr std::array names{"tangent", "gauss", "radau"};
  std::vector<int> used;
  for (const char* name : used_)
    used.push_back(static_cast<int>(
        std::find_if(names.begin(), names.end(), [&](const char* each) { return std::string_view(each) == name; }) -
        names.begin()));
  archive(used, poses_);
  if (archive.is_loading()) {
    used_.clear();
    for (const int name : used) used_.push_back(names.at(static_cast<std::size_t>(name)));
  }
  scratch(system_, form_, tolerances_);
}

std::string Automatic::methods_used() const {
  std::string names;
  for (const char* name : used_) {
    if (!names.empty()) names += '+';
    names += name;
  }
  return names;
}

}  // namespace raak
