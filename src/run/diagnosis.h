// Says why an integration could not go on: the cause, where, and one thing to try, as data and in words.
#pragma once
#include <string>

#include "run/conditioning.h"
#include "run/integrate.h"

namespace raak {

const std::string& cause_name(Diagnosis::Cause cause);

// No step could be accepted from `last`; `trouble`: why not, if not simply for its error.
Diagnosis diagnose_small_step(const ConstrainedSystem& system, const State& start, const State& last, const Plan& plan,
                              double step, const char* trouble);
// So many steps were taken that something must be wrong.
Diagnosis diagnose_budget(const ConstrainedSystem& system, const MethodInfo& method, const State& start,
                          const State& last, const Plan& plan, double step, long budget);
// The mean of the last steps leads nowhere within the budget.
Diagnosis diagnose_pace(const ConstrainedSystem& system, const MethodInfo& method, const State& start,
                        const State& last, const Plan& plan, double mean_step);

// The whole in a few sentences.
std::string text_of(const Diagnosis& diagnosis);

// The largest frequency of the linearised equations, rad/s, by a few power iterations; 0 where there is none.
double fastest_frequency(const ConstrainedSystem& system, const State& state);

// A row that was left out as redundant no longer follows from the others.
std::string explain_open_row(const RowGap& gap, double t);

}  // namespace raak
