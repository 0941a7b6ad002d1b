#include "methods/direct/second_order_newton.h"

#include <algorithm>
#include <cmath>
#include <complex>

namespace raak {
namespace {

// M a + G' lambda - f.
template <class AnyMatrix>
void balance(const AnyMatrix& M, const AnyMatrix& G, const State& at, const Vector& f, Eigen::Ref<Vector> r) {
  r.noalias() = M * at.a;
  r -= f;
  if (G.rows() > 0) r.noalias() += G.transpose() * at.lambda;
}

}  // namespace

Linearization::Linearization(const ConstrainedSystem& system, Form form)
    : system_(system),
      form_(form),
      n_(system.coordinates()),
      m_(system.rows()),
      mp_(system.position_rows()),
      eta_(form == Form::ggl ? mp_ : 0),
      kernels_(system.equation_kernels()) {
  forces_ = Vector::Zero(n_ + m_);
  all_rows_ = Vector::Zero(n_ + m_ + mp_);
  q_ = f_ = Vector::Zero(n_);
  g_ = Vector::Zero(mp_);
  c_ = Vector::Zero(m_);
  if (const SparseEquations* const equations = SparseEquations::worthwhile(system)) {
    sparse_ = std::make_unique<SparseLinearization>(*equations, system, form);
    return;
  }
  if (SplitNewton::serves(mp_, m_ - mp_, form) && m_ <= n_) split_.emplace(n_, m_, form);
  M_ = K_ = f_q_ = f_v_ = M_at_ = Matrix::Zero(n_, n_);
  G_ = Gdot_ = G_at_ = Matrix::Zero(m_, n_);
  GG_ = Matrix::Zero(mp_, eta_);
  KG_ = Matrix::Zero(n_, eta_);
  GdotG_ = Matrix::Zero(m_, eta_);
}

void Linearization::evaluate_kernels(const State& at) {
  forces_.head(n_) = at.a;
  forces_.tail(m_) = at.lambda;
  const double* const in[EquationKernels::blocks] = {&at.t, at.q.data(), at.v.data(), forces_.data()};
  kernels_->linearise(in, {M_, K_, f_v_, G_, Gdot_});
}

void Linearization::evaluate(const State& at) {
  if (sparse_) return sparse_->evaluate(at);
  if (kernels_ != nullptr) {
    evaluate_kernels(at);
  } else {
    system_.mass(at.t, at.q, M_);
    system_.force_derivatives(at.t, at.q, at.v, f_q_, f_v_);
    system_.inertia_stiffness(at, K_);
    K_ -= f_q_;
    if (m_ == 0) return;
    system_.jacobian(at.t, at.q, G_);
    // dG/dt along the motion: d[g'; c]/dq, for position rows by symmetry of the second derivatives.
    const double dt = time_of_difference(at, system_.coordinate_scales());
    q_ = at.q + dt * at.v;
    system_.jacobian(at.t + dt, q_, Gdot_);
    q_ = at.q - dt * at.v;
    system_.jacobian(at.t - dt, q_, G_at_);
    Gdot_ = (Gdot_ - G_at_) / (2.0 * dt);
  }
  if (split_) return split_->update(equations());
  if (eta_ == 0) return;
  const auto Gp = G_.topRows(mp_);
  GG_.noalias() = Gp * Gp.transpose();
  KG_.noalias() = K_ * Gp.transpose();
  GdotG_.noalias() = Gdot_ * Gp.transpose();
}

void Linearization::residual_by_kernels(const State& at, Eigen::Ref<Vector> r) {
  forces_.head(n_) = at.a;
  forces_.tail(m_) = at.lambda;
  const double* const in[EquationKernels::blocks] = {&at.t, at.q.data(), at.v.data(), forces_.data()};
  if (form_ == Form::index1) {
    kernels_->residual_of_index1(in, all_rows_.data());
    r.head(n_ + m_) = all_rows_.head(n_ + m_);
    return;
  }
  kernels_->residual(in, all_rows_.data());
  r.head(n_ + m_) = all_rows_.head(n_ + m_);
  if (form_ != Form::index2) r.segment(form_ == Form::index3 ? n_ : n_ + m_, mp_) = all_rows_.tail(mp_);
}

void Linearization::residual(const State& at, Eigen::Ref<Vector> r) {
  if (kernels_ != nullptr) return residual_by_kernels(at, r);
  system_.force(at.t, at.q, at.v, f_);
  if (sparse_) {
    sparse_->evaluate_stage(at);
    balance(sparse_->mass_at_stage(), sparse_->jacobian_at_stage(), at, f_, r.head(n_));
  } else {
    system_.mass(at.t, at.q, M_at_);
    if (m_ > 0) system_.jacobian(at.t, at.q, G_at_);
    balance(M_at_, G_at_, at, f_, r.head(n_));
  }
  if (m_ == 0) return;
  if (form_ == Form::index1) {
    system_.acceleration_bias(at.t, at.q, at.v, c_);
    if (sparse_) r.segment(n_, m_).noalias() = sparse_->jacobian_at_stage() * at.a;
    else r.segment(n_, m_).noalias() = G_at_ * at.a;
    r.segment(n_, m_) -= c_;
    return;
  }
  system_.velocity_constraint(at.t, at.q, at.v, c_);
  r.segment(n_, m_) = c_;
  if (form_ == Form::index2 || mp_ == 0) return;
  system_.constraint(at.t, at.q, g_);
  r.segment(form_ == Form::index3 ? n_ : n_ + m_, mp_) = g_;
}

void Linearization::add_mass(double factor, const Factor& x, Eigen::Ref<Vector> y) const {
  if (sparse_) y.noalias() += factor * (sparse_->mass() * x);
  else y.noalias() += factor * (M_ * x);
}
void Linearization::add_stiffness(double factor, const Factor& x, Eigen::Ref<Vector> y) const {
  if (sparse_) y.noalias() += factor * (sparse_->stiffness() * x);
  else y.noalias() += factor * (K_ * x);
}
void Linearization::add_jacobian_rate(double factor, const Factor& x, Eigen::Ref<Vector> y) const {
  if (sparse_) y.noalias() += factor * (sparse_->jacobian_rate() * x);
  else y.noalias() += factor * (Gdot_ * x);
}
void Linearization::add_position_rows(double factor, const Factor& x, Eigen::Ref<Vector> y) const {
  if (sparse_) y.noalias() += factor * (sparse_->position_jacobian_transposed().transpose() * x);
  else y.noalias() += factor * (G_.topRows(mp_) * x);
}
void Linearization::add_position_forces(double factor, const Factor& x, Eigen::Ref<Vector> y) const {
  if (sparse_) y.noalias() += factor * (sparse_->position_jacobian_transposed() * x);
  else y.noalias() += factor * (G_.topRows(mp_).transpose() * x);
}

template <class Scalar>
void Linearization::scale(Scalar wv, Scalar wq, Eigen::Matrix<Scalar, Eigen::Dynamic, 1>& r) const {
  if (form_ == Form::index1) return;
  const Eigen::Index squared = form_ == Form::index3 ? mp_ : 0;
  r.segment(n_, squared) /= wq;
  r.segment(n_ + squared, m_ - squared) /= wv;
  r.tail(eta_) /= wq;
}

template <class Scalar>
void Linearization::assemble(Scalar wv, Scalar wq, Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>& J) const {
  J.setZero();
  auto top = J.topLeftCorner(n_, n_);
  top = M_.cast<Scalar>() - wv * f_v_.cast<Scalar>() + wq * K_.cast<Scalar>();
  J.block(0, n_, n_, m_) = G_.transpose().cast<Scalar>();
  auto rows = J.block(n_, 0, m_, n_);
  rows = G_.cast<Scalar>();
  const Eigen::Index at_position = form_ == Form::index3 ? mp_ : 0;
  const Scalar rate = form_ == Form::index1 ? Scalar(2.0) * wv : wq / wv;
  rows.bottomRows(m_ - at_position) += rate * Gdot_.bottomRows(m_ - at_position).cast<Scalar>();
  if (eta_ == 0) return;
  J.block(0, n_ + m_, n_, eta_) = -wq * KG_.cast<Scalar>();
  J.block(n_, n_ + m_, m_, eta_) = -(wq / wv) * GdotG_.cast<Scalar>();
  J.block(n_ + m_, 0, eta_, n_) = G_.topRows(mp_).cast<Scalar>();
  J.block(n_ + m_, n_ + m_, eta_, eta_) = -GG_.cast<Scalar>();
}

template void Linearization::assemble(double, double, Matrix&) const;
template void Linearization::assemble(std::complex<double>, std::complex<double>, Eigen::MatrixXcd&) const;
template void Linearization::scale(double, double, Vector&) const;
template void Linearization::scale(std::complex<double>, std::complex<double>, Eigen::VectorXcd&) const;

}  // namespace raak
