// The independent coordinates of a method, a part of q itself: chosen by pivoting on G at a pose, kept while its pivots
// serve, and held where a state is brought back to the constraints. Wehage and Haug, J. Mech. Design 104, 1982.
#pragma once
#include <memory>

#include "methods/stage_lanes.h"
#include "system/partition.h"

namespace raak {

class CoordinateChoice {
 public:
  // For a system without velocity rows.
  explicit CoordinateChoice(const ConstrainedSystem& system);

  // Chooses at a pose; the old choice stays where there is no better one. False: the rows are dependent there.
  bool choose(const State& at);
  void forget() { partition_ = nullptr; }
  // Null before the first choice.
  const Partition* partition() const { return partition_; }
  // Pivots of the last choice with their determinants at that pose.
  const PivotPlan& plan() const { return chooser_.plan(); }
  // Whether the system has emitted evaluations of its own for the choice.
  bool is_fast() const { return partition_ != nullptr && partition_ != dense_.get(); }

  // Newton steps of the dependent positions, and the velocities that belong to them. Throws where they do not converge.
  void restore(double t, Vector& q, Vector& v) const;
  // Mass, damping and stiffness of the equations linearised in the independent coordinates. Needs is_fast().
  void linearise(double t, const Vector& q, const Vector& v, Matrix& M, Matrix& D, Matrix& K) const;

 private:
  void fill_lanes(const Vector& q, const Vector& v) const;

  const ConstrainedSystem& system_;
  int n_, m_;
  PivotChooser chooser_;
  const Partition* partition_ = nullptr;
  std::unique_ptr<DensePartition> dense_;  // where the system has none of its own
  Matrix G_, M_;
  Vector mass_diagonal_;
  mutable LaneArray q_, v_, a_, dependent_, determinants_, terms_;
};

}  // namespace raak
