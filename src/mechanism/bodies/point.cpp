// A mass at a point, without orientation: M = m 1.
#include "mechanism/bodies/catalogue.h"

namespace raak {

BodyKind::BodyKind(std::string type_in_file, bool in_plane) : type(std::move(type_in_file)), planar(in_plane) {
  for (int i = 0; i < dimensions(); ++i) {
    const std::string component(1, static_cast<char>('x' + i));
    coordinates.push_back({"centre." + component, "m"});
    positions.push_back({(planar ? "" : "position.") + component, "m"});
    velocities.push_back({(planar ? "" : "velocity.") + component, "m/s"});
  }
  start_names =
      planar ? std::vector<std::string>{"x", "y", "vx", "vy"} : std::vector<std::string>{"position", "velocity"};
}

void BodyKind::add_orientation(const std::string& name, const std::string& unit) {
  coordinates.push_back({name, unit});
  positions.push_back({name, unit});
}

std::vector<Live> BodyKind::numbers(const Body& body) const {
  return {body.mass, 1.0 / body.mass};
}
void BodyKind::mass(const Reals& numbers, const Real* /*q*/, int first, SymmetricEntries& M) const {
  for (int i = 0; i < dimensions(); ++i) M(first + i, first + i) = numbers[0];
}
void BodyKind::mass_diagonal(const Body& body, const double* /*q*/, double* diagonal) const {
  for (int i = 0; i < dimensions(); ++i) diagonal[i] = body.mass.now();
}
double BodyKind::twice_kinetic_energy(const Body& body, const double* /*q*/, const double* v) const {
  double twice = 0.0;
  for (int i = 0; i < dimensions(); ++i) twice += body.mass.now() * v[i] * v[i];
  return twice;
}
Reals BodyKind::inverse_mass(const Reals& numbers, const Real* /*q*/) const {
  return {numbers[1]};
}
Reals BodyKind::times_inverse_mass(const Reals& inverse_mass, const Reals& y) const {
  Reals result;
  for (std::size_t i = 0; i < static_cast<std::size_t>(dimensions()); ++i) result.push_back(inverse_mass[0] * y[i]);
  return result;
}

std::unique_ptr<BodyKind> planar_point_kind() {
  return std::make_unique<BodyKind>("point", true);
}

std::unique_ptr<BodyKind> spatial_point_kind() {
  return std::make_unique<BodyKind>("point", false);
}

}  // namespace raak
