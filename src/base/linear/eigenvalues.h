// Eigenvalues of dense matrices. The algorithms of Eigen are compiled once, in eigenvalues.cpp, and not by every file
// that uses them (docs/decisions/0019): give them a Matrix, not an expression.
#pragma once
#include <Eigen/Eigenvalues>

#include "base/linear/linear.h"

#define RAAK_EIGENVALUES(compiled)                                                                            \
  compiled Eigen::SelfAdjointEigenSolver<raak::Matrix>& Eigen::SelfAdjointEigenSolver<raak::Matrix>::compute( \
      const Eigen::EigenBase<raak::Matrix>&, int);                                                            \
  compiled Eigen::EigenSolver<raak::Matrix>& Eigen::EigenSolver<raak::Matrix>::compute(                       \
      const Eigen::EigenBase<raak::Matrix>&, bool);                                                           \
  compiled Eigen::MatrixXcd Eigen::EigenSolver<raak::Matrix>::eigenvectors() const;

RAAK_EIGENVALUES(extern template)
