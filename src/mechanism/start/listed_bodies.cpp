#include "mechanism/start/listed_bodies.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "mechanism/bodies/catalogue.h"
#include "mechanism/bodies/placement.h"

namespace raak {
namespace {

// The angle of the turn from one rotation to another.
double turn_between(const Rotation<double>& one, const Rotation<double>& other) {
  double squares = 0.0;
  for (const Vec3d& axis : {Vec3d{1.0, 0.0, 0.0}, Vec3d{0.0, 1.0, 0.0}, Vec3d{0.0, 0.0, 1.0}}) {
    const Vec3d between = one * axis - other * axis;
    squares += dot(between, between);
  }
  return 2.0 * std::asin(std::min(1.0, std::sqrt(squares / 8.0)));
}

Vec3d origin_of(const Instance& instance, const Body& body, const Vector& q) {
  const double* const of_body = q.data() + body.first;
  Vec3d origin;
  for (int i = 0; i < instance.dimensions(); ++i) origin[i] = of_body[i];
  return origin - body.kind->rotation(of_body) * now(body.com);
}

}  // namespace

ListedBodies::ListedBodies(const Instance& instance, const std::vector<std::string>& velocities)
    : instance_(instance), places_(listed_bodies(instance, velocities).places()) {
  bool some = false;
  bool all = true;
  for (std::size_t b = 1; b < places_.size(); ++b) {
    const BodyPlacement& place = places_[b];
    const bool turned = place.has_rotation && !instance.bodies()[b].kind->point;
    some |= turned || place.has_origin[0] || place.has_origin[1] || place.has_origin[2];
    all &= place.listed() && (instance.planar() || place.has_origin[2]);
  }
  choose_ = some && !all;
}

double ListedBodies::distance(const Vector& guess, const Vector& found) const {
  double farthest = 0.0;
  for (std::size_t b = 1; b < places_.size() && choose_; ++b) {
    const Body& body = instance_.bodies()[b];
    const Vec3d moved = origin_of(instance_, body, found) - origin_of(instance_, body, guess);
    for (int i = 0; i < instance_.dimensions(); ++i)
      if (places_[b].has_origin[i]) farthest = std::max(farthest, std::abs(moved[i]) / instance_.length());
    if (places_[b].has_rotation && !body.kind->point)
      farthest = std::max(farthest, turn_between(body.kind->rotation(guess.data() + body.first),
                                                 body.kind->rotation(found.data() + body.first)));
  }
  return farthest;
}

std::vector<std::string> ListedBodies::coordinates(const std::vector<std::string>& positions) const {
  constexpr std::array<const char*, 3> axes{"x", "y", "z"};
  std::set<std::string> listed;
  for (std::size_t b = 1; b < places_.size(); ++b) {
    const std::string name = instance_.bodies()[b].name + ".";
    for (std::size_t i = 0; i < axes.size(); ++i)
      if (places_[b].has_origin[i]) listed.insert(name + (instance_.planar() ? "" : "position.") + axes[i]);
    if (!places_[b].has_rotation) continue;
    listed.insert(name + "angle");
    for (const char* part : {"w", "x", "y", "z"}) listed.insert(name + "quaternion." + part);
  }
  std::vector<std::string> result;
  std::copy_if(positions.begin(), positions.end(), std::back_inserter(result),
               [&](const std::string& name) { return listed.contains(name); });
  return result;
}

}  // namespace raak
