#include "base/linear/svd.h"

#include <gtest/gtest.h>

#include <cmath>

namespace raak {
namespace {

// The example of the NAG routine F02WCF (mark 8, section 13), to its three printed digits.
TEST(Svd, ReproducesTheExampleOfF02WCF) {
  Matrix A(6, 4);
  A << 22.25, 31.75, -38.25, 65.50,  //
      20.00, 26.75, 28.50, -26.50,   //
      -15.25, 24.25, 27.75, 18.50,   //
      27.25, 10.00, 3.00, 2.00,      //
      -17.25, -30.75, 11.25, 7.50,   //
      17.25, 30.75, -11.25, -7.50;
  Matrix Q(6, 4);
  Q << 0.929, 0.143, 0.071, -0.143,   //
      -0.143, -0.714, 0.143, -0.286,  //
      0.071, -0.143, 0.929, 0.143,    //
      0.143, -0.286, -0.143, -0.714,  //
      -0.214, 0.429, 0.214, -0.429,   //
      0.214, -0.429, -0.214, 0.429;
  Matrix PT(4, 4);
  PT << 0.308, 0.462, -0.462, 0.692,  //
      -0.462, -0.692, -0.308, 0.462,  //
      -0.462, 0.308, 0.692, 0.462,    //
      -0.692, 0.462, -0.462, -0.308;
  const Svd svd(A);
  const double exact[4] = {91.0, 68.25, 45.5, 22.75};
  for (int k = 0; k < 4; ++k) {
    EXPECT_NEAR(svd.singular_values()[k], exact[k], 1e-12);
    // A singular vector is determined up to its sign, shared by the left and the right one.
    const double sign = svd.left_vectors().col(k).dot(Q.col(k)) > 0.0 ? 1.0 : -1.0;
    for (int i = 0; i < 6; ++i) EXPECT_NEAR(sign * svd.left_vectors()(i, k), Q(i, k), 6e-4);
    for (int i = 0; i < 4; ++i) EXPECT_NEAR(sign * svd.right_vectors()(i, k), PT(k, i), 6e-4);
  }
}

TEST(Svd, SplitsAWideMatrixIntoRowSpaceAndNullSpace) {
  Matrix A(2, 4);
  A << 1, 2, 3, 4, 2, 4, 6, 8.001;
  const Svd svd(A);
  EXPECT_EQ(svd.rank(1e-10), 2);
  EXPECT_EQ(svd.rank(1e-2), 1);
  const Matrix VI = svd.right_vectors().rightCols(2).transpose();
  EXPECT_LT((A * VI.transpose()).norm(), 1e-13);
  EXPECT_LT((VI * VI.transpose() - Matrix::Identity(2, 2)).norm(), 1e-14);
}

TEST(Svd, TellsTheRankOfALargeMatrix) {
  constexpr int rows = 40, columns = 50, rank = 33;
  Matrix left(rows, rank), right(rank, columns);
  for (int k = 0; k < rank; ++k) {
    for (int i = 0; i < rows; ++i) left(i, k) = std::sin(1.0 + i * k + 0.3 * i);
    for (int j = 0; j < columns; ++j) right(k, j) = std::cos(2.0 + j * k + 0.7 * k);
  }
  const Matrix A = left * right;
  const Svd svd(A);
  EXPECT_EQ(svd.rank(1e-10), rank);
  EXPECT_LT((A * svd.right_vectors().rightCols(columns - rank)).norm(), 1e-11 * svd.singular_values()[0]);
  EXPECT_LT((A.transpose() * svd.left_vectors().rightCols(rows - rank)).norm(), 1e-11 * svd.singular_values()[0]);
}

// Equal loops have equal singular values; here many are 0.8, 0.2 or 0.
TEST(Svd, KeepsItsVectorsWhereManySingularValuesAreEqual) {
  for (const int n : {20, 33, 47, 64})
    for (const int rank : {n / 2, n / 2 + 5, n}) {
      Matrix A = Matrix::Zero(n, n + 3);
      for (int k = 0; k < rank; ++k) {
        A(k, k) += 0.5;
        A(n - 1 - k, k) += 0.3;
      }
      const Svd svd(A);
      Matrix D = Matrix::Zero(n, n + 3);
      D.diagonal() = svd.singular_values();
      const Matrix& U = svd.left_vectors();
      const Matrix& V = svd.right_vectors();
      EXPECT_LT((U * D * V.transpose() - A).norm(), 1e-13) << n << " " << rank;
      EXPECT_LT((U.transpose() * U - Matrix::Identity(n, n)).norm(), 1e-13) << n << " " << rank;
      EXPECT_LT((V.transpose() * V - Matrix::Identity(n + 3, n + 3)).norm(), 1e-13) << n << " " << rank;
    }
}

}  // namespace
}  // namespace raak
