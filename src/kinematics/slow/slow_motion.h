// The slow motion of a system with stiff parts over a short window of time. Its fastest vibrations do not vibrate: in
// their directions X the configuration follows the balance of forces,
//   held configuration:  X' f(t, q, 0) = 0,      configuration: q = held configuration + d,
// with deflections d that the caller finds order by order (slow_manifold.h). In all other directions the motion obeys
// its equations: accelerations at the nodes of the window, whose part along X is that of the polynomial through the
// configurations, are integrated from the start until the motion repeats (Picard).
#pragma once
#include <vector>

#include "kinematics/slow/free_vibrations.h"
#include "kinematics/start/trusted_directions.h"
#include "system/time/time_window.h"

namespace raak {

class SlowMotion {
 public:
  // The `fast` fastest vibrations follow the balance. The window spans so many radians of the slowest of them.
  SlowMotion(const ConstrainedSystem& system, const TrustedDirections& trusted, const State& start, Eigen::Index fast,
             double radians);

  // Of the held configuration at the start.
  const FreeVibrations& vibrations() const { return nodes_.front().vibrations; }
  Eigen::Index fast() const { return fast_; }
  Eigen::Index first_fast() const { return vibrations().count() - fast_; }
  const TimeWindow& window() const { return window_; }

  // How quickly the motion changes, 1/s: |q'''| and |q''''| beside |q'| and |q''|; 0: nothing moves.
  double rate() const;
  bool moves() const;

  // A row for each node: X omega^-2 X'(f - M q''), by which the fast directions miss the balance.
  Matrix unbalanced() const;
  // Adds to the deflections and finds the motion anew.
  void deflect(const Matrix& change);
  // The part of rows of deflections in each fast direction of the start, a column each.
  Matrix in_modes(const Matrix& deflections) const;
  // The same of a deflection by the scale of every coordinate.
  Vector scales_of_modes() const;

  // At the start of the window, without accelerations.
  State start() const;

 private:
  struct Node {
    Vector held, q, deflection;
    FreeVibrations vibrations;  // of the held configuration
    FreeVibrations deflected;   // of the configuration: what is left is balanced by its stiffness
  };
  void close(double t, Vector& q) const;
  void relax(Eigen::Index node, Vector q);
  [[noreturn]] void refuse_without_balance(double t, const FreeVibrations& at) const;
  void place(Eigen::Index node, const Vector& guess);
  Vector held_velocity(const Node& node, double t, const Vector& q, Vector v) const;
  void march();
  void settle();
  Matrix slow_accelerations(const Matrix& Q, const Matrix& V) const;
  Vector start_velocity(const Matrix& V) const;
  Matrix positions() const;
  auto fast_shapes(const FreeVibrations& vibrations) const { return vibrations.shapes.rightCols(fast_); }
  auto fast_shapes(const Node& node) const { return fast_shapes(node.vibrations); }
  auto slow_shapes(const Node& node) const { return node.vibrations.shapes.leftCols(node.vibrations.count() - fast_); }
  // The part of x along the fast directions.
  Vector fast_part(const Node& node, const Vector& x) const;

  const ConstrainedSystem& system_;
  const TrustedDirections& trusted_;
  State start_;
  Eigen::Index fast_;
  TimeWindow window_;
  std::vector<Node> nodes_;
};

}  // namespace raak
