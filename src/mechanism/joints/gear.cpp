// A pair of gears: angle of the second = ratio * angle of the first + phase, both seen from the carrier (Willis 1841).
#include "mechanism/joints/catalogue.h"

namespace raak {
namespace {

void rows_of(const ElementScene& joint, Rows& rows) {
  const Real carrier = joint.has("carrier") ? joint.frame("carrier", 0).angle : Real(0.0);
  const Real first = joint.frame("bodies", 0).angle - carrier;
  const Real second = joint.frame("bodies", 1).angle - carrier;
  rows.add("mesh", second - joint.number("ratio") * first - joint.number("phase"));
}

}  // namespace

JointInfo gear_joint() {
  JointInfo info;
  info.name = "gear";
  info.summary = "pair of gears: the second turns ratio times as far as the first";
  info.example = R"(gears = { type = "gear", bodies = ["a", "b"], ratio = -2.0 })";
  info.spatial = false;
  info.arguments = {
      {"bodies", ArgumentKind::bodies, "the two gears", 2, 2},
      {"ratio", ArgumentKind::number, "angle of the second per angle of the first; negative: outside gears"},
      {"phase", ArgumentKind::number, "angle of the second where the first has angle 0, rad", 1, 1, true, "0"},
      {"carrier", ArgumentKind::bodies, "the body that holds both", 1, 1, true}};
  info.rows = rows_of;
  return info;
}

}  // namespace raak
