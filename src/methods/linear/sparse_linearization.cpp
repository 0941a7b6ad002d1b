#include "methods/linear/sparse_linearization.h"

namespace raak {
namespace {

template <class Scalar>
using Entries = std::vector<Eigen::Triplet<Scalar>>;

// Adds factor times the rows of A from `first_row` on, with its first entry at (row, column) of the whole.
template <class Scalar>
void add(const SparseMatrix& A, Scalar factor, int row, int column, Entries<Scalar>& to, int first_row = 0) {
  for (int j = 0; j < A.outerSize(); ++j)
    for (SparseMatrix::InnerIterator entry(A, j); entry; ++entry)
      if (entry.row() >= first_row)
        to.emplace_back(row + static_cast<int>(entry.row()), column + j, factor * entry.value());
}

}  // namespace

SparseLinearization::SparseLinearization(const SparseEquations& equations, const ConstrainedSystem& system, Form form)
    : equations_(equations),
      form_(form),
      n_(system.coordinates()),
      m_(system.rows()),
      mp_(system.position_rows()),
      eta_(form == Form::ggl ? mp_ : 0),
      scales_(system.coordinate_scales()) {
  for (SparseMatrix* square : {&M_, &K_, &f_q_, &f_v_, &M_at_}) square->resize(n_, n_);
  for (SparseMatrix* rows : {&G_, &Gdot_, &G_at_}) rows->resize(m_, n_);
  Gp_transposed_.resize(n_, mp_);
}

void SparseLinearization::evaluate(const State& at) {
  equations_.sparse_mass(at.t, at.q, M_);
  equations_.sparse_force_derivatives(at.t, at.q, at.v, f_q_, f_v_);
  equations_.sparse_inertia_stiffness(at, K_);
  K_ -= f_q_;
  if (m_ == 0) return;
  equations_.sparse_jacobian(at.t, at.q, G_);
  const double dt = time_of_difference(at, scales_);
  q_ = at.q + dt * at.v;
  equations_.sparse_jacobian(at.t + dt, q_, Gdot_);
  q_ = at.q - dt * at.v;
  equations_.sparse_jacobian(at.t - dt, q_, G_at_);
  Gdot_ -= G_at_;
  Gdot_ *= 0.5 / dt;
  const SparseMatrix transposed = G_.transpose();
  Gp_transposed_ = transposed.leftCols(mp_);
  if (eta_ == 0) return;
  GG_ = SparseMatrix(Gp_transposed_.transpose()) * Gp_transposed_;
  KG_ = K_ * Gp_transposed_;
  GdotG_ = Gdot_ * Gp_transposed_;
}

void SparseLinearization::evaluate_stage(const State& at) {
  equations_.sparse_mass(at.t, at.q, M_at_);
  if (m_ > 0) equations_.sparse_jacobian(at.t, at.q, G_at_);
}

template <class Scalar>
void SparseLinearization::entries(Scalar wv, Scalar wq, Entries<Scalar>& J) const {
  J.clear();
  add(M_, Scalar(1.0), 0, 0, J);
  add(f_v_, -wv, 0, 0, J);
  add(K_, wq, 0, 0, J);
  if (m_ == 0) return;
  for (int j = 0; j < n_; ++j)
    for (SparseMatrix::InnerIterator entry(G_, j); entry; ++entry) {
      const int row = n_ + static_cast<int>(entry.row());
      J.emplace_back(row, j, Scalar(entry.value()));
      J.emplace_back(j, row, Scalar(entry.value()));
    }
  const Scalar rate = form_ == Form::index1 ? Scalar(2.0) * wv : wq / wv;
  add(Gdot_, rate, n_, 0, J, form_ == Form::index3 ? mp_ : 0);
  if (eta_ == 0) return;
  add(KG_, -wq, 0, n_ + m_, J);
  add(GdotG_, -(wq / wv), n_, n_ + m_, J);
  for (int j = 0; j < mp_; ++j)
    for (SparseMatrix::InnerIterator entry(Gp_transposed_, j); entry; ++entry)
      J.emplace_back(n_ + m_ + j, static_cast<int>(entry.row()), Scalar(entry.value()));
  add(GG_, Scalar(-1.0), n_ + m_, n_ + m_, J);
}

template void SparseLinearization::entries(double, double, Entries<double>&) const;
template void SparseLinearization::entries(std::complex<double>, std::complex<double>,
                                           Entries<std::complex<double>>&) const;

}  // namespace raak
