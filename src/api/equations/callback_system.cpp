#include "api/equations/callback_system.h"

#include <raak/errors.h>

#include <Eigen/Cholesky>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "api/equations/dense_motion.h"
#include "api/equations/own_start.h"
#include "api/model_data.h"
#include "base/pack.h"

namespace raak_v0::detail {
namespace {

using core::Matrix;
using core::Vector;
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Index = Eigen::Index;

// Step of central differences for a first derivative: the third root of the rounding error.
constexpr double first_step = 6e-6;
// Step along the motion, in units of the larger of 1 and the fastest coordinate, for formulas of high order: between
// the truncation, h^6, and the rounding, eps/h^2.
constexpr double line_step = 4e-3;
// Below it factors without pivoting are not taken.
constexpr double least_pivot = 1e-10;

double step_of(double x) {
  const double h = first_step * std::max(1.0, std::abs(x));
  return (x + h) - x;  // what is really added
}

double line_step_of(const Vector& v) {
  return line_step / std::max(1.0, v.size() > 0 ? v.cwiseAbs().maxCoeff() : 0.0);
}

}  // namespace

CallbackSystem::CallbackSystem(Callbacks callbacks, core::Description description)
    : ConstrainedSystem(callbacks.coordinates, callbacks.position_rows, callbacks.velocity_rows,
                        std::move(description)),
      own_(std::move(callbacks)) {}

void CallbackSystem::mass(double t, const Vector& q, Matrix& M) const {
  RowMajor rows(coordinates(), coordinates());
  own_.mass(t, q.data(), nullptr, rows.data());
  M = rows;
}
void CallbackSystem::force(double t, const Vector& q, const Vector& v, Vector& f) const {
  f.resize(coordinates());
  own_.force(t, q.data(), v.data(), f.data());
}
void CallbackSystem::constraint(double t, const Vector& q, Vector& g) const {
  g.resize(position_rows());
  if (position_rows() > 0) own_.constraint(t, q.data(), nullptr, g.data());
}

void CallbackSystem::jacobian(double t, const Vector& q, Matrix& G) const {
  G.resize(rows(), coordinates());
  if (position_rows() > 0 && own_.jacobian) {
    RowMajor written(position_rows(), coordinates());
    own_.jacobian(t, q.data(), nullptr, written.data());
    G.topRows(position_rows()) = written;
  } else if (position_rows() > 0) {
    Vector moved = q, ahead(position_rows()), behind(position_rows());
    for (Index i = 0; i < coordinates(); ++i) {
      const double h = step_of(q[i]);
      moved[i] = q[i] + h;
      constraint(t, moved, ahead);
      moved[i] = q[i] - h;
      constraint(t, moved, behind);
      moved[i] = q[i];
      G.col(i).head(position_rows()) = (ahead - behind) / (2.0 * h);
    }
  }
  if (velocity_rows() == 0) return;
  // c is linear in v: its differences have no error but rounding.
  Vector v = Vector::Zero(coordinates()), at_rest(velocity_rows()), moving(velocity_rows());
  own_.velocity_constraint(t, q.data(), v.data(), at_rest.data());
  for (Index i = 0; i < coordinates(); ++i) {
    v[i] = 1.0;
    own_.velocity_constraint(t, q.data(), v.data(), moving.data());
    v[i] = 0.0;
    G.col(i).tail(velocity_rows()) = moving - at_rest;
  }
}

void CallbackSystem::constraints_on_line(double t, const Vector& q, const Vector& v, double s, Vector& g,
                                         Vector& c) const {
  const Vector moved = q + s * v;
  constraint(t + s, moved, g);
  if (velocity_rows() > 0) own_.velocity_constraint(t + s, moved.data(), v.data(), c.data());
}

void CallbackSystem::velocity_constraint(double t, const Vector& q, const Vector& v, Vector& c_all) const {
  c_all.resize(rows());
  if (position_rows() > 0) {
    // G v + dg/dt, and dg/dt by the formula of sixth order.
    constexpr std::array weights{0.75, -0.15, 1.0 / 60.0};
    Matrix G;
    jacobian(t, q, G);
    c_all.head(position_rows()) = G.topRows(position_rows()) * v;
    Vector ahead(position_rows()), behind(position_rows());
    for (int k = 1; k <= 3; ++k) {
      constraint(t + k * line_step, q, ahead);
      constraint(t - k * line_step, q, behind);
      c_all.head(position_rows()) += weights.at(static_cast<std::size_t>(k - 1)) / line_step * (ahead - behind);
    }
  }
  if (velocity_rows() > 0) own_.velocity_constraint(t, q.data(), v.data(), c_all.data() + position_rows());
}

void CallbackSystem::acceleration_bias(double t, const Vector& q, const Vector& v, Vector& bias) const {
  bias.resize(rows());
  if (rows() == 0) return;
  if (own_.bias) {
    own_.bias(t, q.data(), v.data(), bias.data());
    return;
  }
  // -d2g/ds2 and -dc/ds along (t + s, q + s v), both of sixth order.
  constexpr std::array second{1.5, -0.15, 1.0 / 90.0}, first{0.75, -0.15, 1.0 / 60.0};
  const double h = line_step_of(v);
  Vector g(position_rows()), c(velocity_rows()), ahead(position_rows()), behind(position_rows());
  Vector c_ahead(velocity_rows()), c_behind(velocity_rows());
  constraint(t, q, g);
  bias.setZero();
  for (int k = 1; k <= 3; ++k) {
    const auto i = static_cast<std::size_t>(k - 1);
    constraints_on_line(t, q, v, k * h, ahead, c_ahead);
    constraints_on_line(t, q, v, -k * h, behind, c_behind);
    bias.head(position_rows()) -= second.at(i) / (h * h) * ((ahead - g) + (behind - g));
    bias.tail(velocity_rows()) -= first.at(i) / h * (c_ahead - c_behind);
  }
}

void CallbackSystem::force_derivatives(double t, const Vector& q, const Vector& v, Matrix& f_q, Matrix& f_v) const {
  const Index n = coordinates();
  f_q.resize(n, n);
  f_v.resize(n, n);
  Vector x = q, w = v, ahead, behind;
  const auto column = [&](Vector& moved, Index i, Matrix& derivative) {
    const double at = moved[i], h = step_of(at);
    moved[i] = at + h;
    force(t, x, w, ahead);
    moved[i] = at - h;
    force(t, x, w, behind);
    moved[i] = at;
    derivative.col(i) = (ahead - behind) / (2.0 * h);
  };
  for (Index i = 0; i < n; ++i) {
    column(x, i, f_q);
    column(w, i, f_v);
  }
}

void CallbackSystem::inertia_stiffness(const core::State& state, Matrix& K) const {
  const Index n = coordinates();
  K.resize(n, n);
  Matrix M, G;
  const auto reaction = [&](const Vector& q) -> Vector {
    mass(state.t, q, M);
    jacobian(state.t, q, G);
    return M * state.a + G.transpose() * state.lambda;
  };
  Vector q = state.q;
  // G may be a difference itself: a longer step loses less to its rounding.
  const double longer = own_.jacobian ? 1.0 : 50.0;
  for (Index i = 0; i < n; ++i) {
    const double h = longer * step_of(state.q[i]);
    q[i] = state.q[i] + h;
    const Vector ahead = reaction(q);
    q[i] = state.q[i] - h;
    K.col(i) = (ahead - reaction(q)) / (2.0 * h);
    q[i] = state.q[i];
  }
}

double CallbackSystem::shortest(const Matrix& M, const Matrix& G, const Vector& right, Vector& change,
                                Vector* lambda) const {
  if (rows() == 0) {
    change.setZero(coordinates());
    return 1.0;
  }
  const Matrix X = M.llt().solve(G.transpose());  // M^-1 G'
  Matrix S = G * X;
  const Vector scale = S.diagonal().cwiseAbs().cwiseMax(std::numeric_limits<double>::min()).cwiseSqrt().cwiseInverse();
  S = scale.asDiagonal() * S * scale.asDiagonal();
  const Eigen::LDLT<Matrix> factors(S);
  const Vector solved = scale.asDiagonal() * factors.solve(scale.asDiagonal() * right);
  change = X * solved;
  if (lambda != nullptr) *lambda = solved;
  return factors.vectorD().cwiseAbs().minCoeff();
}

double CallbackSystem::accelerate(double t, const double* q, const double* v, double* a, double* lambda) const {
  const Index n = coordinates(), m = rows();
  const LentMotion motion;
  motion->resize(static_cast<int>(n), static_cast<int>(m));
  own_.mass(t, q, nullptr, motion->M.data());
  own_.force(t, q, v, motion->f.data());
  if (m > 0 && own_.jacobian && velocity_rows() == 0) {
    own_.jacobian(t, q, nullptr, motion->G.data());
  } else if (m > 0) {
    Matrix G;
    jacobian(t, Eigen::Map<const Vector>(q, n), G);
    Eigen::Map<RowMajor>(motion->G.data(), m, n) = G;
  }
  if (m > 0 && own_.bias) {
    own_.bias(t, q, v, motion->bias.data());
  } else if (m > 0) {
    Vector bias;
    acceleration_bias(t, Eigen::Map<const Vector>(q, n), Eigen::Map<const Vector>(v, n), bias);
    Eigen::Map<Vector>(motion->bias.data(), m) = bias;
  }
  const double pivot = motion->factor();
  if (!(pivot > least_pivot)) return accelerate_near_singular(t, q, v, a, lambda);
  motion->solve(a, lambda);
  return pivot;
}

double CallbackSystem::accelerate_near_singular(double t, const double* q, const double* v, double* a,
                                                double* lambda) const {
  const Index n = coordinates();
  const Vector x = Eigen::Map<const Vector>(q, n), w = Eigen::Map<const Vector>(v, n);
  Matrix M, G;
  Vector f, bias, change, solved;
  mass(t, x, M);
  force(t, x, w, f);
  jacobian(t, x, G);
  acceleration_bias(t, x, w, bias);
  const Vector free = M.llt().solve(f);
  const double pivot = shortest(M, G, rows() > 0 ? Vector(G * free - bias) : Vector(), change, &solved);
  Eigen::Map<Vector>(a, n) = free - change;
  if (lambda != nullptr && rows() > 0) Eigen::Map<Vector>(lambda, rows()) = solved;
  return pivot;
}

void CallbackSystem::accelerate_lanes(const double* t, const double* q, const double* v, double* a, double* lambda,
                                      double* smallest_pivot) const {
  constexpr auto lanes = static_cast<Index>(core::lanes);
  const Index n = coordinates(), m = rows();
  Vector x(n), w(n), found(n), multipliers(m);
  for (Index k = 0; k < lanes; ++k) {
    for (Index i = 0; i < n; ++i) {
      x[i] = q[lanes * i + k];
      w[i] = v[lanes * i + k];
    }
    smallest_pivot[k] =
        accelerate(t[k], x.data(), w.data(), found.data(), lambda != nullptr ? multipliers.data() : nullptr);
    for (Index i = 0; i < n; ++i) a[lanes * i + k] = found[i];
    for (Index i = 0; lambda != nullptr && i < m; ++i) lambda[lanes * i + k] = multipliers[i];
  }
}

double CallbackSystem::correct_position(double t, double* q) const {
  if (position_rows() == 0) return 0.0;
  Eigen::Map<Vector> shown(q, coordinates());
  const Vector x = shown;
  Matrix M, G;
  Vector g, change;
  constraint(t, x, g);
  mass(t, x, M);
  jacobian(t, x, G);
  Vector right = Vector::Zero(rows());
  right.head(position_rows()) = g;
  if (velocity_rows() > 0) {  // rows of velocities say nothing of positions
    const Matrix position = G.topRows(position_rows());
    const Matrix X = M.llt().solve(position.transpose());
    change = X * (position * X).ldlt().solve(g);
  } else {
    shortest(M, G, right, change, nullptr);
  }
  shown -= change;
  return g.norm();
}

double CallbackSystem::correct_velocity(double t, const double* q, double* v) const {
  if (rows() == 0) return 0.0;
  Eigen::Map<Vector> shown(v, coordinates());
  const Vector x = Eigen::Map<const Vector>(q, coordinates()), w = shown;
  Matrix M, G;
  Vector c, change;
  velocity_constraint(t, x, w, c);
  mass(t, x, M);
  jacobian(t, x, G);
  shortest(M, G, c, change, nullptr);
  shown -= change;
  return c.norm();
}

core::Energy CallbackSystem::energy(double t, const Vector& q, const Vector& v) const {
  Matrix M;
  mass(t, q, M);
  core::Energy energy;
  energy.kinetic = 0.5 * v.dot(M * v);
  if (own_.potential) own_.potential(t, q.data(), nullptr, &energy.potential);
  return energy;
}

double CallbackSystem::input_power(const core::State& state) const {
  double power = 0.0;
  if (own_.power) own_.power(state.t, state.q.data(), state.v.data(), &power);
  return power;
}

void CallbackSystem::evaluate_outputs(const core::State& state, Vector& values) const {
  if (values.size() > 0) own_.outputs(state.t, state.q.data(), state.v.data(), values.data());
}

}  // namespace raak_v0::detail

namespace raak_v0 {

Model callback_model(const Callbacks& callbacks, const StartValues& start, const std::string& name) {
  return detail::guarded({}, [&] {
    return detail::started(
        std::make_shared<const detail::CallbackSystem>(callbacks, detail::described(callbacks.description)), start,
        name);
  });
}

}  // namespace raak_v0
