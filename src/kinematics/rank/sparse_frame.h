// Constraint rows of which some depend on others, at one configuration after another: the combinations of rows that
// vanish, the motions that all rows leave, and corrections towards the constraints. With unit rows A the matrix A A' +
// delta I is positive definite whatever the rows; its inverse enlarges the combinations that vanish by 1/delta and
// others by no more than 1/sigma^2, so that a few inverse iterations find them (Golub and Van Loan, Matrix
// Computations, 4th ed., 8.2.3). Positions count in units of a length, rotations as they are.
#pragma once
#include <Eigen/SparseCore>
#include <memory>
#include <utility>
#include <vector>

#include "base/linear/sparse_factors.h"
#include "system/constrained_system.h"

namespace raak {

class SparseFrame {
 public:
  // `units` of the coordinates: those in which they count as 1. `rank` is that of all rows at most configurations.
  SparseFrame(const ConstrainedSystem& system, Vector units, int rank);

  // False near a singular configuration, where nothing is to be judged.
  bool look(double t, const Vector& q);
  // At the configuration last looked at: orthonormal columns, combinations of unit rows that vanish.
  const Matrix& vanishing() const { return vanishing_; }
  const Vector& row_lengths() const { return lengths_; }
  const Matrix& jacobian() const { return G_; }
  // The part of a motion that all rows leave there.
  Vector along_rows(const Vector& motion) const;

  // Newton corrections of positions, and the correction of velocities; false: none was found.
  bool bring_back(double t, Vector& q);
  bool correct_rates(double t, const Vector& q, Vector& v);
  // The largest component.
  double size_of(const Vector& motion) const { return motion.cwiseQuotient(units_).cwiseAbs().maxCoeff(); }

 private:
  using Sparse = Eigen::SparseMatrix<double, Eigen::RowMajor>;
  bool factor(double t, const Vector& q, bool of_positions = false);
  // Factors of A A' + delta I.
  bool factor_few();
  bool factor_many();
  Matrix divided(const Matrix& right) const;
  bool has_few_rows() const;
  // The shortest change of coordinates that changes the rows so.
  Vector change_for(const Vector& rows) const;

  const ConstrainedSystem& system_;
  Vector units_;
  Eigen::Index spare_;
  Matrix G_;  // in coordinates without units, rows as they are
  Vector lengths_;
  Sparse A_;
  SparseSymmetricFactors many_;
  // Of few rows, in the order that they have: L row by row, each from its first entry on, with inverse diagonal.
  Matrix few_;  // L'
  std::vector<Eigen::Index> begins_;
  std::vector<std::pair<int, int>> spans_;  // of each row: its first and last coordinate
  Matrix vanishing_;
};

}  // namespace raak
