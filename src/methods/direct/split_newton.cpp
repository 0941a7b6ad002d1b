#include "methods/direct/split_newton.h"

namespace raak {

SplitNewton::SplitNewton(Eigen::Index coordinates, Eigen::Index rows, Form form)
    : n_(coordinates), m_(rows), has_eta_(form == Form::ggl) {
  const Eigen::Index f = n_ - m_;
  R = Q_ = Matrix::Zero(n_, m_);
  Rt = Matrix::Zero(m_, n_);
  N = E = Matrix::Zero(n_, f);
  Nt = NM = ND = NK = Matrix::Zero(f, n_);
  GdotN = Matrix::Zero(m_, f);
  inverse = Matrix::Zero(m_, m_);
  NMN = NDN = NKN = NME = NDE = Matrix::Zero(f, f);
  diagonal_ = head_ = scale_ = Vector::Zero(m_);
}

// x -= v (v'x) scale, v the reflector of row k.
void SplitNewton::reflect(Eigen::Index k, double* column) const {
  const double* const tail = Q_.data() + n_ * k;
  double sum = head_[k] * column[k];
  for (Eigen::Index i = k + 1; i < n_; ++i) sum += tail[i] * column[i];
  sum *= scale_[k];
  column[k] -= sum * head_[k];
  for (Eigen::Index i = k + 1; i < n_; ++i) column[i] -= sum * tail[i];
}

namespace {

// y = A x for matrices.
void multiply(const Matrix& A, const Matrix& X, Matrix& Y) {
  Y.setZero();
  for (Eigen::Index j = 0; j < X.cols(); ++j) accumulate<true>(A, X.data() + X.rows() * j, Y.data() + Y.rows() * j);
}

}  // namespace

// G' = Q [U; 0] by Householder's reflections: R = Q_1 U^-T, and N are the other columns of Q.
void SplitNewton::update(const LinearizedEquations& of) {
  for (Eigen::Index k = 0; k < m_; ++k)
    for (Eigen::Index i = 0; i < n_; ++i) Q_(i, k) = of.G(k, i);
  for (Eigen::Index k = 0; k < m_; ++k) {
    double* const column = Q_.data() + n_ * k;
    double square = 0.0;
    for (Eigen::Index i = k; i < n_; ++i) square += column[i] * column[i];
    diagonal_[k] = column[k] > 0.0 ? -std::sqrt(square) : std::sqrt(square);
    head_[k] = column[k] - diagonal_[k];
    scale_[k] = -1.0 / (head_[k] * diagonal_[k]);
    for (Eigen::Index j = k + 1; j < m_; ++j) reflect(k, Q_.data() + n_ * j);
  }
  R.setZero();
  for (Eigen::Index c = 0; c < m_; ++c) {
    double* const y = R.data() + n_ * c;
    for (Eigen::Index k = c; k < m_; ++k) {  // U' y = e_c
      double sum = k == c ? 1.0 : 0.0;
      for (Eigen::Index i = c; i < k; ++i) sum -= Q_(i, k) * y[i];
      y[k] = sum / diagonal_[k];
    }
    for (Eigen::Index k = m_; k-- > 0;) reflect(k, y);
  }
  N.setZero();
  for (Eigen::Index c = 0; c < freedoms(); ++c) {
    N(m_ + c, c) = 1.0;
    for (Eigen::Index k = m_; k-- > 0;) reflect(k, N.data() + n_ * c);
  }
  Rt = R.transpose();
  Nt = N.transpose();
  multiply(Nt, of.M, NM);
  multiply(NM, N, NMN);
  multiply(Nt, of.f_v, ND);
  multiply(ND, N, NDN);
  if (has_eta_) {
    multiply(Rt, R, inverse);
    multiply(of.Gdot, N, GdotN);
    multiply(R, GdotN, E);
    multiply(NM, E, NME);
    multiply(ND, E, NDE);
  }
  multiply(Nt, of.K, NK);
  multiply(NK, N, NKN);
}

}  // namespace raak
