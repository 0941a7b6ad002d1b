// The default method: Gauss collocation by fixed-point sweeps, in independent coordinates (tangent) where the system
// can evaluate them in lanes or is small, else with projection (gauss), and Radau IIA with Newton corrections while the
// system is stiff. Stiff means here that the contraction of the sweeps, not accuracy, limits the step, or that a trial
// shows it (stiff_trial.h); the way back is taken when the linearized equations of radau say that sweeps would contract
// well at its step. Where independent coordinates lead no further gauss takes over, and where projection does not,
// tangent, however slow its evaluation is.
#pragma once
#include <string>
#include <vector>

#include "methods/composite/automatic_parts.h"
#include "methods/composite/automatic_selectors.h"
#include "methods/composite/stiff_trial.h"

namespace raak {

class Automatic final : public Integrator {
 public:
  Automatic(const ConstrainedSystem& system, Form form, const Tolerances& tolerances);

  double begin(const State& start, double until) override;
  // Radau remembers the work of its matrices, by which later trials are judged.
  bool may_begin_again() const override { return !parts_.has(Part::radau) && parts_.may_begin_again(); }
  void resume(const State& state, double until) override { active().resume(state, until); }
  const State& attempted() const override { return active().attempted(); }
  Attempt attempt(double to) override;
  double accept() override;
  double time() const override { return active().time(); }
  const State& current() const override { return active().current(); }
  const State& motion() const override { return active().motion(); }
  void interpolate(double t, Vector& q, Vector& v) override { parts_[last_].interpolate(t, q, v); }
  bool before_projection(Vector& q, Vector& v) const override { return parts_[last_].before_projection(q, v); }
  int order() const override { return active().order(); }
  std::string methods_used() const override;
  const std::vector<SingularityRecord>& singularities() const override { return singularities_; }
  void use_fixed_steps() override;
  void visit_state(Archive& archive) override;

 private:
  using Part = AutomaticParts::Part;

  Integrator& active() const { return parts_[active_]; }
  bool is_sweeping() const { return active_ == sweeping_; }
  Attempt attempt_and_note(double to);
  // Goes on with `other` from the present state, and with the scales of the motion so far; returns its first step.
  double hand_over_to(Part other);
  // After an accepted step, `helped` by tangent or not.
  void note_use(bool helped);
  void note_singularities();
  // Whether the last step is a sign that the other method would do better.
  bool sweeps_look_stiff();
  bool newton_sees_sweeps_serve() const;
  // Changes to the other method where it should; returns the next step to try, of which h is what this one has in mind.
  double go_on(double h);

  const ConstrainedSystem& system_;
  AutomaticParts parts_;
  Part sweeping_ = Part::gauss;  // or tangent
  Part active_ = Part::gauss;
  Part last_ = Part::gauss;  // that made the last accepted step
  double until_ = 0.0;
  CoordinateSelector coordinates_;
  StiffnessSelector stiffness_;
  Hysteresis signs_;  // that radau would do better than the sweeps, or they than radau
  StiffTrial trial_;
  std::vector<int> used_;  // parts, in the order of their first steps
  std::vector<SingularityRecord> singularities_;
};

}  // namespace raak
