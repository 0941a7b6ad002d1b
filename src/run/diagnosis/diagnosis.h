// Says why an integration could not go on: the cause, where, and one thing to try, as data and in words.
#pragma once
#include <string>

#include "run/diagnosis/conditioning.h"
#include "run/integrate.h"

namespace raak {

inline constexpr double worth_a_name = 1e2;  // growth from which a coordinate is named beside another cause

const std::string& cause_name(Diagnosis::Cause cause);

// What can be seen at `last` without knowing what went wrong: residuals, singular values, what has grown since `start`.
Diagnosis look_around(const ConstrainedSystem& system, const State& start, const State& last, double step);

// No step could be accepted from `last`; `trouble`: why not, if not simply for its error.
Diagnosis diagnose_small_step(const ConstrainedSystem& system, const State& start, const State& last, const Plan& plan,
                              double step, const char* trouble);
// So many steps were taken that something must be wrong.
Diagnosis diagnose_budget(const ConstrainedSystem& system, const MethodInfo& method, const State& start,
                          const State& last, const Plan& plan, double step, long budget);
// The mean of the last steps leads nowhere within the budget.
Diagnosis diagnose_pace(const ConstrainedSystem& system, const MethodInfo& method, const State& start,
                        const State& last, const Plan& plan, double mean_step);

// Something has grown beyond all that a mechanism does.
Diagnosis diagnose_growth(const ConstrainedSystem& system, const State& start, const State& last, const Plan& plan,
                          double step);

// The whole in a few sentences.
std::string text_of(const Diagnosis& diagnosis);

// A row that was left out as redundant no longer follows from the others.
Diagnosis diagnose_open_row(const ConstrainedSystem& system, const State& start, const State& last, double step,
                            const RowGap& gap);

}  // namespace raak
