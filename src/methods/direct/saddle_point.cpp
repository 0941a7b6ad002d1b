#include "methods/direct/saddle_point.h"

namespace raak {

SaddlePoint::SaddlePoint(const ConstrainedSystem& system)
    : system_(system),
      sparse_equations_(SparseEquations::worthwhile(system)),
      n_(system.coordinates()),
      m_(system.rows()) {
  if (sparse_equations_ != nullptr) {
    sparse_.emplace(n_ + m_);
    return;
  }
  M_ = Matrix::Zero(n_, n_);
  G_ = Matrix::Zero(m_, n_);
  J_ = Matrix::Zero(n_ + m_, n_ + m_);
  lu_ = Eigen::PartialPivLU<Matrix>(n_ + m_);
}

void SaddlePoint::set_stage(double t, const Vector& q) {
  if (!sparse_) {
    system_.mass(t, q, M_);
    system_.jacobian(t, q, G_);
    J_.topLeftCorner(n_, n_) = M_;
    J_.topRightCorner(n_, m_) = G_.transpose();
    return;
  }
  sparse_equations_->sparse_mass(t, q, sparse_M_);
  sparse_equations_->sparse_jacobian(t, q, sparse_G_);
  auto& entries = sparse_->entries();
  entries.clear();
  const int n = static_cast<int>(n_);
  for (int j = 0; j < n; ++j) {
    for (SparseMatrix::InnerIterator entry(sparse_M_, j); entry; ++entry)
      entries.emplace_back(static_cast<int>(entry.row()), j, entry.value());
    for (SparseMatrix::InnerIterator entry(sparse_G_, j); entry; ++entry)
      entries.emplace_back(j, n + static_cast<int>(entry.row()), entry.value());
  }
}

void SaddlePoint::factor(double t, const Vector& q) {
  if (!sparse_) {
    system_.jacobian(t, q, G_);
    J_.bottomLeftCorner(m_, n_) = G_;
    lu_.compute(J_);
    return;
  }
  sparse_equations_->sparse_jacobian(t, q, sparse_G_);
  const int n = static_cast<int>(n_);
  for (int j = 0; j < n; ++j)
    for (SparseMatrix::InnerIterator entry(sparse_G_, j); entry; ++entry)
      sparse_->entries().emplace_back(n + static_cast<int>(entry.row()), j, entry.value());
  sparse_->factor();
}

void SaddlePoint::solve(const Vector& r, Vector& x) const {
  if (sparse_) sparse_->solve(r, x);
  else x = lu_.solve(r);
}

}  // namespace raak
