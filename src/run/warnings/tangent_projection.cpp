#include "run/warnings/tangent_projection.h"

#include "base/linear/factors.h"

namespace raak {
namespace {

constexpr int few_coordinates = 24;  // factors of the rows take the square of it for each row

}  // namespace

TangentProjection::TangentProjection(const ConstrainedSystem& system)
    : system_(system), is_small_(system.has_dense_matrices() && system.coordinates() <= few_coordinates) {
  if (!is_small_) return;
  A_ = Matrix::Zero(system.rows(), system.coordinates());
  ahead_ = behind_ = Vector::Zero(system.rows());
}

void TangentProjection::project(const State& at, double spread, Vector& w_q, Vector& w_v) {
  if (system_.rows() == 0) return;
  if (is_small_) return project_along_rows(at, spread, w_q, w_v);
  Vector q0 = at.q - spread * w_q, v0 = at.v - spread * w_v, q1 = at.q + spread * w_q, v1 = at.v + spread * w_v;
  system_.correct_state(at.t, q0.data(), v0.data());
  system_.correct_state(at.t, q1.data(), v1.data());
  w_q = (q1 - q0) / (2.0 * spread);
  w_v = (v1 - v0) / (2.0 * spread);
}

void TangentProjection::project_along_rows(const State& at, double spread, Vector& w_q, Vector& w_v) {
  const Vector& scales = system_.coordinate_scales();
  const Vector row_scales = system_.row_scales() * (2.0 * spread);
  const Eigen::Index positions = system_.position_rows();
  system_.jacobian(at.t, at.q, A_);
  A_ = (system_.row_scales().cwiseInverse().asDiagonal() * A_ * scales.asDiagonal()).eval();
  if (positions > 0) {
    Vector ahead(positions), behind(positions);
    system_.constraint(at.t, at.q + spread * w_q, ahead);
    system_.constraint(at.t, at.q - spread * w_q, behind);
    w_q -= scales.cwiseProduct(
        solve_shortest(A_.topRows(positions), (ahead - behind).cwiseQuotient(row_scales.head(positions))));
  }
  system_.velocity_constraint(at.t, at.q + spread * w_q, at.v + spread * w_v, ahead_);
  system_.velocity_constraint(at.t, at.q - spread * w_q, at.v - spread * w_v, behind_);
  w_v -= scales.cwiseProduct(solve_shortest(A_, (ahead_ - behind_).cwiseQuotient(row_scales)));
}

}  // namespace raak
