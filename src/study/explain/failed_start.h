// Why a mechanism cannot be put together: constraints that contradict each other, a singular configuration, or parts
// that do not fit, and which rows have the gap.
#pragma once
#include <string>
#include <utility>

#include "base/error.h"
#include "study/explain/explain.h"

namespace raak {

// `error`: with which the start was refused.
void explain_failed_start(Explanation& found, const Model& model, const Error& error);

// What a StartFailure found, and its advice; of another error all of it, and none.
std::pair<std::string, std::string> finding_and_advice(const Error& error);

// Of a row that was left out as redundant and has opened: the joints that it was dependent on, which are known.
void name_sharing(Result& result, const Model& model);

inline void conclude(Explanation& found, Explanation::Cause cause, std::string finding, std::string advice) {
  found.cause = cause;
  found.finding = std::move(finding);
  found.advice = std::move(advice);
}

}  // namespace raak
