#include "methods/stiff_trial.h"

#include <algorithm>
#include <cmath>

#include "system/evaluation_cost.h"

namespace raak {
namespace {

constexpr double memory = 11.0 / 12.0;
constexpr double worth_a_trial = 0.2;  // mean contraction; where accuracy limits the steps it is 0.03 to 0.17
// Or where accuracy would allow longer steps than contraction does, most of the time.
constexpr double longer = 1.2, contracting = 0.1, many_limited = 0.5;
constexpr double many_sweeps = 9.0;    // or where a step takes so many; 4 to 7 are usual, whatever digits are asked for
constexpr int steps_of_trial = 6;      // accepted ones of radau at least, of which the first may be short
constexpr int steps_after_radau = 10;  // of the sweeps, of which the first are short
constexpr double share = 0.25;         // of the work before it: a trial goes on so long, since vibrations die slowly
constexpr double after = 1.0;          // the sweeps have done as many times the work of the shortest trial
constexpr double rarer = 3.0;          // after a trial
constexpr double handicap = 1.1;
constexpr double handicap_of_sweeps = 0.5;      // where steps look stiff: they will go on to
constexpr double hopeless = 0.15;               // of the sweeps' pace: then a trial ends at once
constexpr double clearly = 1.5;                 // faster
constexpr double target_contraction = 0.25;     // of the sweeps, by which they limit their steps (gauss.cpp)
constexpr double cycles_per_coordinate = 16.0;  // what sums over the stages take, beside an evaluation of four lanes
constexpr double evaluations_of_linearisation = 20.0;
constexpr double evaluations_of_projection = 4.0;

}  // namespace

void StiffTrial::begin(const ConstrainedSystem& system, const State& start, double renewal, const Statistics& now) {
  constexpr double evaluations_of_step = 40.0;
  *this = {};
  cycles_ = (acceleration_cost(system, start.t, start.q) + cycles_per_coordinate * system.coordinates()) / lanes;
  evaluations_ = now.evaluations;
  price_ = steps_of_trial * (evaluations_of_step + evaluations_of_linearisation + renewal / cycles_);
  next_ = after * price_;
}

// The factors that sweeps and projections take are part of their evaluations.
void StiffTrial::add_step(double length, bool by_sweeps, const NewtonWork& newton_work, const Statistics& now) {
  double done = static_cast<double>(now.evaluations - evaluations_);
  if (!by_sweeps)
    done +=
        (newton_work.cycles - newton_work_.cycles) / cycles_ +
        evaluations_of_linearisation * static_cast<double>(newton_work.linearisations - newton_work_.linearisations);
  newton_work_ = newton_work;
  evaluations_ = now.evaluations;
  work_ += done;
  last_length_ = std::abs(length);
  way_ = memory * way_ + last_length_;
  recent_work_ = memory * recent_work_ + done;
  recent_steps_ = memory * recent_steps_ + 1.0;
}

bool StiffTrial::is_due(const SweepRecord& record, double left) {
  const double gain = std::max(1.0 - memory, 1.0 / ++swept_);  // a plain mean at first
  if (record.sweeps > 1) contraction_ += gain * (record.contraction - contraction_);
  const bool limits = record.wish > longer && record.contraction > contracting;
  limited_ += gain * ((limits ? 1.0 : 0.0) - limited_);
  sweeps_ += gain * (record.sweeps - sweeps_);
  if (work_ < next_ || !can_afford(left)) return false;
  // Steps of radau that are no longer than those of the sweeps pay where they take less work.
  const bool costs_more = sweeps_ > many_sweeps && steps_of_trial * work_of_step() > price_;
  return contraction_ > worth_a_trial || limited_ > many_limited || costs_more;
}

void StiffTrial::change_to_radau(bool looks_stiff, double h) {
  least_ratio_ = looks_stiff ? handicap_of_sweeps : handicap;
  swept_pace_ = way_ / recent_work_;
  swept_h_ = h;
  budget_ = work_ + std::max(share * work_, price_);
  forget_steps();
  served_ = true;
}

void StiffTrial::change_to_sweeps(bool lost) {
  newton_pace_ = lost ? 0.0 : way_ / recent_work_;
  swept_pace_ = 0.0;
  forget_steps();
}

void StiffTrial::forget_steps() {
  way_ = recent_work_ = recent_steps_ = 0.0;
  steps_ = 0;
}

bool StiffTrial::sweeps_have_lost() {
  if (newton_pace_ == 0.0 || ++steps_ < steps_after_radau) return false;
  const bool lost = way_ < newton_pace_ * recent_work_;
  newton_pace_ = 0.0;
  return lost;
}

bool StiffTrial::is_lost() {
  if (swept_pace_ == 0.0) return false;
  const bool ends = work_ > budget_;
  if (++steps_ < steps_of_trial && !ends) return false;
  const double ratio = way_ / (swept_pace_ * recent_work_);
  if (ratio < least_ratio_ && ratio > hopeless && !ends) return false;
  price_ = steps_of_trial * work_of_step();
  served_ = ratio >= least_ratio_;
  swept_pace_ = 0.0;
  next_ = rarer * work_;
  return !served_;
}

bool StiffTrial::sweeps_would_serve(double contraction, double enough, int stages, int stages_of_radau) const {
  if (!(recent_work_ > 0.0) || !std::isfinite(contraction)) return false;
  const double rate = std::min(contraction, target_contraction);
  const double sweeps = 1.0 + std::max(1.0, std::log(enough) / std::log(std::max(rate, 1e-3)));
  // Contraction shortens the steps in proportion where modes are damped, and less where they are not; with half as many
  // stages a step resolves half as much.
  const double resolved = std::min(1.0, static_cast<double>(stages) / stages_of_radau);
  const double length = last_length_ * std::min(rate / contraction, resolved);
  return length * recent_work_ > clearly * way_ * (stages * sweeps + evaluations_of_projection);
}

}  // namespace raak
