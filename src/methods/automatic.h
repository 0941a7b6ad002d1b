// The default method: Gauss collocation by fixed-point sweeps, and Radau IIA with Newton corrections while the system
// is stiff. Stiff means here that the contraction of the sweeps, not accuracy, limits the step of gauss; the way back
// is taken when the linearised equations of radau say that sweeps would contract well at its step.
#pragma once
#include "methods/gauss.h"
#include "methods/radau.h"

namespace raak {

class Automatic final : public Integrator {
 public:
  Automatic(const ConstrainedSystem& system, const std::string& form, const Tolerances& tolerances);

  double begin(const State& start, double until) override;
  Attempt attempt(double to) override;
  double accept() override;
  double time() const override { return active_->time(); }
  const State& current() const override { return active_->current(); }
  void interpolate(double t, Vector& q, Vector& v) override { last_->interpolate(t, q, v); }
  int order() const override { return active_->order(); }
  std::string methods_used() const override;
  void use_fixed_steps() override;

 private:
  void count_work(const Statistics& before);

  std::unique_ptr<FixedPointMethod> gauss_;
  std::unique_ptr<Radau> radau_;
  Integrator* active_ = nullptr;
  Integrator* last_ = nullptr;  // that made the last accepted step
  double until_ = 0.0;
  int signs_ = 0;        // that the other method would do better, weighed over the last steps
  int needed_ = 0;       // signs that make it change; more after each change
  int divergences_ = 0;  // attempts since the last accepted step
  bool used_radau_ = false, used_gauss_ = false;
};

}  // namespace raak
