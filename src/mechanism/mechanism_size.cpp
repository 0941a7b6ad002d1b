#include "mechanism/mechanism_size.h"

#include <algorithm>
#include <cmath>

namespace raak {
namespace {

// The diagonal of the box around the points of the ground and the bodies, as they are guessed, and the lengths of all
// bodies: no chain reaches farther.
double size_of(const Instance& instance, const Vector& q) {
  const int d = instance.dimensions();
  double longest = 0.0;
  bool any = false;
  Vec3d lowest, highest;
  const auto take = [&](const Vec3d& point) {
    for (int i = 0; i < d; ++i) {
      lowest[i] = any ? std::min(lowest[i], point[i]) : point[i];
      highest[i] = any ? std::max(highest[i], point[i]) : point[i];
    }
    any = true;
  };
  for (const Body& body : instance.bodies()) {
    if (body.counter) continue;
    double length = 0.0;
    for (const auto& [name, point] : body.points) {
      if (body.ground) take(point);
      else length = std::max(length, norm(point - body.com));
    }
    if (body.ground) continue;
    longest += 2.0 * length;
    Vec3d centre;
    for (int i = 0; i < d; ++i) centre[i] = q[body.first + i];
    take(centre);
  }
  return longest + norm(highest - lowest);
}

}  // namespace

PoseBounds bounds_around(const MaximalFormulas& formulas, const Vector& q, const Vector& gaps) {
  const Instance& instance = formulas.instance();
  PoseBounds bounds;
  bounds.given = q;
  for (const Body& body : instance.bodies())
    for (int i = 0; i < instance.dimensions() && !body.ground && !body.counter; ++i)
      bounds.coordinates.push_back(body.first + i);
  double turn = 0.0, gap = 0.0;  // rad and m that the guess is off by; drivers and equations may lead far
  for (int row = 0; row < formulas.position_rows(); ++row) {
    const RowOwner& owner = formulas.all_rows()[static_cast<std::size_t>(row)];
    if (owner.kind == RowOwner::Kind::unit_length) continue;
    double& off = owner.unit == "rad" ? turn : gap;
    off = std::max(off, std::abs(gaps[row]));
    if (owner.kind == RowOwner::Kind::joint && owner.unit == "m") bounds.rows.push_back(row);
  }
  // What rolls goes as far as it turns.
  const double size = size_of(instance, q) * (1.0 + turn) + gap;
  bounds.size = std::isfinite(size) ? size : 0.0;
  return bounds;
}

}  // namespace raak
