#include "api/results/solve_error.h"

#include <raak/errors.h>

#include <utility>

#include "run/diagnosis/diagnosis.h"

namespace raak_v0::detail {

void throw_solve_error(const core::Result& result, std::shared_ptr<const Result> partial) {
  core::Diagnosis diagnosis;
  diagnosis.t = result.end.t;
  if (result.diagnosis) diagnosis = *result.diagnosis;
  const bool stopped = result.termination == core::Termination::interrupted;
  throw SolveError(result.message, diagnosis.t, stopped ? "interrupted" : core::cause_name(diagnosis.cause),
                   diagnosis.advice, std::move(partial));
}

Statistics public_statistics(const core::Statistics& work) {
  return {work.steps,     work.accepted,       work.rejected,   work.evaluations,
          work.jacobians, work.factorizations, work.cpu_seconds};
}

}  // namespace raak_v0::detail
