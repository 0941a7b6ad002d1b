// What looks at a run between its steps: it may shorten the next step, refuse an attempt, or end the run.
#pragma once

namespace raak {

class Archive;
class Integrator;
struct Attempt;
struct RunState;

class Watch {
 public:
  Watch() = default;
  virtual ~Watch() = default;
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  virtual void before_step(RunState& /*run*/) {}
  // Of an attempt that is acceptable so far, before it is accepted: its end is known without its accelerations.
  virtual void after_attempt(RunState& /*run*/, Attempt& /*attempt*/) {}
  // The step may be that of the method or one across a discontinuity.
  virtual void after_step(RunState& /*run*/, Integrator& /*step*/) {}
  // The run has ended, at RunState::result.end.
  virtual void conclude(RunState& /*run*/) {}
  // Writes to a checkpoint, or reads back, what later steps depend on.
  virtual void visit_state(Archive& /*archive*/) {}
};

}  // namespace raak
