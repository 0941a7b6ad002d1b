#include "mechanism/start/leaving_singular_rest.h"

#include "base/error.h"
#include "mechanism/bodies/placement.h"
#include "mechanism/start/arc_guesses.h"
#include "mechanism/start/start_motion.h"

namespace raak {

void leave_singular_rest(const std::shared_ptr<const MaximalFormulas>& all, const ConstrainedSystem& complete,
                         const StartRequest& start, State& found, RowChoice& choice) {
  const bool rests = found.v.size() == 0 || found.v.cwiseAbs().maxCoeff() == 0.0;
  if (choice.report.momentary == 0 || !rests) return;
  Vector g(complete.position_rows());
  const auto gap = [&](const Vector& q) {
    complete.constraint(start.t, inner_state(all->instance(), start.t, q, start.v).q, g);
    return g.norm();
  };
  for (const Vector& q : arc_guesses(all->instance(), reported_names(*all).velocities, gap)) {
    StartRequest bent = start;
    bent.q = q;
    try {
      State motion = find_motion(all, complete, bent);
      RowChoice rows = choose_rows(*all, complete, motion);
      if (rows.report.momentary > 0) continue;
      found = std::move(motion);
      choice = std::move(rows);
      return;
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::computation) throw;
    }
  }
}

}  // namespace raak
