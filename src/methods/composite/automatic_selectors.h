// What auto decides by, one class for each question: in which coordinates to sweep, and whether the system is stiff.
// Whether radau is worth its matrices is the third one (stiff_trial.h).
#pragma once
#include <algorithm>

#include "methods/composite/automatic_parts.h"
#include "methods/multistep/fixed_point_method.h"

namespace raak {

// Independent coordinates (tangent) or all of them (gauss).
class CoordinateSelector {
 public:
  using Part = AutomaticParts::Part;

  // A step was refused for another reason than accuracy; `diverged`: its sweeps did.
  void note_refusal(Part active, bool diverged);
  void forget_refusals() { refusals_ = 0; }
  bool has_refusals() const { return refusals_ > 0; }
  // Before an attempt: the other coordinates after many refusals, else the active ones.
  Part after_refusals(Part active, bool may_use_tangent);
  // After an accepted step: tangent where gauss has stood in for long enough, gauss where tangent loses its coordinates
  // in step after step, else the active ones. Beside singular configurations, `has_crossed`, coordinates are lost too,
  // and only independent ones step over them.
  Part after_step(Part active, bool seems_stiff, bool has_crossed);

  void visit_state(Archive& archive) { archive(refusals_, changes_, losses_, steps_of_gauss_, next_steps_of_gauss_); }

 private:
  // Steps for which gauss stands in for tangent at first: it may well have stepped over what tangent could not, and
  // would go so far into the next singular configuration that tangent could not pass it either.
  static constexpr int first_steps_of_gauss = 2;

  int refusals_ = 0;        // since the last accepted step
  int changes_ = 0;         // after refusals
  double losses_ = 0.0;     // of the coordinates that tangent had chosen, weighed over the last steps
  int steps_of_gauss_ = 0;  // left until tangent is tried again; 0: it is not
  int next_steps_of_gauss_ = first_steps_of_gauss;
};

// Signs that another method would do better, weighed over the last steps. Each change makes the next one harder.
class Hysteresis {
 public:
  static constexpr int first_signs = 4;

  void add(int signs) { signs_ += signs; }
  void note(bool sign, int weight) { signs_ = sign ? signs_ + weight : std::max(0, signs_ - weight); }
  bool is_enough() const { return signs_ >= needed_; }
  void forget() { signs_ = 0; }
  void harden() { needed_ = std::min(most_signs, 3 * needed_); }

  void visit_state(Archive& archive) { archive(signs_, needed_); }

 private:
  static constexpr int most_signs = 200;
  int signs_ = 0, needed_ = first_signs;
};

// Whether the contraction of the sweeps, not accuracy, limits the steps.
class StiffnessSelector {
 public:
  void note_divergence() { ++divergences_; }
  void forget_divergences() { divergences_ = 0; }
  // After a step by sweeps, of which `many` cost more than Newton corrections: whether it is a sign of stiffness.
  bool note_sweeps(const SweepRecord& record, double many, Hysteresis& signs);
  void change() { diverging_ = 0.0; }
  // Whether sweeps that contract so at the steps of radau are cheaper than its corrections.
  static bool contract_well(double contraction, double tolerance);

  void visit_state(Archive& archive) { archive(divergences_, diverging_); }

 private:
  int divergences_ = 0;     // attempts since the last accepted step
  double diverging_ = 0.0;  // accepted steps that followed divergences, weighed over the last steps
};

}  // namespace raak
