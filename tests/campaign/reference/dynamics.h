// Equations of motion in maximal coordinates with multipliers of least norm, so that redundant rows do no harm.
#pragma once
#include "mechanism.h"
#include "rows.h"

namespace reference {

// Of a joint: which rows are its own.
struct RowOfJoints {
  std::vector<Row> rows;
  std::vector<std::size_t> first;  // of each joint, then of each driver, and the end
};

struct Solution {
  Vector accelerations;  // of the velocities that a mechanism has
  Vector multipliers;    // the force of a row is -slope times multiplier
  Matrix loose;          // columns: multipliers without effect
};

// The velocities of all bodies in one vector, and how positions follow from them.
class Dynamics {
 public:
  explicit Dynamics(const Mechanism& mechanism);

  // State: of each body centre (3), quaternion (4), angle; counted angles; velocities.
  Vector start() const;
  Motion motion(double t, const Vector& state) const;
  Vector derivative(double t, const Vector& state) const;
  // Which rows stand for all in the derivatives from here on: as many as are independent, and the best of them.
  void choose_rows(double t, const Vector& state) const;
  // Nearest state in which the rows hold, position and velocity level. False if Newton does not converge.
  bool project(double t, Vector& state) const;
  // The part of velocities that the rows allow, whatever drivers do.
  Vector allowed(double t, const Vector& state, const Vector& velocities) const;
  Solution solve(const Motion& motion) const;
  RowOfJoints rows(const Motion& motion) const;

  Eigen::Index velocities() const { return velocities_; }
  Eigen::Index positions() const { return positions_; }
  // Over all solutions: least ratio of a kept to the largest pivot.
  double weakest() const { return weakest_; }
  // Velocities that the rows leave, at first order.
  Eigen::Index mobility() const { return velocities_ - std::max<Eigen::Index>(rank_, 0); }
  double kinetic(const Motion& motion) const;

 private:
  struct Factored;
  Factored linearised(const Motion& motion) const;
  Factored factor(const Motion& motion) const;
  Vector free_motion(const Factored& f, const Motion& motion) const;
  Vector accelerations(const Motion& motion) const;

  const Mechanism& mechanism_;
  std::vector<std::vector<int>> columns_;  // of each body: which of its six velocities it has
  std::vector<Eigen::Index> first_;        // of each body: its first velocity
  Eigen::Index velocities_ = 0, positions_ = 0;
  mutable Eigen::Index rank_ = -1;
  mutable std::vector<Eigen::Index> chosen_;
  mutable double weakest_ = 1.0;
};

}  // namespace reference
