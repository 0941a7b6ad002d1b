// A mechanism at a recorded state: where its bodies, points and axes are, and what the names in expressions mean.
// Coordinates of a body: its centre of mass (or another reference, Body), then its angle (planar) or unit quaternion
// (spatial).
#pragma once
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "mechanism/geometry.h"
#include "mechanism/instance.h"
#include "system/recorded/formulas.h"

namespace raak {

using Real = Recorded;
using Vector3 = Vec3<Real>;

// A place or direction in a body: numbers in which elements of one type differ.
inline Vector3 lifted(const Vec3n& a) {
  return {a.x.recorded(), a.y.recorded(), a.z.recorded()};
}

struct Frame {
  Vector3 at;  // of the body's reference
  Rotation<Real> R;
  Real angle;             // planar
  std::array<Real, 4> p;  // spatial: quaternion w, x, y, z
  const Body* body = nullptr;
  int index = 0;            // of the body
  const Real* q = nullptr;  // its coordinates
  const Real* v = nullptr;  // and their rates, where they are known

  Vector3 point(const Vec3n& in_body) const { return at + R * lifted(in_body - body->reference); }
  Vector3 centre() const { return point(body->com); }
  Vector3 direction(const Vec3n& in_body) const { return R * lifted(in_body); }
};

// The coordinates of one body and their rates.
struct BodyVariables {
  int body = 0;
  Reals q, v;
};

class Scene {
 public:
  // What an expression may speak of.
  enum class Level { time, positions, velocities, everything };
  // Reactions are known to whoever knows the rows of the joints: name, place in the name's quantity.
  using Reactions = std::function<std::optional<Real>(const std::string& name)>;

  // Of all bodies. Vectors that are empty are not known.
  Scene(const Instance& instance, const RecordedState& state);
  // Of the bodies that are asked for: `meet` makes their variables at the first time.
  Scene(const Instance& instance, const Real& t, std::function<BodyVariables(int body)> meet);

  const Instance& instance() const { return instance_; }
  bool planar() const { return instance_.planar(); }
  const Frame& frame(int body) const { return meet_ ? met_frame(body) : frames_[static_cast<std::size_t>(body)]; }
  // The bodies that were asked for, in that order.
  const std::deque<BodyVariables>& met() const { return met_; }
  Vector3 point(const PointRef& ref) const;
  Vector3 axis(const AxisRef& ref) const;
  // The angular velocity of a body in ground axes.
  Vector3 angular_velocity(int body) const;

  // d/dt along the motion: v must be known.
  Reals rates(const Reals& values) const;
  Real rate(const Real& value) const { return rates({value}).front(); }
  Vector3 rate(const Vector3& value) const;

  Real evaluate(const Quantity& quantity, Level level, const Reactions& reactions = {}) const;

 private:
  Frame frame_of(int body, const Real* q, const Real* v) const;
  const Frame& met_frame(int body) const;
  Real lookup(const Expression::Name& name, const Quantity& quantity, Level level, const Reactions& reactions) const;
  std::optional<Real> body_quantity(const Frame& frame, const std::vector<std::string>& words, Level level) const;
  std::optional<Real> point_quantity(const Vector3& point, const std::string& component, Level level) const;
  std::vector<std::string> candidates(const std::string& name, Level level) const;

  const Instance& instance_;
  Real t_;
  const RecordedState* state_ = nullptr;  // of all bodies
  std::function<BodyVariables(int body)> meet_;
  mutable std::deque<BodyVariables> met_;
  mutable std::deque<Frame> frames_;  // of all bodies, or the ground and those that were met
};

}  // namespace raak
