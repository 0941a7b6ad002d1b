// Gauss collocation in independent coordinates: a part of q itself, chosen by pivoting on G and kept while it serves
// (Wehage and Haug, J. Mech. Design 104, 1982). The dependent coordinates of the stages follow by one Newton step
// merged into every sweep (independent_lanes.h); all components count for the step. Where the chosen pivots come near
// to zero the step is shortened and other coordinates are chosen at its end; where no other choice helps, because rows
// of the constraints become dependent for a moment, the step is laid over that singularity (singularity_locator.h).
#pragma once
#include <memory>

#include "methods/charts/coordinate_choice.h"
#include "methods/collocation/dense_collocation.h"
#include "methods/collocation/independent_lanes.h"
#include "methods/composite/singularity_locator.h"
#include "methods/control/decay_control.h"
#include "methods/multistep/fixed_point_method.h"

namespace raak {

template <int s>
class PartitionedGauss final : public FixedPointMethod {
 public:
  PartitionedGauss(const ConstrainedSystem& system, const Tolerances& tolerances);

  double begin(const State& start, double until) override;
  bool may_begin_again() const override { return !fixed_steps_; }
  void resume(const State& state, double until) override;
  Attempt attempt(double to) override;
  double accept() override;
  double time() const override { return now_.t; }
  const State& current() const override;
  const State& motion() const override;
  const State& attempted() const override { return next_; }
  void interpolate(double t, Vector& q, Vector& v) override;
  DecayControl& control() override { return control_; }
  int order() const override { return 2 * s; }
  bool is_fast() const override { return choice_.is_fast(); }
  const std::vector<SingularityRecord>& singularities() const override { return singularities_; }

  // Choices of independent coordinates so far.
  long partitions() const { return choice_.choices(); }

  void visit_state(Archive& archive) override {
    archive.name("tangent");
    archive(record_, control_, choice_);
    stages_.visit_state(archive, choice_.partition());
    archive(now_, next_, before_, shown_, shown_known_, motion_known_, series_, next_series_, fine_series_, from_q_,
            from_v_, end_q_);
    archive(end_v_, series_h_, next_h_, done_h_, passage_, pivots_, singular_q_, singular_v_, tangential_, better_step_,
            meant_h_);
    archive(moved_, found_, singularities_, since_drawn_near_, chosen_here_, have_series_, dense_ready_,
            just_rejected_);
    scratch(system_, n_, fine_);
  }

 private:
  void use_choice();
  void choose(const State& at);
  bool renews_start();
  bool solve_stages(double h);
  const double* tangential_weight();
  double rounding_near_singularity() const;
  // A first step that lays a singularity ahead between its stages: short ones would come too near to it.
  double first_over_singularity(const State& start, double until, double step);
  // What the pivots of the last sweep say of the step: whether it may be taken, or with which other length.
  enum class Passage { none, over, elsewhere, refused };
  Passage judge_pivots(double h);
  void prepare_dense();

  const ConstrainedSystem& system_;
  int n_;
  DecayControl control_;
  IndependentLanes<s> stages_;
  std::unique_ptr<IndependentLanes<2 * s>> fine_;  // for the dense output, made when it is asked for
  CoordinateChoice choice_;
  State now_, next_, before_;  // their dependent part is close to the constraints, not on them
  mutable State shown_;        // now_ on the constraints, with a and lambda
  mutable bool shown_known_ = true, motion_known_ = true;
  LaneArray series_, next_series_, fine_series_;
  Vector from_q_, from_v_, end_q_, end_v_;  // of the dense output: the start, and what it lacks at the end
  double series_h_ = 0.0, next_h_ = 0.0, done_h_ = 0.0;
  SingularityLocator passage_;
  std::vector<double> pivots_;
  Vector singular_q_, singular_v_;
  LaneArray tangential_;
  double better_step_ = 0.0;  // that lays the singularity between the nodes
  double meant_h_ = 0.0;      // the first one tried, before any was laid elsewhere
  int moved_ = 0;             // attempts since the last accepted step that were only laid elsewhere
  Passage found_ = Passage::none;
  std::vector<SingularityRecord> singularities_;
  int since_drawn_near_ = 0;
  bool chosen_here_ = true;  // or nothing better could be chosen at now_
  bool have_series_ = false, dense_ready_ = false, just_rejected_ = false;
};

// For systems without velocity rows.
std::unique_ptr<FixedPointMethod> make_tangent(const ConstrainedSystem& system, Form form,
                                               const Tolerances& tolerances);

}  // namespace raak
