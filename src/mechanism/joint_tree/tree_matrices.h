// The equations of a tree without loops as dense matrices of numbers, with nothing recorded: for methods that ask for
// matrices of many bodies. Slopes are differences, which serve Newton's method and leave modes 8 digits.
#pragma once
#include <functional>

#include "mechanism/joint_tree/joint_tree.h"

namespace raak {

class TreeMatrices {
 public:
  // Generalized forces beside weight and inertia are added to f; null: there are none.
  using Applied = std::function<void(double t, const Vector& q, const Vector& v, Vector& f)>;

  // `moved`: JointTree::welded(). All must outlive it.
  TreeMatrices(const Instance& instance, const JointTree& tree, const std::vector<RigidInertia>& moved, Applied applied)
      : instance_(instance), tree_(tree), moved_(moved), applied_(std::move(applied)) {}

  void mass(const Vector& q, Matrix& M) const;
  void mass_diagonal(const Vector& q, Vector& diagonal) const;
  void force(double t, const Vector& q, const Vector& v, Vector& f) const;
  void force_derivatives(double t, const Vector& q, const Vector& v, const Vector& scales, Matrix& f_q,
                         Matrix& f_v) const;
  // d(M a + G' lambda)/dq.
  void inertia_stiffness(const State& state, const Vector& scales, Matrix& K) const;
  // Of the lengths of quaternions.
  void constraint(const Vector& q, Vector& g) const;
  void velocity_constraint(const Vector& q, const Vector& v, Vector& c) const;
  void jacobian(const Vector& q, Matrix& G) const;
  void bias(const Vector& v, Vector& bias) const;

 private:
  template <class Entry>
  void for_each_entry(const Vector& q, bool diagonal_only, Entry&& entry) const;
  // M a less inertia forces, and weight where it falls.
  Vector needed(const Vector& q, const Vector& v, const Vector& a, bool falls) const;

  const Instance& instance_;
  const JointTree& tree_;
  const std::vector<RigidInertia>& moved_;
  Applied applied_;
};

}  // namespace raak
