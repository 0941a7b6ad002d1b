// A thin disc rolls on a plane without slip: its lowest point touches the plane, and has no velocity along it (two
// non-holonomic rows). Neimark and Fufaev, Dynamics of Nonholonomic Systems, 1972, chapter I.
#include <fmt/format.h>

#include "mechanism/joints/axes.h"
#include "mechanism/joints/catalogue.h"

namespace raak {
namespace {

struct Contact {
  Vector3 normal;
  Vector3 slope;  // of the plane's normal in the plane of the disc, towards the centre
  Real length;    // of the slope: the sine of the tilt
};

Contact contact_of(const ElementScene& joint) {
  const Vector3 normal = joint.axis("axes", 0);
  const Vector3 axle = joint.axis("axes", 1);
  const Vector3 slope = normal - dot(normal, axle) * axle;
  return {normal, slope, norm(slope)};
}

void rolling_disc_rows(const ElementScene& joint, Rows& rows) {
  const Contact contact = contact_of(joint);
  const Vector3 offset = joint.point("pins", 1) - joint.point("pins", 0);
  const Number radius = joint.number("radius");
  if (!(radius.sign() > 0))
    refuse_at(joint.element().at("radius").place,
              fmt::format("the radius of a disc is {}, expected a positive number of m", radius.now()));
  rows.add("height", dot(contact.normal, offset) - radius * contact.length);
}

void slip_rows(const ElementScene& joint, Rows& rows) {
  const Scene& scene = joint.scene();
  const Contact contact = contact_of(joint);
  const auto& pins = joint.element().at("pins").points;
  const Vector3 centre = joint.point("pins", 1);
  const Vector3 arm = (Real(-joint.number("radius")) / contact.length) * contact.slope;
  const Vector3 base = joint.point("pins", 0);
  const Vector3 of_disc = scene.rate(centre) + cross(scene.angular_velocity(pins[1].body), arm);
  const Vector3 of_plane = scene.rate(base) + cross(scene.angular_velocity(pins[0].body), centre + arm - base);
  const Vector3 slip = of_disc - of_plane;
  // In directions of the plane, or along the track and across it.
  const bool along_track = rows.begin_components(2, 2) == 1;
  const auto [u, v] = across(joint, "axes", 0);
  if (!along_track) {
    rows.add("slip 1", dot(u, slip));
    rows.add("slip 2", dot(v, slip));
    return;
  }
  const Vector3 track = (Real(1.0) / contact.length) * cross(contact.normal, joint.axis("axes", 1));
  const Vector3 aside = cross(contact.normal, track);
  rows.add("slip 1", dot(track, slip));
  rows.add("slip 2", dot(aside, slip));
  rows.turn_back({track, aside}, {u, v});
}

}  // namespace

JointInfo rolling_disc_joint() {
  JointInfo info;
  info.name = "rolling-disc";
  info.summary = "thin disc that rolls on a plane without slip";
  info.example =
      R"(w = { type = "rolling-disc", pins = ["ground.O", "disc.C"], axes = ["ground.z", "disc.y"], radius = 0.3 })";
  info.planar = false;
  info.arguments = {{"pins", ArgumentKind::points, "a point of the plane, then the centre of the disc", 2, 2},
                    {"axes", ArgumentKind::axes, "the normal of the plane (to the disc's side), then the axle", 2, 2},
                    {"radius", ArgumentKind::length, "of the disc, m"}};
  info.rows = rolling_disc_rows;
  info.axes_lie = AxesLie::perpendicular;
  info.drawn_as = DrawingElement::Kind::disc;
  info.velocity_rows = slip_rows;
  return info;
}

}  // namespace raak
