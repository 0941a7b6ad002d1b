// Causes that more than one kind of trouble may have: what is blamed, in which words, with which advice.
#pragma once
#include <string>

#include "run/integrate.h"

namespace raak {

void blame_growth(const ConstrainedSystem& system, const State& start, const State& last, const Plan& plan,
                  Diagnosis& found);
std::string words_at_singularity(const State& start, const State& last);
std::string advice_at_singularity(const ConstrainedSystem& system, const Plan& plan);

}  // namespace raak
