// A rigid body in space: position and unit quaternion p. |p|^2 = 1 is a row of its own, and the mass matrix 4 L' I L
// gets a term along p p', which does no work since p.p' = 0 (Nikravesh, Computer-Aided Analysis of Mechanical Systems,
// 1988, chapter 8; Udwadia and Schutte 2010).
#include <fmt/format.h>

#include <Eigen/Dense>
#include <cmath>

#include "base/linear/index.h"
#include "mechanism/bodies/catalogue.h"
#include "mechanism/bodies/inertia_tensor.h"
#include "mechanism/bodies/quaternion.h"

namespace raak {
namespace {

// Places among the numbers.
constexpr std::size_t spatial_inertia = 2, spatial_inverse_inertia = 8, spatial_along = 14, spatial_inverse_along = 15,
                      count_of_numbers = 16;

// So that the mass matrix can be inverted.
Live inertia_along(const std::array<Live, 6>& I) {
  return 4.0 / 3.0 * (I[0] + I[1] + I[2]);
}

Eigen::Vector3d principal_moments(const Body& body) {
  return Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(inertia_tensor(body)).eigenvalues();
}
// Principal moments obey the triangle inequality exactly if tr(I)/2 - I is positive semi-definite.
bool are_of_a_body(const Eigen::Vector3d& principal) {
  const double most = 0.5 * principal.sum();
  const bool flat = !(principal[0] > 0.0) && !(principal[2] > 0.0 && std::abs(principal[0]) <= 1e-12 * principal[2]);
  return !flat && principal[2] <= most * (1.0 + 1e-9);
}

template <class Real>
std::array<Real, 4> orientation(const Real* q) {
  return {q[3], q[4], q[5], q[6]};
}

std::array<Real, 6> tensor_in(const Reals& numbers, std::size_t from) {
  std::array<Real, 6> I;
  for (std::size_t i = 0; i < 6; ++i) I[i] = numbers[from + i];
  return I;
}

// 2 L p'.
template <class Real>
Vec3<Real> omega_in_body(const std::array<Real, 4>& p, const std::array<Real, 4>& rate) {
  const auto L = body_rates(p);
  Vec3<Real> omega;
  for (int i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 4; ++j) omega[i] += 2.0 * L[z(i)][j] * rate[j];
  return omega;
}

// An entry of 4 L' I L + along p p'.
template <class Real, class Number>
Real mass_entry(const std::array<Number, 6>& I, const Number& extra, const std::array<Real, 4>& p, std::size_t i,
                std::size_t j) {
  const auto L = body_rates(p);
  const Vec3<Real> h = times_inertia(I, Vec3<Real>{L[0][j], L[1][j], L[2][j]});
  return 4.0 * dot(h, {L[0][i], L[1][i], L[2][i]}) + extra * (p[i] * p[j]);
}

using Quaternion = std::array<double, 4>;

Quaternion product(const Quaternion& a, const Quaternion& b) {
  return {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3], a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
          a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1], a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
}

Quaternion of_unit_length(Quaternion p) {
  const double length = std::hypot(std::hypot(p[0], p[1]), std::hypot(p[2], p[3]));
  if (!(length > 0.0)) return {1.0, 0.0, 0.0, 0.0};
  for (double& part : p) part /= length;
  return p;
}

class RigidSpatial final : public BodyKind {
 public:
  RigidSpatial() : BodyKind("rigid", false) {
    point = false;
    turning = 3;
    turn_metric = 4.0;
    for (const char* part : {"w", "x", "y", "z"}) add_orientation(std::string("quaternion.") + part, "1");
    for (const char* part : {"x", "y", "z"}) velocities.push_back({std::string("omega.") + part, "rad/s"});
    start_names.insert(start_names.end(), {"rotation", "quaternion", "omega"});
    normalized = "unit quaternion";
    numbers_size = count_of_numbers;
    inverse_mass_size = 11;
  }

  void orient(Frame& frame) const override {
    frame.p = orientation(frame.q);
    frame.R = Rotation<Real>::of_quaternion(frame.p[0], frame.p[1], frame.p[2], frame.p[3]);
  }
  Vector3 angular_velocity(const Frame& frame) const override { return ground_turn(2.0, frame.p, frame.v + 3); }
  // 2 E' torque.
  Reals forces_of_torque(const Frame& frame, const Vector3& torque) const override {
    const auto forces = along_quaternion(2.0, frame.p, torque);
    return {forces.begin(), forces.end()};
  }
  Vector3 torque_of_forces(const Frame& frame, const Real* forces) const override {
    return ground_turn(0.5, frame.p, forces);
  }
  Real normalization(const Frame& frame) const override {
    const auto& p = frame.p;
    return 0.5 * (p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3] - 1.0);
  }

  Rotation<double> rotation(const double* q) const override {
    return Rotation<double>::of_quaternion(q[3], q[4], q[5], q[6]);
  }
  Vec3d angular_velocity(const double* q, const double* rates) const override {
    return ground_turn(2.0, orientation(q), rates + 3);
  }
  void set_turning(const double* q, const Vec3d& omega, double* rates) const override {
    const Quaternion rate = along_quaternion(0.5, orientation(q), omega);
    std::copy(rate.begin(), rate.end(), rates + 3);
  }
  void set_orientation(const BodyPlacement& place, double* q) const override {
    std::copy(place.p.begin(), place.p.end(), q + 3);
  }
  // Positions are turned as vectors, quaternions multiplied, so that a step p d of p is d as the body sees it.
  void turn_step(const double* q, bool back, double* step) const override {
    Quaternion p = of_unit_length(orientation(q));
    if (back) p = {p[0], -p[1], -p[2], -p[3]};
    const Vec3d turned = Rotation<double>::of_quaternion(p[0], p[1], p[2], p[3]) * Vec3d{step[0], step[1], step[2]};
    const Quaternion change = product(p, orientation(step));
    for (int i = 0; i < 3; ++i) step[i] = turned[i];
    std::copy(change.begin(), change.end(), step + 3);
  }
  void turn_about(const Vec3d& axis, double* step) const override {
    for (int i = 0; i < 3; ++i) step[4 + i] = axis[i];
  }

  void read_inertia(const Instance& instance, const BodySpec& spec, Body& body) const override {
    for (std::size_t i = 0; i < spec.inertia.size(); ++i) body.inertia[i] = instance.number(spec.inertia[i]);
    const Eigen::Vector3d principal = principal_moments(body);
    if (!are_of_a_body(principal))
      refuse_at(spec.inertia.empty() ? spec.place : spec.inertia.front().place,
                fmt::format("no body has the inertia of \"{}\": its principal moments are {:.6g}, {:.6g} and "
                            "{:.6g}, expected positive ones of which none exceeds the sum of the other two",
                            spec.name, principal[0], principal[1], principal[2]));
  }
  bool has_inertia(const Body& body) const override { return are_of_a_body(principal_moments(body)); }
  std::vector<Live> numbers(const Body& body) const override {
    const Live extra = inertia_along(body.inertia);
    const auto& [xx, yy, zz, xy, xz, yz] = body.inertia;
    // The inverse of the tensor by its cofactors.
    const std::array<Live, 6> cofactors{yy * zz - yz * yz, xx * zz - xz * xz, xx * yy - xy * xy,
                                        xz * yz - xy * zz, xy * yz - xz * yy, xy * xz - xx * yz};
    const Live inverse = 1.0 / (xx * cofactors[0] + xy * cofactors[3] + xz * cofactors[4]);
    std::vector<Live> result{body.mass, 1.0 / body.mass};
    result.insert(result.end(), body.inertia.begin(), body.inertia.end());
    for (const Live& cofactor : cofactors) result.push_back(inverse * cofactor);
    result.insert(result.end(), {extra, 1.0 / extra});
    return result;
  }
  void mass(const Reals& numbers, const Real* q, int first, SymmetricEntries& M) const override {
    BodyKind::mass(numbers, q, first, M);
    const std::array<Real, 6> I = tensor_in(numbers, spatial_inertia);
    for (std::size_t j = 0; j < 4; ++j)
      for (std::size_t i = j; i < 4; ++i)
        M(first + 3 + static_cast<int>(i), first + 3 + static_cast<int>(j)) =
            mass_entry(I, numbers[spatial_along], orientation(q), i, j);
  }
  void mass_diagonal(const Body& body, const double* q, double* diagonal) const override {
    BodyKind::mass_diagonal(body, q, diagonal);
    for (std::size_t i = 0; i < 4; ++i)
      diagonal[3 + i] = mass_entry(now(body.inertia), inertia_along(body.inertia).now(), orientation(q), i, i);
  }
  double twice_kinetic_energy(const Body& body, const double* q, const double* v) const override {
    const Quaternion p = orientation(q), rate = orientation(v);
    const Vec3d omega = omega_in_body(p, rate);
    double off = 0.0;  // p.p'
    for (std::size_t j = 0; j < 4; ++j) off += p[j] * rate[j];
    return BodyKind::twice_kinetic_energy(body, q, v) +
           (dot(times_inertia(now(body.inertia), omega), omega) + inertia_along(body.inertia).now() * off * off);
  }
  // -4 L(p')' I omega.
  Reals gyroscopic(const Reals& numbers, const Real* q, const Real* v) const override {
    const std::array<Real, 4> rate = orientation(v);
    const auto L = body_rates(rate);
    const Vector3 h = times_inertia(tensor_in(numbers, spatial_inertia), omega_in_body(orientation(q), rate));
    Reals f;
    for (std::size_t j = 0; j < 4; ++j) f.push_back(-4.0 * (L[0][j] * h.x + L[1][j] * h.y + L[2][j] * h.z));
    return f;
  }
  // With M = Q' D Q, Q = [L; p'] and Q Q' = |p|^2: M^-1 = Q' D^-1 Q / |p|^4. Its lower half, row by row.
  Reals inverse_mass(const Reals& numbers, const Real* q) const override {
    const std::array<Real, 4> p = orientation(q);
    const auto L = body_rates(p);
    const std::array<Real, 6> I = tensor_in(numbers, spatial_inverse_inertia);
    const Real square = p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3];
    const Real scale = Real(1.0) / (square * square);
    Reals result{numbers[1]};
    for (std::size_t i = 0; i < 4; ++i) {
      const Vector3 h = times_inertia(I, Vector3{L[0][i], L[1][i], L[2][i]});
      for (std::size_t j = 0; j <= i; ++j)
        result.push_back(
            (0.25 * dot(h, Vector3{L[0][j], L[1][j], L[2][j]}) + numbers[spatial_inverse_along] * (p[i] * p[j])) *
            scale);
    }
    return result;
  }
  Reals times_inverse_mass(const Reals& inverse_mass, const Reals& y) const override {
    Reals result = BodyKind::times_inverse_mass(inverse_mass, y);
    for (std::size_t i = 0; i < 4; ++i) {
      Real sum(0.0);
      for (std::size_t j = 0; j < 4; ++j) {
        const auto [low, high] = std::minmax(i, j);
        sum += inverse_mass[1 + high * (high + 1) / 2 + low] * y[3 + j];
      }
      result.push_back(sum);
    }
    return result;
  }
};

}  // namespace

std::unique_ptr<BodyKind> rigid_spatial_kind() {
  return std::make_unique<RigidSpatial>();
}

}  // namespace raak
