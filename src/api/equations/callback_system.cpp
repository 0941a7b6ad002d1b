#include "api/equations/callback_system.h"

#include <raak/errors.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "api/equations/dense_motion.h"
#include "api/equations/own_start.h"
#include "api/model_data.h"
#include "methods/collocation/stage_lanes.h"

namespace raak_v0::detail {
namespace {

using core::Matrix;
using core::Vector;
using RowMajor = CallbackDifferences::RowMajor;
using Index = Eigen::Index;

// Below it factors without pivoting are not taken.
constexpr double least_pivot = 1e-10;

}  // namespace

CallbackSystem::CallbackSystem(Callbacks callbacks, core::Description description)
    : ConstrainedSystem(callbacks.coordinates, callbacks.position_rows, callbacks.velocity_rows,
                        std::move(description)),
      own_(std::move(callbacks)),
      differences_(own_) {}

void CallbackSystem::mass(double t, const Vector& q, Matrix& M) const {
  RowMajor rows(coordinates(), coordinates());
  own_.mass(t, q.data(), nullptr, rows.data());
  M = rows;
}

void CallbackSystem::write_jacobian(double t, const double* q, int rows, double* G) const {
  const Index n = coordinates(), positions = position_rows();
  const Eigen::Map<const Vector> at(q, n);
  if (positions > 0 && own_.jacobian) own_.jacobian(t, q, nullptr, G);
  else if (positions > 0) differences_.position_jacobian(t, at, Eigen::Map<RowMajor>(G, positions, n));
  if (rows > positions)
    differences_.velocity_jacobian(t, at, Eigen::Map<RowMajor>(G + positions * n, rows - positions, n));
}
void CallbackSystem::jacobian(double t, const Vector& q, Matrix& G) const {
  RowMajor written(rows(), coordinates());
  write_jacobian(t, q.data(), rows(), written.data());
  G = written;
}

void CallbackSystem::write_rates(double t, const double* q, const double* v, double* rates) const {
  const Index n = coordinates(), positions = position_rows();
  const Eigen::Map<const Vector> at(q, n), moving(v, n);
  if (positions > 0) {
    Eigen::Map<Vector> of_positions(rates, positions);
    if (own_.jacobian) {
      RowMajor G(positions, n);
      own_.jacobian(t, q, nullptr, G.data());
      of_positions.noalias() = G * moving;
      differences_.add_time_rate(t, at, of_positions);
    } else {
      differences_.rate(t, at, moving, of_positions);
    }
  }
  if (velocity_rows() > 0) own_.velocity_constraint(t, q, v, rates + positions);
}
void CallbackSystem::velocity_constraint(double t, const Vector& q, const Vector& v, Vector& c_all) const {
  c_all.resize(rows());
  write_rates(t, q.data(), v.data(), c_all.data());
}

void CallbackSystem::write_bias(double t, const double* q, const double* v, double* bias) const {
  const Index n = coordinates();
  if (own_.bias) own_.bias(t, q, v, bias);
  else
    differences_.bias(t, Eigen::Map<const Vector>(q, n), Eigen::Map<const Vector>(v, n),
                      Eigen::Map<Vector>(bias, rows()));
}
void CallbackSystem::acceleration_bias(double t, const Vector& q, const Vector& v, Vector& bias) const {
  bias.resize(rows());
  if (rows() > 0) write_bias(t, q.data(), v.data(), bias.data());
}

void CallbackSystem::force_derivatives(double t, const Vector& q, const Vector& v, Matrix& f_q, Matrix& f_v) const {
  differences_.force_derivatives(t, q, v, f_q, f_v);
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
    const double h = longer * CallbackDifferences::step_of(state.q[i]);
    q[i] = state.q[i] + h;
    const Vector ahead = reaction(q);
    q[i] = state.q[i] - h;
    K.col(i) = (ahead - reaction(q)) / (2.0 * h);
    q[i] = state.q[i];
  }
}

void CallbackSystem::call_all(double t, const double* q, const double* v, DenseMotion<double>& motion) const {
  motion.resize(coordinates(), rows());
  own_.mass(t, q, nullptr, motion.M.data());
  own_.force(t, q, v, motion.f.data());
  if (rows() == 0) return;
  write_jacobian(t, q, rows(), motion.G.data());
  write_bias(t, q, v, motion.bias.data());
}

double CallbackSystem::accelerate(double t, const double* q, const double* v, double* a, double* lambda) const {
  const LentMotion<double> motion;
  call_all(t, q, v, *motion);
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
  Vector f, bias, found, multipliers;
  mass(t, x, M);
  force(t, x, w, f);
  jacobian(t, x, G);
  acceleration_bias(t, x, w, bias);
  const double pivot = solve_near_singular(M, G, f, bias, found, multipliers);
  Eigen::Map<Vector>(a, n) = found;
  if (lambda != nullptr && rows() > 0) Eigen::Map<Vector>(lambda, rows()) = multipliers;
  return pivot;
}

void CallbackSystem::accelerate_lanes(const double* t, const double* q, const double* v, double* a, double* lambda,
                                      double* smallest_pivot) const {
  using core::lanes;
  using core::Pack;
  const int n = coordinates(), m = rows();
  const LentMotion<Pack> together;
  const LentMotion<double> one;
  together->resize(n, m);
  const auto put = [](const std::vector<double>& from, std::vector<Pack>& to, int lane) {
    double* const at = reinterpret_cast<double*>(to.data()) + lane;
    for (std::size_t i = 0; i < from.size(); ++i) at[lanes * i] = from[i];
  };
  Vector x(n), w(n);
  const auto state_of = [&](int lane) {
    for (int i = 0; i < n; ++i) {
      x[i] = q[lanes * i + lane];
      w[i] = v[lanes * i + lane];
    }
  };
  for (int lane = 0; lane < lanes; ++lane) {
    state_of(lane);
    call_all(t[lane], x.data(), w.data(), *one);
    put(one->M, together->M, lane);
    put(one->f, together->f, lane);
    put(one->G, together->G, lane);
    put(one->bias, together->bias, lane);
  }
  core::in_widest_lanes([&]() RAAK_LANES {
    together->factor().store(smallest_pivot);
    together->solve(reinterpret_cast<Pack*>(a), reinterpret_cast<Pack*>(lambda));
  });
  for (int lane = 0; lane < lanes; ++lane) {
    if (smallest_pivot[lane] > least_pivot) continue;
    state_of(lane);
    Vector found(n), multipliers(m);
    smallest_pivot[lane] = accelerate_near_singular(t[lane], x.data(), w.data(), found.data(),
                                                    lambda != nullptr ? multipliers.data() : nullptr);
    for (int i = 0; i < n; ++i) a[lanes * i + lane] = found[i];
    for (int i = 0; lambda != nullptr && i < m; ++i) lambda[lanes * i + lane] = multipliers[i];
  }
}

// The shortest change in the metric of M with G change = residual, of the first `rows` rows at q; false: by factors
// with pivoting, and none are kept in `motion`.
bool CallbackSystem::find_change(double t, const double* q, int rows, const double* residual,
                                 DenseMotion<double>& motion, double* change) const {
  motion.resize(coordinates(), rows);
  own_.mass(t, q, nullptr, motion.M.data());
  write_jacobian(t, q, rows, motion.G.data());
  std::fill(motion.f.begin(), motion.f.end(), 0.0);
  std::copy_n(residual, rows, motion.bias.begin());
  if (motion.factor() > least_pivot) {
    motion.solve(change, nullptr);
    return true;
  }
  const Vector x = Eigen::Map<const Vector>(q, coordinates());
  Matrix M, G;
  Vector found, lambda;
  mass(t, x, M);
  jacobian(t, x, G);
  solve_near_singular(M, G.topRows(rows), Vector::Zero(coordinates()), Eigen::Map<const Vector>(residual, rows), found,
                      lambda);
  Eigen::Map<Vector>(change, coordinates()) = found;
  return false;
}

double CallbackSystem::correct_position(double t, double* q) const {
  if (position_rows() == 0) return 0.0;
  const LentMotion<double> motion;
  Vector g(position_rows()), change(coordinates());
  own_.constraint(t, q, nullptr, g.data());
  find_change(t, q, position_rows(), g.data(), *motion, change.data());  // rows of velocities say nothing of positions
  Eigen::Map<Vector>(q, coordinates()) -= change;
  return g.norm();
}

double CallbackSystem::correct_velocity(double t, const double* q, double* v) const {
  if (rows() == 0) return 0.0;
  const LentMotion<double> motion;
  Vector c(rows()), change(coordinates());
  write_rates(t, q, v, c.data());
  find_change(t, q, rows(), c.data(), *motion, change.data());
  Eigen::Map<Vector>(v, coordinates()) -= change;
  return c.norm();
}

double CallbackSystem::correct_state(double t, double* q, double* v) const {
  if (position_rows() == 0 || velocity_rows() > 0) return ConstrainedSystem::correct_state(t, q, v);
  const LentMotion<double> motion;
  Vector g(position_rows()), change(coordinates());
  own_.constraint(t, q, nullptr, g.data());
  const bool has_factors = find_change(t, q, position_rows(), g.data(), *motion, change.data());
  Eigen::Map<Vector>(q, coordinates()) -= change;
  if (!has_factors) {
    correct_velocity(t, q, v);
    return g.norm();
  }
  write_rates(t, q, v, motion->bias.data());
  motion->solve(change.data(), nullptr);
  Eigen::Map<Vector>(v, coordinates()) -= change;
  return g.norm();
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
namespace {

void require_functions(const Callbacks& own) {
  const auto require = [](const Callback& function, const std::string& what, const std::string& because) {
    if (!function) throw RequestError(what + " expects a function, found none" + because);
  };
  require(own.mass, "mass", "");
  require(own.force, "force", "");
  if (own.position_rows > 0)
    require(own.constraint, "constraint", "; position_rows is " + std::to_string(own.position_rows));
  if (own.velocity_rows > 0)
    require(own.velocity_constraint, "velocity_constraint", "; velocity_rows is " + std::to_string(own.velocity_rows));
  if (!own.description.outputs.empty()) require(own.outputs, "outputs", ", and the description names some");
}

}  // namespace

Model callback_model(const Callbacks& callbacks, const StartValues& start, const std::string& name) {
  return detail::guarded({}, [&] {
    require_functions(callbacks);
    return detail::started(std::make_shared<const detail::CallbackSystem>(
                               callbacks, detail::described(callbacks.description, callbacks.coordinates)),
                           start, name);
  });
}

}  // namespace raak_v0
