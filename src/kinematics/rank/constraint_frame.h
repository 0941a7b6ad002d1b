// Constraint rows at one configuration: which of them are independent, what motions they leave, which combinations of
// them vanish, and how far they are from losing rank. Rows count at unit length, in the units of their columns:
//   A = L^-1 G S,   A = U' diag(sigma) V.
// A pivoted QR of A' answers what it can, singular values the rest, each made when it is first asked for. (Golub and
// Van Loan, Matrix Computations, 4th ed., 5.4 and 5.5.)
#pragma once
#include <optional>

#include "base/linear/factors.h"
#include "base/linear/svd.h"
#include "kinematics/rank/rank_policy.h"
#include "system/constrained_system.h"

namespace raak {

class ConstraintFrame {
 public:
  // `usual`: the least lengths to divide by, as rows had them elsewhere: a row that vanishes shows only against them.
  explicit ConstraintFrame(Matrix rows, const Vector& usual = {});
  // All rows divided by the largest length: one that vanishes as a whole counts as dependent.
  static ConstraintFrame with_alike_lengths(const Matrix& rows);
  // All rows of a system in the scales of the mechanism.
  ConstraintFrame(const ConstrainedSystem& system, double t, const Vector& q);
  static Matrix scaled_rows(const ConstrainedSystem& system, double t, const Vector& q);

  const Matrix& unit_rows() const { return A_; }
  const Vector& lengths() const { return lengths_; }  // that the rows were divided by
  bool is_finite() const { return A_.allFinite(); }

  // Whether the rows are independent with a wide margin: no singular configuration is near.
  bool is_regular() const;
  Eigen::Index rank(double threshold = RankPolicy::weak) const;
  // By singular values, where a configuration may be singular: a pivoted QR may miss that.
  Eigen::Index rank_by_values(double threshold = RankPolicy::weak) const { return svd().rank(threshold); }
  // Of the rows that count for this rank, how strong the weakest is, relative to the strongest.
  double strength(Eigen::Index rank) const;

  // Orthonormal columns: motions that rows of this rank leave, and combinations of unit rows that vanish.
  Matrix motions(Eigen::Index rank) const;
  Matrix dependences(Eigen::Index rank) const;
  // The row indices of a QR with pivots, the strongest first.
  const Eigen::VectorXi& by_strength() const { return qr().colsPermutation().indices(); }
  // Multipliers of the rows as they were given, of independent ones, whose sum is nearest to this: G' y = right.
  Vector multipliers(const Vector& right) const;

  // The least over the largest singular value, and the combination of rows that it belongs to.
  struct Weakest {
    double ratio = 1.0;
    Vector rows;
  };
  // Where all rows are small beside `usual` the largest is no measure. `ways`: how many coordinates may change.
  Weakest weakest(Eigen::Index ways, bool beside_usual) const;
  const Svd& svd() const;

 private:
  const Eigen::ColPivHouseholderQR<Matrix>& qr() const;

  Matrix A_;
  Vector lengths_;
  mutable std::optional<Eigen::ColPivHouseholderQR<Matrix>> qr_;
  mutable std::optional<Svd> svd_;
};

}  // namespace raak
