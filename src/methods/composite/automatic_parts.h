// The methods that auto chooses among, made when they are needed: tangent, and gauss and radau with tangent's help over
// singular configurations.
#pragma once
#include <array>
#include <memory>
#include <string>

#include "methods/collocation/radau.h"
#include "methods/composite/singularity_crossing.h"
#include "methods/multistep/fixed_point_method.h"

namespace raak {

class AutomaticParts {
 public:
  enum Part : unsigned { tangent, gauss, radau };
  static constexpr std::array<const char*, 3> names{"tangent", "gauss", "radau"};

  // Their work counts as that of `whole`.
  AutomaticParts(const ConstrainedSystem& system, Form form, const Tolerances& tolerances, Integrator& whole);

  bool may_use_tangent() const;
  // Whether tangent would seldom have to change its coordinates. Only independent ones pass singular configurations,
  // which few freedoms of many rows may have. Many freedoms change their coordinates often, and so do unit lengths of
  // quaternions, few rows for the freedoms that they leave, and a point on a rod, whose row is as long in every
  // configuration.
  bool independent_coordinates_last(const State& start) const;
  // Not in systems that are too large for its matrices.
  bool may_use_radau() const { return system_.has_dense_matrices(); }

  // Whether positions are brought back to the constraints. Where they are not, sweeps leave in them what stiff modes
  // have moved them by.
  bool restores_positions() const { return form_ != Form::index2; }

  // Makes it if it was not yet.
  Integrator& make(Part part);
  // Of those that were made.
  bool has(Part part) const { return methods_[part] != nullptr; }
  bool may_begin_again() const;
  Integrator& operator[](Part part) const { return *methods_[part]; }
  // Of tangent or gauss.
  FixedPointMethod& sweeps(Part part) const { return part == tangent ? *tangent_ : *gauss_; }
  Radau& newton() const { return *radau_; }
  DecayControl& control(Part part) const { return part == radau ? radau_->control() : sweeps(part).control(); }
  // Whether tangent stands in for it, around a singular configuration.
  bool is_helped(Part part) const { return helped_[part] != nullptr && helped_[part]->is_crossing(); }

  void use_fixed_steps();
  void visit_state(Archive& archive);

 private:
  std::unique_ptr<Integrator> with_help(Part part, std::unique_ptr<Integrator> method);

  const ConstrainedSystem& system_;
  Form form_;
  Tolerances tolerances_;
  Integrator& whole_;
  bool fixed_steps_ = false;
  std::array<std::unique_ptr<Integrator>, 3> methods_;
  std::array<SingularityCrossing*, 3> helped_{};  // the methods as what they may be
  FixedPointMethod* tangent_ = nullptr;
  FixedPointMethod* gauss_ = nullptr;
  Radau* radau_ = nullptr;
};

}  // namespace raak
