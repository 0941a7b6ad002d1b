// Two points keep their distance, as if by a massless rod: (|d|^2 - l^2) / 2 l = 0, whose multiplier is the force.
#include <fmt/format.h>

#include "mechanism/joints/catalogue.h"

namespace raak {
namespace {

void distance_rows(const ElementScene& joint, Rows& rows) {
  const Vector3 d = joint.point("between", 1) - joint.point("between", 0);
  const Number length = joint.number("length");
  if (!(length.sign() > 0))
    refuse_at(joint.element().at("length").place,
              fmt::format("the length of a rod is {}, expected a positive number of m", length.now()));
  rows.add("length", (dot(d, d) - length * length) * (0.5 / length), "m", {GapReading::Kind::rod, length.now()});
}

}  // namespace

JointInfo distance_joint() {
  JointInfo info;
  info.name = "distance";
  info.summary = "massless rod: two points keep their distance";
  info.example = R"(rod = { type = "distance", between = ["cart.O", "bob"], length = 1.0 })";
  info.arguments = {{"between", ArgumentKind::points, "the two points", 2, 2},
                    {"length", ArgumentKind::length, "their distance, m"}};
  info.rows = distance_rows;
  info.drawn_as = DrawingElement::Kind::bar;
  info.first_pulled_point = 0;
  return info;
}

}  // namespace raak
