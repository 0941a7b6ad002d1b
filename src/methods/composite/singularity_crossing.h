// A method that is helped over momentary singular configurations. Where a step is refused and the constraint rows are
// nearly dependent, the stretch around the singularity is integrated in independent coordinates (tangent), which step
// over it; then the method goes on. Elsewhere it is left alone. gauss and radau report how independent the rows were at
// the stages of a step: there tangent takes over before the step that comes to the singularity, since near to it only
// short steps are left, whose stages rounding spoils by eps/d^3 (singularity_locator.h).
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "base/linear/factors.h"
#include "methods/method.h"
#include "methods/multistep/fixed_point_method.h"

namespace raak {

class SingularityCrossing final : public Integrator {
 public:
  // `name` and `form` are those of the method.
  SingularityCrossing(const ConstrainedSystem& system, std::string name, Form form, const Tolerances& tolerances,
                      std::unique_ptr<Integrator> method);

  double begin(const State& start, double until) override;
  bool may_begin_again() const override { return method_->may_begin_again(); }
  void resume(const State& state, double until) override;
  Attempt attempt(double to) override;
  double accept() override;
  double time() const override { return active_->time(); }
  const State& current() const override { return active_->current(); }
  const State& motion() const override { return active_->motion(); }
  const State& attempted() const override { return active_->attempted(); }
  void interpolate(double t, Vector& q, Vector& v) override;
  bool before_projection(Vector& q, Vector& v) const override { return last_->before_projection(q, v); }
  int order() const override { return method_->order(); }
  bool starts_at_order_one() const override { return method_->starts_at_order_one(); }
  const IndependentCoordinates* independent_coordinates() const override { return method_->independent_coordinates(); }
  void use_partitions(const PartitionRequest& request) override { method_->use_partitions(request); }
  const std::vector<SingularityRecord>& singularities() const override { return singularities_; }
  std::string methods_used() const override { return crossed_ ? name_ + "+tangent" : std::string(); }
  void use_fixed_steps() override;
  void count_as_part_of(Integrator& whole) override;
  // Whether tangent integrates around a singularity.
  bool is_crossing() const { return active_ != method_.get(); }

  // Whether tangent can be used on a system at all.
  static bool serves(const ConstrainedSystem& system, Form form);

  void visit_state(Archive& archive) override;

 private:
  // How far the constraint rows at a state are from being dependent: the last diagonal entry of a pivoted QR of their
  // scaled Jacobian, rows by the largest lengths that they have had, since one may vanish as a whole.
  double strength(const State& at);
  double start_crossing(bool trouble);
  void make_tangent_part();
  double hand_over();
  // From tangent, with the scales and the length of the run so far, as hand_over() does; returns the first step.
  double hand_back();
  bool comes_to_singularity();

  const ConstrainedSystem& system_;
  std::string name_;
  Form form_;
  Tolerances tolerances_;
  std::unique_ptr<Integrator> method_;
  std::unique_ptr<FixedPointMethod> tangent_;
  Integrator* active_;
  Integrator* last_;  // that made the last accepted step
  std::vector<SingularityRecord> singularities_;
  // Sized once: a refused step takes nothing from the heap.
  Matrix G_, rows_;
  Vector largest_row_;
  Eigen::ColPivHouseholderQR<Matrix> qr_;
  State start_, middle_;
  double until_ = 0.0;
  double strongest_ = 0.0;     // seen so far
  double largest_sine_ = 0.0;  // of the stages so far
  double looked_at_ = 1.0;     // where the sine was when a step was last looked at
  bool looks_always_ = false;
  double last_strength_ = 0.0;  // while tangent crosses
  int refusals_ = 0;            // of tangent since the last accepted step
  int failures_ = 0;            // singularities that tangent did not pass
  int troubles_ = 0;            // of the method since its last accepted step
  int refused_lately_ = 0;      // more than one step for its error: a singularity may be near
  int steps_ = 0;               // of tangent around the singularity
  bool crossed_ = false;
};

}  // namespace raak
