#include "methods/stiff_trial.h"

#include <cmath>

namespace raak {
namespace {

constexpr double memory = 11.0 / 12.0;
constexpr double worth_a_trial = 0.2;  // mean contraction; where accuracy limits the steps it is 0.03 to 0.17
constexpr int steps_of_trial = 6;      // accepted ones of radau, of which the first may be short
constexpr double after = 1.5;          // the sweeps have done as many times the work of a trial
constexpr double rarer = 4.0;          // after a trial
constexpr double handicap = 1.1;

}  // namespace

// The work of factors was measured on models of 1 to 10 freedoms: 2 to 8 evaluations for one freedom, 200 for ten.
void StiffTrial::begin(const ConstrainedSystem& system, const Statistics& now) {
  *this = {};
  const double freedoms = system.coordinates() - system.position_rows();
  work_of_factors_ = 6.0 + 2.0 * freedoms * freedoms;
  evaluations_ = now.evaluations;
  factorizations_ = now.factorizations;
  next_ = after * work_of_trial();
}

double StiffTrial::work_of_trial() const {
  constexpr double evaluations = 40.0;  // of a step
  constexpr double factors = 2.0;       // a real and a complex matrix
  return steps_of_trial * (evaluations + factors * work_of_factors_);
}

// The factors that sweeps and projections take are part of their evaluations.
void StiffTrial::add_step(double length, bool by_sweeps, const Statistics& now) {
  double done = static_cast<double>(now.evaluations - evaluations_);
  if (!by_sweeps) done += work_of_factors_ * static_cast<double>(now.factorizations - factorizations_);
  evaluations_ = now.evaluations;
  factorizations_ = now.factorizations;
  work_ += done;
  way_ = memory * way_ + std::abs(length);
  recent_work_ = memory * recent_work_ + done;
}

bool StiffTrial::is_due(const SweepRecord& record) {
  if (record.sweeps > 1) contraction_ += (1.0 - memory) * (record.contraction - contraction_);
  return work_ > next_ && contraction_ > worth_a_trial;
}

void StiffTrial::change_to_radau(bool as_trial, double h) {
  swept_pace_ = as_trial ? way_ / recent_work_ : 0.0;
  swept_h_ = h;
  steps_ = 0;
  way_ = recent_work_ = 0.0;
  served_ = true;
}

void StiffTrial::change_to_sweeps() {
  swept_pace_ = way_ = recent_work_ = 0.0;
}

bool StiffTrial::is_lost() {
  if (swept_pace_ == 0.0 || ++steps_ < steps_of_trial) return false;
  served_ = way_ >= handicap * swept_pace_ * recent_work_;
  swept_pace_ = 0.0;
  next_ = rarer * work_;
  return !served_;
}

}  // namespace raak
