// A run that did not reach its end as an exception, and the account of work, for runs in one go and step by step.
#pragma once
#include <raak/result.h>

#include <memory>

#include "api/core.h"
#include "run/integrate.h"

namespace raak_v0::detail {

[[noreturn]] void throw_solve_error(const core::Result& result, std::shared_ptr<const Result> partial);
Statistics public_statistics(const core::Statistics& statistics);

}  // namespace raak_v0::detail
