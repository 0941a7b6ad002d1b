// A sparse matrix factorized again and again: its entries change, their places do not, so that the order of elimination
// is found once (SparseLU of Eigen, after Demmel, Eisenstat, Gilbert, Li and Liu, A supernodal approach to sparse
// partial pivoting, SIAM J. Matrix Anal. Appl. 20, 1999).
#pragma once
#include <Eigen/SparseLU>
#include <complex>
#include <limits>
#include <memory>
#include <vector>

namespace raak {

template <class Scalar>
class SparseFactor {
 public:
  using Entry = Eigen::Triplet<Scalar>;
  using Column = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;

  explicit SparseFactor(Eigen::Index size) : J_(size, size), lu_(std::make_unique<Solver>()) {}

  // To be filled anew before factor().
  std::vector<Entry>& entries() { return entries_; }
  void factor() {
    J_.setFromTriplets(entries_.begin(), entries_.end());
    if (J_.nonZeros() != analysed_) lu_->analyzePattern(J_);
    analysed_ = J_.nonZeros();
    lu_->factorize(J_);
  }
  // Not a number where the matrix is singular.
  void solve(const Column& r, Column& x) const {
    if (lu_->info() == Eigen::Success) x = lu_->solve(r);
    else x.setConstant(r.size(), Scalar(std::numeric_limits<double>::quiet_NaN()));
  }

 private:
  using Stored = Eigen::SparseMatrix<Scalar>;
  using Solver = Eigen::SparseLU<Stored, Eigen::COLAMDOrdering<int>>;
  std::vector<Entry> entries_;
  Stored J_;
  std::unique_ptr<Solver> lu_;
  Eigen::Index analysed_ = -1;  // nonzeros of the pattern
};

}  // namespace raak
