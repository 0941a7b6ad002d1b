#include "kinematics/rank/scaled_view.h"

#include <utility>

namespace raak {
namespace {

Vector times(const Vector& units, const double* values) {
  return units.cwiseProduct(Vector::Map(values, units.size()));
}
void write(const Vector& values, double* to) {
  Vector::Map(to, values.size()) = values;
}

Description in_lengths(Description description) {
  description.length = 1.0;
  return description;
}

}  // namespace

ScaledView::ScaledView(const ConstrainedSystem& system, Vector metric)
    : ConstrainedSystem(system.coordinates(), system.position_rows(), system.velocity_rows(),
                        in_lengths(system.description())),
      system_(system),
      coordinates_in_(system.coordinate_scales()),
      rows_in_(system.row_scales()),
      metric_(std::move(metric)) {
  set_reported(system.reported());
  set_row_units(rows_in_);
}

State ScaledView::scaled(State state) const {
  for (Vector* x : {&state.q, &state.v, &state.a})
    if (x->size() > 0) *x = x->cwiseQuotient(coordinates_in_);
  if (state.lambda.size() > 0) state.lambda = state.lambda.cwiseProduct(rows_in_);
  return state;
}

State ScaledView::unscaled(State state) const {
  for (Vector* x : {&state.q, &state.v, &state.a})
    if (x->size() > 0) *x = x->cwiseProduct(coordinates_in_);
  if (state.lambda.size() > 0) state.lambda = state.lambda.cwiseQuotient(rows_in_);
  return state;
}

double ScaledView::accelerate(double t, const double* q, const double* v, double* a, double* lambda) const {
  const double pivot =
      system_.accelerate(t, times(coordinates_in_, q).data(), times(coordinates_in_, v).data(), a, lambda);
  write(Vector::Map(a, coordinates()).cwiseQuotient(coordinates_in_), a);
  if (lambda != nullptr) write(Vector::Map(lambda, rows()).cwiseProduct(rows_in_), lambda);
  return pivot;
}

void ScaledView::accelerate_lanes(const double* t, const double* q, const double* v, double* a, double* lambda,
                                  double* smallest_pivot) const {
  const auto lane_of = [](const double* from, int size, int lane) {
    Vector values(size);
    for (int i = 0; i < size; ++i) values[i] = from[lanes * i + lane];
    return values;
  };
  State at = State::of_size(coordinates(), rows());
  for (int lane = 0; lane < lanes; ++lane) {
    at.q = lane_of(q, coordinates(), lane);
    at.v = lane_of(v, coordinates(), lane);
    smallest_pivot[lane] = accelerate(t[lane], at.q.data(), at.v.data(), at.a.data(), at.lambda.data());
    for (int i = 0; i < coordinates(); ++i) a[lanes * i + lane] = at.a[i];
    for (int i = 0; i < rows() && lambda != nullptr; ++i) lambda[lanes * i + lane] = at.lambda[i];
  }
}

double ScaledView::correct_position(double t, double* q) const {
  Vector g(position_rows());
  constraint(t, Vector::Map(q, coordinates()), g);
  Vector at = times(coordinates_in_, q);
  system_.correct_position(t, at.data());
  write(at.cwiseQuotient(coordinates_in_), q);
  return g.norm();
}

double ScaledView::correct_velocity(double t, const double* q, double* v) const {
  Vector c(rows());
  velocity_constraint(t, Vector::Map(q, coordinates()), Vector::Map(v, coordinates()), c);
  Vector rates = times(coordinates_in_, v);
  system_.correct_velocity(t, times(coordinates_in_, q).data(), rates.data());
  write(rates.cwiseQuotient(coordinates_in_), v);
  return c.norm();
}

void ScaledView::mass(double t, const Vector& q, Matrix& M) const {
  if (metric_.size() > 0) {
    M = metric_.asDiagonal();
    return;
  }
  system_.mass(t, inner(q), M);
  M = (coordinates_in_.asDiagonal() * M * coordinates_in_.asDiagonal()).eval();
}

void ScaledView::mass_diagonal(double t, const Vector& q, Vector& diagonal) const {
  diagonal = metric_;
  if (metric_.size() > 0) return;
  system_.mass_diagonal(t, inner(q), diagonal);
  diagonal = diagonal.cwiseProduct(coordinates_in_.cwiseAbs2());
}

void ScaledView::force(double t, const Vector& q, const Vector& v, Vector& f) const {
  system_.force(t, inner(q), inner(v), f);
  f = f.cwiseProduct(coordinates_in_);
}

void ScaledView::constraint(double t, const Vector& q, Vector& g) const {
  system_.constraint(t, inner(q), g);
  g = g.cwiseQuotient(rows_in_.head(g.size()));
}

void ScaledView::velocity_constraint(double t, const Vector& q, const Vector& v, Vector& c_all) const {
  system_.velocity_constraint(t, inner(q), inner(v), c_all);
  c_all = c_all.cwiseQuotient(rows_in_);
}

void ScaledView::jacobian(double t, const Vector& q, Matrix& G) const {
  system_.jacobian(t, inner(q), G);
  G = (rows_in_.head(G.rows()).cwiseInverse().asDiagonal() * G * coordinates_in_.asDiagonal()).eval();
}

void ScaledView::acceleration_bias(double t, const Vector& q, const Vector& v, Vector& bias) const {
  system_.acceleration_bias(t, inner(q), inner(v), bias);
  bias = bias.cwiseQuotient(rows_in_);
}

void ScaledView::force_derivatives(double t, const Vector& q, const Vector& v, Matrix& f_q, Matrix& f_v) const {
  system_.force_derivatives(t, inner(q), inner(v), f_q, f_v);
  for (Matrix* part : {&f_q, &f_v})
    *part = (coordinates_in_.asDiagonal() * *part * coordinates_in_.asDiagonal()).eval();
}

void ScaledView::inertia_stiffness(const State& state, Matrix& K) const {
  system_.inertia_stiffness(unscaled(state), K);
  K = (coordinates_in_.asDiagonal() * K * coordinates_in_.asDiagonal()).eval();
}

void ScaledView::evaluate_switches(double t, const Vector& q, const Vector& v, Vector& values) const {
  system_.evaluate_switches(t, inner(q), inner(v), values);
}

Energy ScaledView::energy(double t, const Vector& q, const Vector& v) const {
  return system_.energy(t, inner(q), inner(v));
}

void ScaledView::evaluate_outputs(const State& state, Vector& values) const {
  system_.evaluate_outputs(unscaled(state), values);
}

}  // namespace raak
