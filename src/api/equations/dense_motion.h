// The equations of motion of a few coordinates at one state, by the Cholesky factors of M = L L' and of
// G M^-1 G' = Y Y', Y' = L^-1 G': plain loops in memory that stays, where general decompositions cost more than the
// arithmetic. Golub and Van Loan, Matrix Computations, 4th ed., section 4.2.
#pragma once
#include <vector>

namespace raak_v0::detail {

class DenseMotion {
 public:
  // What is to be filled in, row by row: M (of which the lower half is read), f, G and bias.
  std::vector<double> M, f, G, bias;

  void resize(int n, int m);
  // The smallest relative pivot of G M^-1 G'; 0 where M or that has no factors.
  double factor();
  // M a + G' lambda = f, G a = bias. A null lambda is not written.
  void solve(double* a, double* lambda);

 private:
  std::size_t n_ = 0, m_ = 0;
  std::vector<double> Y_, S_, scale_, y_, z_;
};

// One for each evaluation that goes on in this thread: a user's function may run a model itself.
class LentMotion {
 public:
  LentMotion();
  ~LentMotion();
  LentMotion(const LentMotion&) = delete;
  LentMotion& operator=(const LentMotion&) = delete;
  DenseMotion* operator->() const { return motion_; }
  DenseMotion& operator*() const { return *motion_; }

 private:
  DenseMotion* motion_;
};

}  // namespace raak_v0::detail
