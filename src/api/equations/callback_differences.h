// What equations that are called with numbers do not give, by central differences. Fornberg, Generation of finite
// difference formulas, Math. Comp. 51 (1988) 699.
#pragma once
#include <raak/callbacks.h>

#include "api/core.h"
#include "base/linear/linear.h"

namespace raak_v0::detail {

class CallbackDifferences {
 public:
  using Vector = core::Vector;
  using Matrix = core::Matrix;
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  using ConstVector = Eigen::Ref<const Vector>;
  using Rows = Eigen::Ref<RowMajor>;

  explicit CallbackDifferences(const Callbacks& own) : own_(own) {}

  // What is really added to x: of a step for a first derivative, the third root of the rounding error.
  static double step_of(double x);

  // dg/dq, n constraints on each side.
  void position_jacobian(double t, const ConstVector& q, Rows G) const;
  // dc/dv. c is linear in v: these have no error but rounding.
  void velocity_jacobian(double t, const ConstVector& q, Rows C) const;
  // dg/dt, added to `rate`.
  void add_time_rate(double t, const ConstVector& q, Eigen::Ref<Vector> rate) const;
  // g' = dg/dq v + dg/dt, without dg/dq.
  void rate(double t, const ConstVector& q, const ConstVector& v, Eigen::Ref<Vector> rate) const;
  // -d2g/ds2 and -dc/ds along (t + s, q + s v): with them G v' = bias.
  void bias(double t, const ConstVector& q, const ConstVector& v, Eigen::Ref<Vector> bias) const;
  void force_derivatives(double t, const Vector& q, const Vector& v, Matrix& f_q, Matrix& f_v) const;

 private:
  const Callbacks& own_;
};

}  // namespace raak_v0::detail
