// The recording scalar inside and outside.
#pragma once
#include <raak/equations.h>

#include "api/core.h"
#include "base/tape/tape.h"

namespace raak_v0::detail {

core::Recorded inside(const Real& x);
Real outside(const core::Recorded& x);

// While formulas of users are recorded by this thread.
extern thread_local int recordings;
struct RecordingFormulas {
  RecordingFormulas() { ++recordings; }
  ~RecordingFormulas() { --recordings; }
  RecordingFormulas(const RecordingFormulas&) = delete;
  RecordingFormulas& operator=(const RecordingFormulas&) = delete;
};

}  // namespace raak_v0::detail
