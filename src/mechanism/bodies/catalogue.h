// The kinds of bodies: each is one file and one line in bodies.def. A body has as coordinates the position of its
// reference (Body), then those of its orientation. What a kind declares serves the mechanism recorded as a whole
// (formulas/) and element by element (large/) alike: formulas over recorded numbers, which are constants in the one and
// inputs in the other, and the same over plain numbers where a state is evaluated.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "mechanism/bodies/body_placement.h"
#include "mechanism/formulas/scene.h"

namespace raak {

// Of a coordinate or reported value: the name after that of the body.
struct NameAndUnit {
  std::string name, unit;
};

// A point in the plane or in space; other kinds say what they have beside a position.
class BodyKind {
 public:
  BodyKind(std::string type, bool planar);
  virtual ~BodyKind() = default;

  std::string type;    // in model files
  bool planar;         // or in space
  bool point = true;   // its name is that of its only point
  int turning = 0;     // components of its angular velocity: 1 (about z), 3 or none
  int angle = -1;      // the coordinate that is an angle, if there is one
  int identifier = 0;  // its place in the catalogue
  // Of a step of the coordinates of its orientation: (angle turned / step)^2.
  double turn_metric = 1.0;
  std::vector<NameAndUnit> coordinates;
  // What is reported: the origin of its frame, then the coordinates of its orientation; its velocity, then `turning`
  // components of its angular velocity.
  std::vector<NameAndUnit> positions, velocities;
  std::vector<std::string> start_names;  // under [start] of a model file
  const char* normalized = nullptr;      // the name of the row that its coordinates obey, if there is one

  int size() const { return static_cast<int>(coordinates.size()); }
  int dimensions() const { return planar ? 2 : 3; }

  // Sets what the coordinates frame.q say of the orientation; a new frame has none.
  virtual void orient(Frame& /*frame*/) const {}
  // In ground axes.
  virtual Vector3 angular_velocity(const Frame& /*frame*/) const { return {}; }
  // What a torque in ground axes exerts on the coordinates of the orientation, and the torque of what acts on them.
  virtual Reals forces_of_torque(const Frame& /*frame*/, const Vector3& /*torque*/) const { return {}; }
  virtual Vector3 torque_of_forces(const Frame& /*frame*/, const Real* /*forces*/) const { return {}; }
  virtual Real normalization(const Frame& /*frame*/) const { return {0.0}; }

  virtual Rotation<double> rotation(const double* /*q*/) const { return Rotation<double>::identity(); }
  // Of rates of the coordinates, or the angular acceleration of their accelerations.
  virtual Vec3d angular_velocity(const double* /*q*/, const double* /*rates*/) const { return {}; }
  // Writes the rates of the orientation that belong to an angular velocity.
  virtual void set_turning(const double* /*q*/, const Vec3d& /*omega*/, double* /*rates*/) const {}
  virtual void set_orientation(const BodyPlacement& /*placement*/, double* /*q*/) const {}
  // The frame at q, or its inverse, on a step of the coordinates (body_frames.h).
  virtual void turn_step(const double* /*q*/, bool /*back*/, double* /*step*/) const {}
  // The step, as the body sees it, that turns about an axis of its own.
  virtual void turn_about(const Vec3d& /*axis*/, double* /*step*/) const {}

  // Reads what the file says of its inertia; refuses what no body has.
  virtual void read_inertia(const Instance& /*instance*/, const BodySpec& /*spec*/, Body& /*body*/) const {}
  // Whether some body has it.
  virtual bool has_inertia(const Body& /*body*/) const { return true; }
  // What its formulas below read: first the mass and its inverse.
  virtual std::vector<Live> numbers(const Body& body) const;
  int numbers_size = 2;
  bool falls_freely = true;  // M = m 1 in its position: without other forces its acceleration is that of gravity
  // Lower half; M is that of the whole mechanism, in which the coordinates begin at `first`.
  virtual void mass(const Reals& numbers, const Real* q, int first, SymmetricEntries& M) const;
  virtual void mass_diagonal(const Body& body, const double* q, double* diagonal) const;
  // v' M v.
  virtual double twice_kinetic_energy(const Body& body, const double* q, const double* v) const;
  // Inertia forces on the coordinates of the orientation, of bodies that have some.
  virtual Reals gyroscopic(const Reals& /*numbers*/, const Real* /*q*/, const Real* /*v*/) const { return {}; }
  // In a packed form, and M^-1 y.
  virtual Reals inverse_mass(const Reals& numbers, const Real* q) const;
  virtual Reals times_inverse_mass(const Reals& inverse_mass, const Reals& y) const;
  int inverse_mass_size = 1;
  // Functions of q that all elements on the body share.
  virtual Reals shared_functions(const Real* /*q*/) const { return {}; }
  int shared_size = 0;

 protected:
  // A coordinate of the orientation, which is reported too.
  void add_orientation(const std::string& name, const std::string& unit);
};

// The first kind of a type is that of files that name none.
const std::vector<std::unique_ptr<const BodyKind>>& body_catalogue();
std::vector<std::string> body_types(bool planar);
const BodyKind& find_body_kind(const std::string& type, bool planar);
// Has no coordinates.
const BodyKind& ground_kind(bool planar);

#define BODY(name) std::unique_ptr<BodyKind> name##_kind();
#include "mechanism/bodies/bodies.def"
#undef BODY

}  // namespace raak
