// What a system has that depends on time alone: motions of drivers, forces that are formulas of time, constraints that
// move. Kept with the system, and looked at once for all runs over the same span (brief_moments.h).
#pragma once
#include <memory>
#include <mutex>

#include "base/tape/tape.h"
#include "system/constrained_system.h"
#include "system/time/brief_moments.h"

namespace raak {

class TimeFormulas {
 public:
  explicit TimeFormulas(TimeFunctions functions) : functions_(std::move(functions)) {}
  // Of a run between these times; null: there are none.
  std::shared_ptr<const BriefMoments> brief_moments(double from, double until) const;

 private:
  TimeFunctions functions_;
  mutable std::mutex mutex_;
  mutable double from_ = 0.0, until_ = 0.0;  // of the last run
  mutable std::shared_ptr<const BriefMoments> last_;
};

// What a system that may depend on time implements beside ConstrainedSystem.
class DependsOnTime {
 public:
  DependsOnTime() = default;
  DependsOnTime(const DependsOnTime&) = delete;
  DependsOnTime& operator=(const DependsOnTime&) = delete;
  virtual ~DependsOnTime() = default;
  // Null: there are none that matter.
  virtual const TimeFormulas* time_formulas() const = 0;
};

std::shared_ptr<const BriefMoments> brief_moments_of(const ConstrainedSystem& system, double from, double until);

// Makes outputs of block 0 of what is recorded on the tape and depends on t alone (inputs of the block `constants`
// count as such): formulas, without those of the second degree, which no method overlooks, and switching functions.
TimeFunctions write_time_functions(Tape& tape, const Recorded& t, int constants = -1);

}  // namespace raak
