#include "mechanism/large/body_kernels.h"

#include <Eigen/Dense>

#include "base/linear/index.h"
#include "mechanism/bodies/quaternion.h"

namespace raak {
namespace {

// Places among the parameters.
constexpr int mass = 0, inverse = 1, gravity = 2, inertia = 5, inverse_inertia = 11, inverse_along = 17, numbers = 18;

std::array<Real, 6> six(const Reals& parameters, int from) {
  std::array<Real, 6> I;
  for (std::size_t i = 0; i < 6; ++i) I[i] = parameters[z(from) + i];
  return I;
}

// With M = Q' D Q, Q = [L; p'] and Q Q' = |p|^2: M^-1 = Q' D^-1 Q / |p|^4. Its lower half, row by row.
Reals inverse_of_spatial(const Reals& q, const Reals& parameters) {
  const std::array<Real, 4> p{q[3], q[4], q[5], q[6]};
  const auto L = body_rates(p);
  const std::array<Real, 6> I = six(parameters, inverse_inertia);
  const Real square = p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3];
  const Real scale = Real(1.0) / (square * square);
  Reals result{parameters[inverse]};
  for (std::size_t i = 0; i < 4; ++i) {
    const Vector3 h = times_inertia(I, Vector3{L[0][i], L[1][i], L[2][i]});
    for (std::size_t j = 0; j <= i; ++j)
      result.push_back((0.25 * dot(h, Vector3{L[0][j], L[1][j], L[2][j]}) + parameters[inverse_along] * (p[i] * p[j])) *
                       scale);
  }
  return result;
}

// Gravity and, of quaternions, -4 L(p')' I omega.
Reals own_forces(BodyKind kind, const Reals& q, const Reals& v, const Reals& parameters) {
  Reals f(q.size(), Real(0.0));
  const std::size_t d = kind == BodyKind::planar || kind == BodyKind::planar_point ? 2 : 3;
  for (std::size_t i = 0; i < d; ++i) f[i] = parameters[mass] * parameters[gravity + i];
  if (kind != BodyKind::spatial) return f;
  const std::array<Real, 4> rate{v[3], v[4], v[5], v[6]};
  const auto L = body_rates(std::array<Real, 4>{q[3], q[4], q[5], q[6]});
  const auto turning = body_rates(rate);
  Vector3 omega;
  for (int i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 4; ++j) omega[i] += 2.0 * L[z(i)][j] * rate[j];
  const Vector3 h = times_inertia(six(parameters, inertia), omega);
  for (std::size_t j = 0; j < 4; ++j)
    f[3 + j] = -4.0 * (turning[0][j] * h.x + turning[1][j] * h.y + turning[2][j] * h.z);
  return f;
}

Reals inverse_mass_of(BodyKind kind, const Reals& q, const Reals& parameters) {
  if (kind == BodyKind::spatial) return inverse_of_spatial(q, parameters);
  if (kind == BodyKind::planar) return {parameters[inverse], parameters[inverse_inertia + 2]};
  return {parameters[inverse]};
}

enum class Unknowns { accelerations, forces, positions, velocities };

std::unique_ptr<Kernel> record_body(BodyKind kind, const BodyLayout& layout, Unknowns unknowns) {
  Tape tape;
  const Tape::Recording recording(tape);
  Reals q;
  Reals v;
  Reals parameters;
  for (int i = 0; i < layout.size; ++i) q.push_back(tape.new_input(0));
  for (int i = 0; i < layout.size; ++i) v.push_back(tape.new_input(1));
  for (int i = 0; i < numbers; ++i) parameters.push_back(tape.new_input(2));
  const Reals inverse_mass = inverse_mass_of(kind, q, parameters);
  Reals x = unknowns == Unknowns::positions    ? q
            : unknowns == Unknowns::velocities ? v
                                               : own_forces(kind, q, v, parameters);
  if (unknowns == Unknowns::accelerations) {
    const bool turns = kind == BodyKind::spatial;
    if (turns) x = times_inverse_mass(kind, inverse_mass, x);
    // Gravity as it is given, not first times and then divided by the mass.
    for (int i = 0; i < (kind == BodyKind::planar || kind == BodyKind::planar_point ? 2 : 3); ++i)
      x[z(i)] = parameters[z(gravity + i)];
  }
  for (const Reals* part :
       {static_cast<const Reals*>(&q), static_cast<const Reals*>(&v), &inverse_mass, static_cast<const Reals*>(&x)})
    for (const Real& number : *part) tape.add_output(0, number);
  if (kind == BodyKind::planar) {
    tape.add_output(0, cos(q[2]));
    tape.add_output(0, sin(q[2]));
  }
  return std::make_unique<Kernel>(tape);
}

std::unique_ptr<Kernel> record_division(BodyKind kind, const BodyLayout& layout) {
  Tape tape;
  const Tape::Recording recording(tape);
  for (int i = 0; i < 2 * layout.size; ++i) tape.new_input(0);
  const BodyInputs body = read_record(tape, kind, 0);
  for (const Real& number : times_inverse_mass(kind, body.inverse_mass, body.x)) tape.add_output(0, number);
  return std::make_unique<Kernel>(tape);
}

}  // namespace

BodyKind kind_of(const Instance& instance, const Body& body) {
  if (instance.planar()) return body.point ? BodyKind::planar_point : BodyKind::planar;
  return body.point ? BodyKind::spatial_point : BodyKind::spatial;
}

BodyLayout::BodyLayout(BodyKind kind) {
  const bool planar = kind == BodyKind::planar || kind == BodyKind::planar_point;
  const bool point = kind == BodyKind::planar_point || kind == BodyKind::spatial_point;
  size = point ? (planar ? 2 : 3) : planar ? 3 : 7;
  v = size;
  inverse_mass = 2 * size;
  x = inverse_mass + (point ? 1 : planar ? 2 : 11);
  turn = x + size;
  total = turn + (kind == BodyKind::planar ? 2 : 0);
}

BodyInputs read_record(Tape& tape, BodyKind kind, int block) {
  const BodyLayout layout(kind);
  BodyInputs inputs;
  for (int i = layout.inverse_mass; i < layout.x; ++i) inputs.inverse_mass.push_back(tape.new_input(block));
  for (int i = layout.x; i < layout.turn; ++i) inputs.x.push_back(tape.new_input(block));
  return inputs;
}

Reals times_inverse_mass(BodyKind kind, const Reals& inverse_mass, const Reals& y) {
  Reals result;
  const std::size_t d = kind == BodyKind::planar || kind == BodyKind::planar_point ? 2 : 3;
  for (std::size_t i = 0; i < d; ++i) result.push_back(inverse_mass[0] * y[i]);
  if (kind == BodyKind::planar) result.push_back(inverse_mass[1] * y[2]);
  for (std::size_t i = 0; i < 4 && kind == BodyKind::spatial; ++i) {
    Real sum(0.0);
    for (std::size_t j = 0; j < 4; ++j) {
      const auto [low, high] = std::minmax(i, j);
      sum += inverse_mass[1 + high * (high + 1) / 2 + low] * y[3 + j];
    }
    result.push_back(sum);
  }
  return result;
}

void read_turn(Tape& tape, BodyKind kind, const Reals& q, int block) {
  if (kind != BodyKind::planar) return;
  const int turn = BodyLayout(kind).turn;
  const Real cosine = cos(q[2]);
  const Real sine = sin(q[2]);
  tape.read_instead(cosine, block, turn);
  tape.read_instead(sine, block, turn + 1);
}

std::vector<double> body_parameters(const Instance& instance, const Body& body) {
  std::vector<double> result(numbers, 0.0);
  result[mass] = body.mass;
  result[inverse] = 1.0 / body.mass;
  for (int i = 0; i < 3 && !body.counter; ++i) result[z(gravity + i)] = instance.gravity()[i];
  if (body.point) return result;
  std::copy(body.inertia.begin(), body.inertia.end(), result.begin() + inertia);
  if (instance.planar()) {
    result[inverse_inertia + 2] = 1.0 / body.inertia[2];
    return result;
  }
  const auto& I = body.inertia;
  Eigen::Matrix3d tensor;
  tensor << I[0], I[3], I[4], I[3], I[1], I[5], I[4], I[5], I[2];
  const Eigen::Matrix3d J = tensor.inverse();
  const std::array<double, 6> entries{J(0, 0), J(1, 1), J(2, 2), J(0, 1), J(0, 2), J(1, 2)};
  std::copy(entries.begin(), entries.end(), result.begin() + inverse_inertia);
  result[inverse_along] = 1.0 / inertia_along(body.inertia);
  return result;
}

BodyKernels::BodyKernels(BodyKind of)
    : kind(of),
      layout(of),
      accelerations(record_body(of, layout, Unknowns::accelerations)),
      forces(record_body(of, layout, Unknowns::forces)),
      at_positions(record_body(of, layout, Unknowns::positions)),
      at_velocities(record_body(of, layout, Unknowns::velocities)),
      divide(record_division(of, layout)),
      free{accelerations.get(), at_positions.get(), at_velocities.get()},
      loaded{forces.get(), at_positions.get(), at_velocities.get()},
      after_forces{divide.get(), nullptr, nullptr} {}

}  // namespace raak
