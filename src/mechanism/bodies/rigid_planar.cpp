// A rigid body in the plane: position and angle, M = diag(m, m, I).
#include <fmt/format.h>

#include <cmath>

#include "mechanism/bodies/catalogue.h"

namespace raak {
namespace {

constexpr std::size_t planar_inertia = 2, planar_inverse_inertia = 3;  // among the numbers

class RigidPlanar final : public BodyKind {
 public:
  RigidPlanar() : BodyKind("rigid", true) {
    point = false;
    turning = 1;
    angle = 2;
    add_orientation("angle", "rad");
    velocities.push_back({"angle", "rad/s"});
    start_names.insert(start_names.end(), {"angle", "omega"});
    numbers_size = 4;
    inverse_mass_size = 2;
    shared_size = 2;
  }

  void orient(Frame& frame) const override {
    frame.angle = frame.q[2];
    frame.R = Rotation<Real>::about_z(cos(frame.angle), sin(frame.angle));
  }
  Vector3 angular_velocity(const Frame& frame) const override { return {Real(0.0), Real(0.0), frame.v[2]}; }
  Reals forces_of_torque(const Frame& /*frame*/, const Vector3& torque) const override { return {torque.z}; }
  Vector3 torque_of_forces(const Frame& /*frame*/, const Real* forces) const override {
    return {Real(0.0), Real(0.0), forces[0]};
  }

  Rotation<double> rotation(const double* q) const override {
    return Rotation<double>::about_z(std::cos(q[2]), std::sin(q[2]));
  }
  Vec3d angular_velocity(const double* /*q*/, const double* rates) const override { return {0.0, 0.0, rates[2]}; }
  void set_turning(const double* /*q*/, const Vec3d& omega, double* rates) const override { rates[2] = omega.z; }
  void set_orientation(const BodyPlacement& place, double* q) const override { q[2] = place.angle; }
  void turn_step(const double* q, bool back, double* step) const override {
    const double turned = back ? -q[2] : q[2];
    const double c = std::cos(turned), s = std::sin(turned), x = step[0], y = step[1];
    step[0] = c * x - s * y;
    step[1] = s * x + c * y;
  }
  void turn_about(const Vec3d& axis, double* step) const override { step[2] = axis.z; }

  void read_inertia(const Instance& instance, const BodySpec& spec, Body& body) const override {
    for (const Quantity& number : spec.inertia) body.inertia[2] = instance.number(number);
    if (!has_inertia(body))
      refuse_at(spec.inertia.empty() ? spec.place : spec.inertia.front().place,
                fmt::format("the inertia of \"{}\" is {}, expected a positive number of kg m^2", spec.name,
                            body.inertia[2].now()));
  }
  bool has_inertia(const Body& body) const override { return body.inertia[2].now() > 0.0; }
  std::vector<Live> numbers(const Body& body) const override {
    return {body.mass, 1.0 / body.mass, body.inertia[2], 1.0 / body.inertia[2]};
  }
  void mass(const Reals& numbers, const Real* q, int first, SymmetricEntries& M) const override {
    BodyKind::mass(numbers, q, first, M);
    M(first + 2, first + 2) = numbers[planar_inertia];
  }
  void mass_diagonal(const Body& body, const double* q, double* diagonal) const override {
    BodyKind::mass_diagonal(body, q, diagonal);
    diagonal[2] = body.inertia[2].now();
  }
  double twice_kinetic_energy(const Body& body, const double* q, const double* v) const override {
    return BodyKind::twice_kinetic_energy(body, q, v) + body.inertia[2].now() * v[2] * v[2];
  }
  Reals inverse_mass(const Reals& numbers, const Real* /*q*/) const override {
    return {numbers[1], numbers[planar_inverse_inertia]};
  }
  Reals times_inverse_mass(const Reals& inverse_mass, const Reals& y) const override {
    return {inverse_mass[0] * y[0], inverse_mass[0] * y[1], inverse_mass[1] * y[2]};
  }
  Reals shared_functions(const Real* q) const override { return {cos(q[2]), sin(q[2])}; }
};

}  // namespace

std::unique_ptr<BodyKind> rigid_planar_kind() {
  return std::make_unique<RigidPlanar>();
}

}  // namespace raak
