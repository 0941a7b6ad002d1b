// Factors of dense matrices. The algorithms of Eigen are compiled once, in factors.cpp, and not by every file that uses
// them (docs/decisions/0019): give them a Matrix and a Vector, not an expression.
#pragma once
#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <Eigen/QR>

#include "base/linear/linear.h"

namespace raak::factor_kernels {

template <int side, int mode, int order>
using Triangle =
    Eigen::internal::triangular_solve_matrix<double, Eigen::Index, side, mode, false, order, Eigen::ColMajor, 1>;
using Blocking = Eigen::internal::level3_blocking<double, double>;

}  // namespace raak::factor_kernels

// NOLINTBEGIN(bugprone-macro-parentheses): what begins a declaration takes none.
#define RAAK_TRIANGLE(compiled, side, mode, order)                                                                \
  compiled void raak::factor_kernels::Triangle<side, mode, order>::run(Eigen::Index, Eigen::Index, const double*, \
                                                                       Eigen::Index, double*, Eigen::Index,       \
                                                                       Eigen::Index, raak::factor_kernels::Blocking&);
#define RAAK_FACTORS(compiled)                                                                                        \
  RAAK_TRIANGLE(compiled, Eigen::OnTheLeft, Eigen::Lower, Eigen::ColMajor)                                            \
  RAAK_TRIANGLE(compiled, Eigen::OnTheLeft, Eigen::UnitLower, Eigen::ColMajor)                                        \
  RAAK_TRIANGLE(compiled, Eigen::OnTheLeft, Eigen::Upper, Eigen::ColMajor)                                            \
  RAAK_TRIANGLE(compiled, Eigen::OnTheLeft, Eigen::Upper, Eigen::RowMajor)                                            \
  RAAK_TRIANGLE(compiled, Eigen::OnTheRight, Eigen::Upper, Eigen::RowMajor)                                           \
  compiled void Eigen::HouseholderQR<raak::Matrix>::computeInPlace();                                                 \
  compiled void Eigen::ColPivHouseholderQR<raak::Matrix>::computeInPlace();                                           \
  compiled void Eigen::ColPivHouseholderQR<raak::Matrix>::_solve_impl(const raak::Vector&, raak::Vector&) const;      \
  compiled void Eigen::CompleteOrthogonalDecomposition<raak::Matrix>::computeInPlace();                               \
  compiled void Eigen::CompleteOrthogonalDecomposition<raak::Matrix>::_solve_impl(const raak::Vector&, raak::Vector&) \
      const;                                                                                                          \
  compiled void Eigen::PartialPivLU<raak::Matrix>::compute();                                                         \
  compiled void Eigen::PartialPivLU<Eigen::MatrixXcd>::compute();                                                     \
  compiled Eigen::LLT<raak::Matrix>& Eigen::LLT<raak::Matrix>::compute(const Eigen::EigenBase<raak::Matrix>&);        \
  compiled Eigen::LDLT<raak::Matrix>& Eigen::LDLT<raak::Matrix>::compute(const Eigen::EigenBase<raak::Matrix>&);      \
  compiled void Eigen::LDLT<raak::Matrix>::_solve_impl_transposed<true>(const raak::Vector&, raak::Vector&) const;

// NOLINTEND(bugprone-macro-parentheses)
RAAK_FACTORS(extern template)

namespace raak {

// A x = b by elimination with pivots in a column; of a symmetric A by its own.
Vector solve_square(const Matrix& A, const Vector& b);
Vector solve_symmetric(const Matrix& A, const Vector& b);
// The shortest x of least |A x - b|, whatever the rank of A.
Vector solve_least(const Matrix& A, const Vector& b);
// The shortest x with A x = b, of independent rows.
Vector solve_shortest(const Matrix& A, const Vector& b);

// Orthonormal columns that span those of A, as many.
Matrix orthonormal_columns(const Matrix& A);
// R of A = Q R, as many rows as columns.
Matrix triangle_of(const Matrix& A);
// Orthonormal columns across those of A.
Matrix orthonormal_complement(const Matrix& A);
Eigen::MatrixXcd inverse_of(const Eigen::MatrixXcd& A);

}  // namespace raak
