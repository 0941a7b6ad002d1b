#include "mechanism/bodies/body_frames.h"

#include "mechanism/bodies/catalogue.h"
#include "mechanism/joints/catalogue.h"

namespace raak {
BodyFrames::BodyFrames(const Instance& instance)
    : instance_(instance), axes_(instance.bodies().size(), Vec3d{1.0, 1.0, 1.0}) {
  if (instance.planar()) return;
  std::vector<bool> has_hinge(axes_.size(), false);
  for (const Element& joint : instance.mechanism().joints) {
    if (!joint.has("axes") || !info_of_joint(joint).turns_about_axes()) continue;
    for (const AxisRef& axis : joint.at("axes").axes) {
      const auto b = static_cast<std::size_t>(axis.body);
      if (has_hinge[b]) continue;
      has_hinge[b] = true;
      axes_[b] = now(instance.bodies()[b].axes.at(axis.axis));
    }
  }
}

Vector BodyFrames::to_coordinates(const Vector& q, Vector step) const {
  for (const Body& body : instance_.bodies())
    body.kind->turn_step(q.data() + body.first, false, step.data() + body.first);
  return step;
}

Vector BodyFrames::from_coordinates(const Vector& q, Vector step) const {
  for (const Body& body : instance_.bodies())
    body.kind->turn_step(q.data() + body.first, true, step.data() + body.first);
  return step;
}

std::vector<Vector> BodyFrames::left_turns(const Vector& q) const {
  Vector alike = Vector::Zero(q.size()), rising = Vector::Zero(q.size());
  double number = 0.0;
  for (std::size_t b = 0; b < axes_.size(); ++b) {
    const Body& body = instance_.bodies()[b];
    if (body.kind->turning == 0) continue;
    body.kind->turn_about(axes_[b], alike.data() + body.first);
    rising.segment(body.first, body.size) = ++number * alike.segment(body.first, body.size);
  }
  return {to_coordinates(q, alike), to_coordinates(q, rising)};
}

}  // namespace raak
