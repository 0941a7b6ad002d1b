#include "methods/composite/stiff_trial.h"

#include <algorithm>
#include <cmath>

#include "methods/control/sweep_monitor.h"
#include "system/recorded/evaluation_cost.h"
#include "system/relative_coordinates.h"

namespace raak {
namespace {

constexpr double memory_of_work = 11.0 / 12.0;
constexpr double memory_of_trial = 0.6;
constexpr double growing = 1.25;
constexpr double much_slower = 0.5;
constexpr double worth_a_trial = 0.2;  // mean contraction; where accuracy limits the steps it is 0.03 to 0.17
// Or where accuracy would allow longer steps than contraction does, most of the time.
constexpr double longer_wished = 1.2, contracting_badly = 0.1, many_limited = 0.5;
constexpr double many_sweeps = 9.0;  // or where a step takes so many; 4 to 7 are usual, whatever digits are asked for
constexpr double digits_a_sweep = 1.0;   // that it usually gains
constexpr int steps_of_trial = 6;        // accepted ones of radau at least, of which the first may be short
constexpr int steps_after_radau = 10;    // of the sweeps, of which the first are short
constexpr double share_of_trial = 0.25;  // of the work before it: a trial goes on so long, since vibrations die slowly
// The sweeps have done as many times the work of the shortest trial before it: the fewer, the more it promises.
constexpr double earliest = 1.0 / 3.0, latest = 3.0;
constexpr double most_believed = 10.0;  // of the length that steps could have
constexpr double rarer = 3.0;           // after a trial
constexpr double handicap = 1.1;
constexpr double handicap_of_sweeps = 0.8;      // where steps look stiff: they will go on to
constexpr double hopeless = 0.15;               // of the sweeps' pace: then a trial ends at once
constexpr double clearly = 1.5;                 // faster
constexpr double cycles_per_coordinate = 16.0;  // what sums over the stages take, beside an evaluation of four lanes
constexpr double evaluations_of_linearization = 20.0;
constexpr double evaluations_of_direction = 5.0;
constexpr double evaluations_of_projection = 4.0;

}  // namespace

void StiffTrial::begin(const ConstrainedSystem& system, const State& start, double renewal, const Statistics& now) {
  constexpr double evaluations_of_step = 40.0;
  *this = {};
  cycles_ = (acceleration_cost(system, start.t, start.q) + cycles_per_coordinate * system.coordinates()) / lanes;
  evaluations_ = now.evaluations;
  // Where what they leave is judged more strictly, the sweeps that this takes are no sign.
  many_sweeps_ = many_sweeps + std::log10(strictness_of(system).of_iterations) / digits_a_sweep;
  // In independent coordinates each of them is a direction to differentiate along.
  const int directions = SparseEquations::worthwhile(system) != nullptr ? 0 : system.coordinates() - system.rows();
  price_ = steps_of_trial * (evaluations_of_step + evaluations_of_linearization +
                             evaluations_of_direction * directions + renewal / cycles_);
}

// The factors that sweeps and projections take are part of their evaluations.
void StiffTrial::add_step(double length, bool by_sweeps, const NewtonWork& newton_work, const Statistics& now) {
  double done = static_cast<double>(now.evaluations - evaluations_);
  if (!by_sweeps)
    done +=
        (newton_work.cycles - newton_work_.cycles) / cycles_ +
        evaluations_of_linearization * static_cast<double>(newton_work.linearizations - newton_work_.linearizations);
  newton_work_ = newton_work;
  evaluations_ = now.evaluations;
  work_ += done;
  length_before_ = last_length_;
  last_length_ = std::abs(length);
  const double weight = swept_pace_ > 0.0 && !confirms_ ? memory_of_trial : memory_of_work;
  way_ = weight * way_ + last_length_;
  recent_work_ = weight * recent_work_ + done;
  recent_steps_ = weight * recent_steps_ + 1.0;
}

bool StiffTrial::can_afford(double left) const {
  return work_ > earliest * price_ && would_take(left) > price_;
}

bool StiffTrial::is_due(const SweepRecord& record, double left) {
  const double gain = std::max(1.0 - memory_of_work, 1.0 / ++swept_);  // a plain mean at first
  if (record.sweeps > 1) contraction_ += gain * (record.contraction - contraction_);
  const bool limits = record.wish > longer_wished && record.contraction > contracting_badly;
  limited_ += gain * ((limits ? 1.0 : 0.0) - limited_);
  sweeps_ += gain * (record.sweeps - sweeps_);
  wish_ += gain * (std::clamp(record.wish, 1.0, most_believed) - wish_);
  const bool contracts_badly = contraction_ > worth_a_trial || limited_ > many_limited;
  if (work_ < next_ || !(contracts_badly || sweeps_ > many_sweeps_)) return false;
  // How much further radau would get with the same work, if its steps are as long as accuracy allows.
  const double promise = wish_ * steps_of_trial * work_of_step() / price_;
  return work_ > price_ * std::clamp(1.0 / promise, earliest, latest) && can_afford(left) &&
         (contracts_badly || promise > 1.0);
}

void StiffTrial::change_to_radau(bool looks_stiff, double h) {
  least_ratio_ = looks_stiff ? handicap_of_sweeps : handicap;
  swept_pace_ = way_ / recent_work_;
  newton_pace_ = 0.0;
  swept_h_ = h;
  began_ = work_;
  budget_ = work_ + std::max(share_of_trial * work_, price_);
  confirms_ = false;
  forget_steps();
  paid_ = true;
}

void StiffTrial::change_to_sweeps(bool lost) {
  newton_pace_ = lost ? 0.0 : way_ / recent_work_;
  newton_length_ = last_length_;
  if (swept_pace_ > 0.0) end_trial();  // by what the linearized equations say
  price_ = steps_of_trial * work_of_step();
  swept_pace_ = 0.0;
  began_ = work_;
  forget_steps();
}

void StiffTrial::forget_steps() {
  way_ = recent_work_ = recent_steps_ = 0.0;
  steps_ = 0;
}

// What radau has damped comes back little by little: the pace that it had stays the measure.
bool StiffTrial::sweeps_have_lost(double left) {
  if (newton_pace_ == 0.0 || ++steps_ < steps_after_radau) return false;
  const bool soon = steps_ == steps_after_radau;
  if (way_ >= (soon ? 1.0 : much_slower) * newton_pace_ * recent_work_) return false;
  return soon || (work_ > began_ + price_ && can_afford(left));
}

bool StiffTrial::is_lost() {
  if (swept_pace_ == 0.0) return false;
  const double ratio = way_ / (swept_pace_ * recent_work_);
  if (confirms_) {
    if (work_ < budget_) return false;
    paid_ = ratio >= least_ratio_;
    end_trial();
    return !paid_;
  }
  // Steps that grow from one to the next have not shown yet what they are worth.
  const bool grows = last_length_ > growing * length_before_;
  const bool ends = work_ > budget_ + (grows ? budget_ - began_ : 0.0);
  if (++steps_ < steps_of_trial && !ends) return false;
  if (ratio < least_ratio_ && ratio > hopeless && !ends) return false;
  paid_ = ratio >= least_ratio_;
  if (!paid_) {
    end_trial();
    return true;
  }
  // A few long steps are no proof: it has to keep its pace for as long again.
  confirms_ = true;
  budget_ = work_ + std::max(share_of_trial * work_, price_);
  return false;
}

// The slower radau was, the longer the next one waits, unless there were only the first short steps to judge by.
void StiffTrial::end_trial() {
  const double ratio = steps_ < steps_of_trial ? 1.0 : way_ / (swept_pace_ * recent_work_);
  next_ = rarer * work_ / std::clamp(ratio, hopeless, 1.0);
  swept_pace_ = 0.0;
}

bool StiffTrial::sweeps_would_serve(double contraction, double enough, int stages, int stages_of_radau) const {
  if (!(recent_work_ > 0.0) || !std::isfinite(contraction)) return false;
  const double rate = std::min(contraction, target_contraction);
  // Contraction shortens the steps in proportion where modes are damped, and less where they are not; with half as many
  // stages a step resolves half as much.
  const double resolved = std::min(1.0, static_cast<double>(stages) / stages_of_radau);
  const double length = last_length_ * std::min(rate / contraction, resolved);
  const auto pays = [&](double sweeps) {
    return length * recent_work_ > clearly * way_ * (stages * sweeps + evaluations_of_projection);
  };
  constexpr double fewest = 2.0;
  return pays(fewest) && pays(1.0 + std::max(1.0, std::log(enough) / std::log(std::max(rate, 1e-3))));
}

}  // namespace raak
