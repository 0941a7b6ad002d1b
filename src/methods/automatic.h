// The default method: Gauss collocation by fixed-point sweeps, in independent coordinates (tangent) where the system
// can evaluate them in lanes or is small, else with projection (gauss), and Radau IIA with Newton corrections while the
// system is stiff. Stiff means here that the contraction of the sweeps, not accuracy, limits the step, or that a trial
// shows it (stiff_trial.h); the way back is taken when the linearised equations of radau say that sweeps would contract
// well at its step. Where independent coordinates lead no further gauss takes over, and where projection does not,
// tangent, however slow its evaluation is.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "methods/fixed_point_method.h"
#include "methods/radau.h"
#include "methods/stiff_trial.h"

namespace raak {

class Automatic final : public Integrator {
 public:
  Automatic(const ConstrainedSystem& system, std::string form, const Tolerances& tolerances);

  double begin(const State& start, double until) override;
  void resume(const State& state, double until) override { active_->resume(state, until); }
  const State& attempted() const override { return active_->attempted(); }
  Attempt attempt(double to) override;
  double accept() override;
  double time() const override { return active_->time(); }
  const State& current() const override { return active_->current(); }
  void interpolate(double t, Vector& q, Vector& v) override { last_->interpolate(t, q, v); }
  bool before_projection(Vector& q, Vector& v) const override { return last_->before_projection(q, v); }
  int order() const override { return active_->order(); }
  std::string methods_used() const override;
  const std::vector<PoseRecord>& poses() const override { return poses_; }
  void use_fixed_steps() override;
  void visit_state(Archive& archive) override;

 private:
  Attempt attempt_and_note(double to);
  bool may_use_tangent() const;
  bool row_changes_length(const State& start) const;
  // Made when they are needed.
  FixedPointMethod* tangent();
  FixedPointMethod* gauss();
  Radau* radau();
  template <class Method>
  Method* part(Method& method) {
    method.count_as_part_of(*this);
    if (fixed_steps_) method.use_fixed_steps();
    return &method;
  }
  bool has_radau() const { return !system_.is_large(); }
  bool is_sweeping() const { return active_ == sweeping_; }
  bool uses_tangent() const { return active_ == tangent_.get(); }
  double change_coordinates();
  // Goes on with `other` from the present state, and with the scales of the motion so far; returns its first step.
  double hand_over_to(Integrator* other);
  DecayControl& control_of(Integrator* method);
  bool returns_to_tangent();
  bool gives_up_tangent(bool seems_stiff);
  void note_use();

  const ConstrainedSystem& system_;
  std::string form_;
  Tolerances tolerances_;
  std::unique_ptr<FixedPointMethod> tangent_, gauss_;
  std::unique_ptr<Radau> radau_;          // not in systems that are too large for its matrices
  FixedPointMethod* sweeping_ = nullptr;  // tangent or gauss
  Integrator* active_ = nullptr;
  Integrator* last_ = nullptr;  // that made the last accepted step
  double until_ = 0.0;
  int signs_ = 0;           // that the other method would do better, weighed over the last steps
  int needed_ = 0;          // signs that make it change; more after each change
  int divergences_ = 0;     // attempts since the last accepted step
  int refusals_ = 0;        // since the last accepted step, for reasons other than accuracy
  int changes_ = 0;         // of coordinates
  double diverging_ = 0.0;  // accepted steps that followed divergences, weighed over the last steps
  double losses_ = 0.0;     // of the coordinates that tangent had chosen, weighed over the last steps
  // Where gauss stands in for tangent: accepted steps left until tangent is tried again, and how many that were.
  int stands_in_ = 0, stand_in_ = 0;
  StiffTrial trial_;
  std::vector<const char*> used_;
  std::vector<PoseRecord> poses_;
};

}  // namespace raak
