// A sparse matrix factorized again and again: its entries change, their places do not, so that the order of elimination
// is found once (SparseLU of Eigen, after Demmel, Eisenstat, Gilbert, Li and Liu, A supernodal approach to sparse
// partial pivoting, SIAM J. Matrix Anal. Appl. 20, 1999).
#pragma once
#include <Eigen/SparseCore>
#include <complex>
#include <memory>
#include <vector>

namespace raak {

template <class Scalar>
class SparseFactor {
 public:
  using Entry = Eigen::Triplet<Scalar>;
  using Column = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;

  explicit SparseFactor(Eigen::Index size);
  SparseFactor(SparseFactor&& other) noexcept;
  SparseFactor& operator=(SparseFactor&& other) noexcept;
  ~SparseFactor();

  // To be filled anew before factor().
  std::vector<Entry>& entries() { return entries_; }
  void factor();
  // Not a number where the matrix is singular.
  void solve(const Column& r, Column& x) const;

 private:
  struct Factors;
  std::vector<Entry> entries_;
  std::unique_ptr<Factors> factors_;
};

extern template class SparseFactor<double>;
extern template class SparseFactor<std::complex<double>>;

}  // namespace raak
