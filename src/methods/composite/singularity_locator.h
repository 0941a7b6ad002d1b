// Stepping over a singular configuration, where constraint rows become dependent for a moment. Along the branch of the
// motion the accelerations in independent coordinates are smooth through it; only evaluations very near to it are
// spoiled by rounding, by eps/d^3 where d is the distance in the scale of the pivots. So the singularity must fall
// between two nodes of a collocation step, far from both and from the end. The pivots of the stages, smooth functions
// of time that change sign there, show when it comes. Where several loops lose rank at once, both rows of one block may
// vanish: its determinant, a product of two distances, touches zero without a change of sign, and its root is what
// changes sign.
#pragma once
#include <cstddef>
#include <vector>

#include "methods/resumable.h"

namespace raak {

class SingularityLocator {
 public:
  // The nodes of the collocation rule, ascending in (0, 1).
  explicit SingularityLocator(const std::vector<double>& nodes);

  // Looks at the pivots of a step, nodes().size() for each block, each relative to its reference: positive where the
  // step starts. False: a pivot comes near to zero in a way that is no passage.
  bool look(const std::vector<double>& pivots);
  // Where pivots vanish, in units of the step, from the start of the step on; those beyond its end are extrapolated.
  const std::vector<double>& zeros() const { return zeros_; }
  double first_node() const { return nodes_.front(); }
  bool passes() const { return !zeros_.empty() && zeros_.front() < 1.0; }
  // How near the nodes come to a singularity: the smallest pivot, or its root where it vanishes twice.
  double nearest() const { return nearest_; }

  // The share of this step to take, such that the singularities lie far from its nodes: 1 if it will do as it is.
  double best_share() const;

  void visit_state(Archive& archive) {
    archive(zeros_, nearest_);
    scratch(nodes_, distance_);
  }

 private:
  void add_change_of_sign();
  void add_zero_at_end(const double* pivots, bool ahead);
  bool add_touch(const double* pivots);
  void take_roots(const double* pivots, std::size_t from);
  double roughness(const double* pivots, std::size_t from);
  double cubic(std::size_t first, double x) const;
  double smallest_distance() const;
  // Of the singularities from the nodes and the end of a step `share` times as long, in units of this one.
  double clearance(double share) const;

  std::vector<double> nodes_;
  std::vector<double> zeros_;
  std::vector<double> distance_;  // of a block at the nodes, with the sign that it has
  double nearest_ = 1.0;
};

}  // namespace raak
