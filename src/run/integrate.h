// Integrates a system over a span of time: step loop, sampling, quality measures and an honest account of how it ended.
#pragma once
#include <array>
#include <atomic>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "kinematics/model.h"
#include "methods/method.h"
#include "run/account/energy_ledger.h"
#include "run/diagnosis/conditioning.h"
#include "run/diagnosis/passed_singularities.h"
#include "run/warnings/fastest_mode.h"
#include "run/watches/events.h"
#include "system/constrained_system.h"

namespace raak {

// One row of results. Valid only during the call.
struct Sample {
  const State& state;
  const Vector& outputs;  // in the order of output_names()
  const IndependentCoordinates* independent = nullptr;
  const Vector* accounts = nullptr;  // of a frame: J of each energy account, potentials first
};
using Observer = std::function<void(const Sample&)>;

// Thrown by an observer that can take no more, as on a full disk: the run ends there as failed, with what it has.
class CannotRecord : public std::runtime_error {
 public:
  CannotRecord(const std::string& why, std::string advice) : std::runtime_error(why), advice_(std::move(advice)) {}
  const std::string& advice() const { return advice_; }

 private:
  std::string advice_;
};

// One accepted step, for whoever watches the run itself. Valid only during the call.
struct StepReport {
  double t = 0.0;                                           // s, where it ended
  double h = 0.0;                                           // s, signed
  int order = 0;                                            // of the method that took it
  double position_residual = 0.0, velocity_residual = 0.0;  // SI, after it
  const Statistics& statistics;                             // so far
};
using StepObserver = std::function<void(const StepReport&)>;

// The inside of the step that was just accepted, by its dense output. Valid only during the call.
using StepInside = std::function<void(double from, Integrator& step)>;

// A run that is not to be lost: its state, history of the method included, is handed over now and then, and a run that
// begins with a state that was handed over ends with the same bits as one that was never interrupted.
struct Checkpoints {
  double seconds = 0.0;  // on the clock, between two of them; 0: none
  std::function<void(const std::string& state)> write;
  std::string state;  // to go on from; empty: from the start
};

struct Plan {
  double until = 0.0;  // s; before the start: integrate backwards
  std::string method = default_method;
  std::optional<Form> form;  // none: the method's default
  Tolerances tolerances;
  double fixed_step = 0.0;      // s, above 0: every step has this length, whatever its error
  double first_step = 0.0;      // s, 0: chosen by the method
  long max_steps = 0;           // 0: the method's budget
  PartitionRequest partitions;  // of methods with independent coordinates by singular value decomposition
  // Times to sample, within the span and in its direction; none: every accepted step.
  std::vector<double> sample_times;
  // Beside the samples: moments to look at the motion, chosen like sample_times, and every accepted step. The time that
  // these observers take is not counted.
  std::vector<double> frame_times;
  Observer frame;
  StepObserver step_taken;
  // The ends of all accepted steps, and where a step is longer than a part of the distance between two frames moments
  // inside it, so that whoever keeps the extremes between frames sees them. Inside steps the work done so far, and the
  // balance with it, are not known (nan).
  Observer between_frames;
  StepInside inside_step;  // of every accepted step
  std::vector<Event> events;
  // Of the model: a run ends with a message when a row that was dropped as redundant opens. Null: none was.
  std::shared_ptr<const DroppedRows> dropped_rows;
  bool measure_quality = true;        // residuals and energy after each accepted step
  bool sums_up = true;                // with outputs at the end and warnings; else its end alone, and nothing is timed
  bool estimate_sensitivity = false;  // how much the motion multiplies errors (sensitivity.h)
  const std::atomic<bool>* stop = nullptr;  // set by Ctrl-C
  Checkpoints checkpoints;
};

enum class Termination { ok, failed, interrupted };

// Why a run could not go on, or what is remarkable about it (diagnosis.h).
struct Diagnosis {
  enum class Cause {
    none,
    impossible_assembly,
    redundant_constraints,      // they say the same thing twice
    contradictory_constraints,  // they cannot all hold
    singular_configuration,
    blow_up,
    undefined,  // forces or constraints have no value beyond a point
    stiffness,
    tolerance_below_precision,
    structure,  // nothing can move
    no_room,    // on the disk or in memory
    locked,     // a driver asks for more than the joints allow
    ill_posed,  // dampers, run backwards
    half_turn,  // an angle that counts no turns has passed half of one
    sensitive,  // the motion multiplies errors
    buckling,   // a potential without a lower bound, beyond a well
    no_smooth_start
  };
  Cause cause = Cause::none;
  bool runs_off() const { return cause == Cause::blow_up || cause == Cause::buckling; }
  double t = 0.0, step = 0.0;             // s: where it stopped, with which step; 0: before the first
  std::string happened, because, advice;  // in words, without a full stop
  std::string worst_constraint;           // with the largest residual there
  double worst_residual = 0.0;            // SI
  Conditioning conditioning;              // there
  std::string growing;                    // coordinate or velocity that has grown most
  double growth = 0.0, grown_to = 0.0;    // by which factor, and to what
  FastestMode fastest;                    // where stiffness is the cause
};

// A message of a run beside its results.
struct Note {
  enum class Severity { note, warning };
  enum class When { before, after };  // known before the first step, or when the run has ended
  Severity severity = Severity::warning;
  When when = When::after;
  std::string text;
  Diagnosis::Cause cause = Diagnosis::Cause::none;  // where it has a name
};
// With its severity, as it is printed.
std::string line_of(const Note& note);

struct Quality {
  double position_residual = 0.0;  // max over steps of |g|, SI
  double velocity_residual = 0.0;  // max over steps of |[g'; c]|, SI
  double energy_drift = 0.0;       // max over steps of |T + V - T0 - V0 - W|, J
  double energy_moved = 0.0;       // max over steps of T and |V - V0|, J
};

// How much the motion multiplies errors, relative to its own extent.
struct Sensitivity {
  static constexpr double holding = 1e-3;  // relative error up to which digits are said to hold

  double factor = 1.0;    // the largest so far
  double t_digits = 0.0;  // s: up to there digits hold
  bool known = false;     // false: not estimated, as where modes are far too fast for it or steps far too rough
};

// Bases of independent coordinates that a method has used.
struct Partitions {
  double threshold = 0.0;
  long count = 0;
  std::array<long, partition_reasons> by_reason{};
};

struct Result {
  Termination termination = Termination::ok;
  std::string message;  // what happened and what to try; empty when all went well
  std::vector<Note> notes;
  std::string method;  // the one that was used
  Form form = Form::index1;
  Tolerances tolerances;  // that it was integrated with: those of the plan, lifted to what double precision can hold
  State start, end;
  std::vector<PassedSingularity> singularities;  // singular configurations that were passed
  double left_out_gap = 0.0;                     // max over steps of the rows that were left out as redundant, SI
  std::vector<EventRecord> events;               // in the order in which the run met them
  Vector outputs;                                // at the end, in the order of output_names()
  Statistics statistics;
  double recording_seconds = 0.0;  // CPU time of samples, energies, events and observers: not in the statistics
  Quality quality;
  Ledger ledger;  // empty where nobody looked
  Sensitivity sensitivity;
  std::optional<Partitions> partitions;  // none: the method has no such coordinates
  std::optional<Diagnosis> diagnosis;    // of a run that failed

  void warn(std::string text, Diagnosis::Cause cause = Diagnosis::Cause::none);
  std::vector<std::string> warnings() const;  // the texts of the notes that are warnings
};

// Outputs of the system, then energy.kinetic, energy.potential, energy.input, energy.dissipation, energy.balance (all
// J), then violation.position and violation.velocity: |g| and |[g'; c]| (SI) of that very state.
inline constexpr int energy_outputs = 5, violation_outputs = 2;
std::vector<std::string> output_names(const ConstrainedSystem& system);
// The energies among outputs in that order.
template <class Outputs>
auto energies_of(Outputs& outputs) {
  return outputs.template segment<energy_outputs>(outputs.size() - energy_outputs - violation_outputs);
}

// From the t, q and v of the start: its accelerations and multipliers are found anew where they do not fit the
// equations. Throws a request error for what can be known before the first step (method, form, tolerance); everything
// later is reported in the result, with the state reached.
Result integrate(const ConstrainedSystem& system, const State& start, const Plan& plan, const Observer& observer = {});

}  // namespace raak
