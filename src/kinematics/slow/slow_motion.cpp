#include "kinematics/slow/slow_motion.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kinematics/slow/slow_manifold.h"

namespace raak {
namespace {

constexpr Eigen::Index nodes_of_window = 11;  // a polynomial of degree 10: its sixth derivative still has digits
constexpr int steps_between_nodes = 2;
constexpr int most_sweeps = 60;
constexpr double rounding_of_positions = 1e-14;  // of the scales of coordinates

// The span of a window about the start; the configuration may still change the frequency a little.
double span_of(const ConstrainedSystem& system, const State& start, Eigen::Index fast, double radians) {
  const FreeVibrations at = free_vibrations(system, start.t, start.q);
  const double frequency = at.frequency(at.count() - fast);
  if (frequency > 0.0) return radians / frequency;
  throw NoSlowManifold(
      NoSlowManifold::Why::no_balance, 0.0,
      fmt::format("there is no smooth start: the configuration is unstable in a direction of {}, which no "
                  "stiff part holds",
                  carriers_of(system, at, at.count() - fast)),
      "start from another configuration");
}

}  // namespace

SlowMotion::SlowMotion(const ConstrainedSystem& system, const TrustedDirections& trusted, const State& start,
                       Eigen::Index fast, double radians)
    : system_(system),
      trusted_(trusted),
      start_(start),
      fast_(fast),
      window_(start.t, span_of(system, start, fast, radians), nodes_of_window),
      nodes_(nodes_of_window) {
  for (Node& node : nodes_) node.deflection = Vector::Zero(system.coordinates());
  march();
  settle();
}

Vector SlowMotion::fast_part(const Node& node, const Vector& x) const {
  return fast_shapes(node) * (fast_shapes(node).transpose() * (node.vibrations.M * x));
}

// Newton's method on the position rows, to the last bit: derivatives multiply what is left.
void SlowMotion::close(double t, Vector& q) const {
  if (system_.position_rows() == 0) return;
  double before = system_.correct_position(t, q.data());
  for (int pass = 0; pass < 8 && before > 0.0; ++pass) {
    const double now = system_.correct_position(t, q.data());
    if (!(now < before)) return;
    before = now;
  }
}

// Newton's method on the balance at rest, along the fast directions; at the start trusted positions hold.
void SlowMotion::relax(Eigen::Index index, Vector q) {
  Node& node = nodes_[static_cast<std::size_t>(index)];
  const double t = window_.t(index);
  const Vector rest = Vector::Zero(q.size());
  Vector f(q.size());
  double before = INFINITY;
  for (int pass = 0; pass < 40; ++pass) {
    close(t, q);
    if (pass < 2 || before > 1e-8) node.vibrations = free_vibrations(system_, t, q);
    system_.force(t, q, rest, f);
    const Vector squares = node.vibrations.squares.tail(fast_);
    Vector step = fast_shapes(node) * (fast_shapes(node).transpose() * f).cwiseQuotient(squares);
    if (index == 0) step += trusted_.position_step(t, q + step, slow_shapes(node));
    const double size = step.cwiseQuotient(system_.coordinate_scales()).cwiseAbs().maxCoeff();
    if (!std::isfinite(size) || squares[0] <= 0.0) break;
    q += step;
    if (size <= 0.01 * rounding_of_positions || (size < 1e-10 && size >= before)) {
      close(t, q);
      node.held = q;
      if (pass > 0) node.vibrations = free_vibrations(system_, t, q);
      return;
    }
    before = size;
  }
  refuse_without_balance(t, node.vibrations);
}

void SlowMotion::refuse_without_balance(double t, const FreeVibrations& at) const {
  throw NoSlowManifold(
      NoSlowManifold::Why::no_balance, at.frequency(at.count() - fast_),
      fmt::format("there is no smooth start: at t = {:.6g} s the stiff part carried by {} finds no configuration "
                  "in which its forces balance",
                  t, carriers_of(system_, at, at.count() - fast_)),
      "start nearer to its rest, or slower");
}

void SlowMotion::place(Eigen::Index index, const Vector& guess) {
  Node& node = nodes_[static_cast<std::size_t>(index)];
  relax(index, guess - node.deflection);
  node.deflection = fast_part(node, node.deflection);
  node.q = node.held + node.deflection;
  const double t = window_.t(index);
  for (int pass = 0; index == 0 && pass < 3; ++pass) {
    close(t, node.q);
    node.q += trusted_.position_step(t, node.q, slow_shapes(node));
  }
  close(t, node.q);
  node.deflected = node.deflection.isZero(0.0) ? node.vibrations : free_vibrations(system_, t, node.q);
  if (!(node.deflected.squares.tail(fast_)[0] > 0.0)) refuse_without_balance(t, node.deflected);
}

// The velocity along held configurations: the rows hold and the forces at rest stay in balance.
Vector SlowMotion::held_velocity(const Node& node, double t, const Vector& q, Vector v) const {
  system_.correct_velocity(t, q.data(), v.data());
  const double speed = v.cwiseQuotient(system_.coordinate_scales()).cwiseAbs().maxCoeff();
  if (!(speed > 0.0)) return v;
  const double tau = std::min(1e-6 / speed, 1e-3 * window_.length());
  const Vector rest = Vector::Zero(v.size());
  Vector now(v.size()), later(v.size());
  system_.force(t, q, rest, now);
  system_.force(t + tau, q + tau * v, rest, later);
  const auto X = fast_shapes(node);
  return v + X * (X.transpose() * (later - now) / tau).cwiseQuotient(node.vibrations.squares.tail(fast_));
}

// From node to node in small steps along held configurations.
void SlowMotion::march() {
  place(0, start_.q);
  Vector v = start_.v, before;
  for (Eigen::Index i = 1; i < window_.nodes(); ++i) {
    Node& node = nodes_[static_cast<std::size_t>(i)];
    node.vibrations = nodes_[static_cast<std::size_t>(i - 1)].vibrations;
    Vector q = nodes_[static_cast<std::size_t>(i - 1)].q;
    const double dt = (window_.t(i) - window_.t(i - 1)) / steps_between_nodes;
    for (int k = 0; k < steps_between_nodes; ++k) {
      const double t = window_.t(i - 1) + k * dt;
      v = held_velocity(node, t, q, v);
      if (before.size() == 0) before = v;
      q += dt * (1.5 * v - 0.5 * before);
      before = v;
      close(t + dt, q);
      node.vibrations = free_vibrations(system_, t + dt, q);
    }
    place(i, q);
  }
}

Matrix SlowMotion::positions() const {
  Matrix Q(window_.nodes(), system_.coordinates());
  for (Eigen::Index i = 0; i < Q.rows(); ++i) Q.row(i) = nodes_[static_cast<std::size_t>(i)].q.transpose();
  return Q;
}

// The slow part of the velocity is the given one, the fast part that of the configurations; trusted velocities hold.
Vector SlowMotion::start_velocity(const Matrix& V) const {
  const Node& node = nodes_.front();
  Vector given = start_.v, v = V.row(0).transpose();
  system_.correct_velocity(start_.t, node.q.data(), given.data());
  const auto slow = slow_shapes(node);
  v += slow * (slow.transpose() * (node.vibrations.M * (given - v)));
  for (int pass = 0; pass < 2; ++pass) {
    v += trusted_.velocity_step(start_.t, node.q, v, slow);
    system_.correct_velocity(start_.t, node.q.data(), v.data());
  }
  return v;
}

Matrix SlowMotion::slow_accelerations(const Matrix& Q, const Matrix& V) const {
  const Matrix of_positions = window_.derivative(V);
  Matrix A(Q.rows(), Q.cols());
  Vector a(Q.cols()), lambda(system_.rows());
  for (Eigen::Index i = 0; i < Q.rows(); ++i) {
    const Node& node = nodes_[static_cast<std::size_t>(i)];
    const Vector v = V.row(i).transpose();
    system_.accelerate(window_.t(i), node.q.data(), v.data(), a.data(), lambda.data());
    A.row(i) = (a + fast_part(node, of_positions.row(i).transpose() - a)).transpose();
  }
  return A;
}

void SlowMotion::settle() {
  if (first_fast() == 0) return;  // the rows and the balance fix every configuration
  const Vector& scales = system_.coordinate_scales();
  double before = INFINITY;
  for (int sweep = 0; sweep < most_sweeps; ++sweep) {
    const Matrix Q = positions(), V = window_.derivative(Q);
    const Vector q = nodes_.front().q, v = start_velocity(V);
    const Matrix from_rest = window_.integral(window_.integral(slow_accelerations(Q, V)));
    for (Eigen::Index i = 1; i < Q.rows(); ++i)
      place(i, q + (window_.t(i) - start_.t) * v + from_rest.row(i).transpose());
    const double change = ((positions() - Q) * scales.cwiseInverse().asDiagonal()).cwiseAbs().maxCoeff();
    if (!std::isfinite(change)) break;
    if (change <= 10.0 * rounding_of_positions || (change < 1e-9 && change >= before)) return;
    before = change;
  }
  throw NoSlowManifold(
      NoSlowManifold::Why::no_stiff_part, vibrations().frequency(first_fast()),
      fmt::format(
          "there is no smooth start: beside the vibration of {:.4g} rad/s carried by {} the rest of the motion is "
          "not slow",
          vibrations().frequency(first_fast()), carriers_of(system_, vibrations(), first_fast())),
      "count fewer vibrations as fast: smooth = { above = RAD_PER_SECOND }");
}

bool SlowMotion::moves() const {
  const Matrix V = window_.derivative(positions()) * system_.coordinate_scales().cwiseInverse().asDiagonal();
  return V.cwiseAbs().maxCoeff() * window_.length() > 1e-8;
}

double SlowMotion::rate() const {
  if (!moves()) return 0.0;
  Matrix values = positions() * system_.coordinate_scales().cwiseInverse().asDiagonal();
  double size[5] = {};
  for (double& of : size) {
    of = values.norm();
    values = window_.derivative(values) * window_.length();
  }
  return std::sqrt((size[3] + size[4]) / (size[1] + size[2])) / window_.length();
}

// With the accelerations a of the equations at the same configurations and velocities X'(f - M q'') is X'M(a - q'').
Matrix SlowMotion::unbalanced() const {
  const Matrix Q = positions(), V = window_.derivative(Q), A = window_.derivative(V);
  Matrix result(Q.rows(), Q.cols());
  Vector a(Q.cols()), lambda(system_.rows());
  for (Eigen::Index i = 0; i < Q.rows(); ++i) {
    const Node& node = nodes_[static_cast<std::size_t>(i)];
    const Vector v = V.row(i).transpose();
    system_.accelerate(window_.t(i), node.q.data(), v.data(), a.data(), lambda.data());
    const auto X = fast_shapes(node.deflected);
    const Vector missing = X.transpose() * (node.deflected.M * (a - A.row(i).transpose()));
    result.row(i) = (X * missing.cwiseQuotient(node.deflected.squares.tail(fast_))).transpose();
  }
  return result;
}

void SlowMotion::deflect(const Matrix& change) {
  for (Eigen::Index i = 0; i < change.rows(); ++i) {
    Node& node = nodes_[static_cast<std::size_t>(i)];
    node.deflection += change.row(i).transpose();
    place(i, node.held + node.deflection);
  }
  settle();
}

Matrix SlowMotion::in_modes(const Matrix& deflections) const {
  return deflections * (vibrations().M * fast_shapes(nodes_.front()));
}

Vector SlowMotion::scales_of_modes() const {
  const Matrix momenta = vibrations().M * fast_shapes(nodes_.front());
  return momenta.cwiseAbs().transpose() * system_.coordinate_scales();
}

State SlowMotion::start() const {
  State state = State::of_size(system_.coordinates(), system_.rows());
  state.t = start_.t;
  state.q = nodes_.front().q;
  state.v = start_velocity(window_.derivative(positions()));
  return state;
}

}  // namespace raak
