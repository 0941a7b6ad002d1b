// A pair of gears: angle of the second = ratio * angle of the first + phase, both seen from the carrier (Willis 1841).
// In space the angles are those turned since the start about given axes, by the twist of the relative quaternion
// (Dobrowolski, Swing-twist decomposition in Clifford algebra, 2015). They are known but for whole turns, which does
// not matter to teeth of whole number: ratio = m/n means n angle_2 - m angle_1 = 0 but for whole turns. Other ratios,
// and starts that are yet to be found, constrain the angular velocities instead.
#include <fmt/format.h>

#include <optional>

#include "mechanism/joints/axes.h"
#include "mechanism/joints/catalogue.h"

namespace raak {
namespace {

using RecordedQuaternion = std::array<Real, 4>;

// conj(a) b
RecordedQuaternion turn_between(const RecordedQuaternion& a, const RecordedQuaternion& b) {
  return {a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3], a[0] * b[1] - a[1] * b[0] - a[2] * b[3] + a[3] * b[2],
          a[0] * b[2] + a[1] * b[3] - a[2] * b[0] - a[3] * b[1], a[0] * b[3] - a[1] * b[2] + a[2] * b[1] - a[3] * b[0]};
}

// A gear seen from the carrier.
RecordedQuaternion seen_from_carrier(const ElementScene& joint, std::size_t gear) {
  const RecordedQuaternion own = joint.frame("bodies", gear).p;
  return joint.has("carrier") ? turn_between(joint.frame("carrier", 0).p, own) : own;
}

// Teeth of the second gear and of the first, where the ratio is one of whole numbers.
struct Teeth {
  int of_angle_1, of_angle_2;
};
std::optional<Teeth> teeth_of(double ratio) {
  constexpr int most = 200;
  for (int n = 1; n <= most; ++n) {
    const double m = std::round(ratio * n);
    if (std::abs(m) <= 1e6 && std::abs(ratio * n - m) < 1e-11 * n) return Teeth{static_cast<int>(m), n};
  }
  return std::nullopt;
}

// Of each gear: how it stands in the carrier, and its axis in its own frame.
Reals standing(const ElementScene& joint) {
  Reals values;
  if (joint.planar() || !teeth_of(joint.number("ratio").value())) return values;
  for (std::size_t gear = 0; gear < 2; ++gear) {
    const RecordedQuaternion p = seen_from_carrier(joint, gear);
    values.insert(values.end(), p.begin(), p.end());
    const Vector3 axis = joint.frame("bodies", gear).R.transposed_times(joint.axis("axes", gear));
    values.insert(values.end(), {axis.x, axis.y, axis.z});
  }
  return values;
}

// The angle that a gear has turned since the start, but for whole turns.
Real turned_since_start(const ElementScene& joint, std::size_t gear) {
  const double* at = joint.datum().data() + 7 * gear;
  const RecordedQuaternion then{Number(at[0]), Number(at[1]), Number(at[2]), Number(at[3])};
  const RecordedQuaternion turn = turn_between(then, seen_from_carrier(joint, gear));
  return 2.0 * atan2(turn[1] * Number(at[4]) + turn[2] * Number(at[5]) + turn[3] * Number(at[6]), turn[0]);
}

void require_ratio(const ElementScene& joint) {
  if (joint.number("ratio").sign() == 0)
    refuse_at(joint.element().at("ratio").place,
              "the ratio of a gear pair is 0, expected the angle of the second gear per angle of the first");
}

void gear_rows(const ElementScene& joint, Rows& rows) {
  require_ratio(joint);
  if (!joint.planar()) {
    if (joint.datum().empty()) return;
    const Teeth teeth = *teeth_of(joint.number("ratio").value());
    const Real off = static_cast<double>(teeth.of_angle_2) * turned_since_start(joint, 1) -
                     static_cast<double>(teeth.of_angle_1) * turned_since_start(joint, 0);
    rows.add("mesh", 1.0 / teeth.of_angle_2 * within_half_a_turn(off), "rad");
    return;
  }
  const Real carrier = joint.has("carrier") ? joint.frame("carrier", 0).angle : Real(0.0);
  const Real first = joint.frame("bodies", 0).angle - carrier;
  const Real second = joint.frame("bodies", 1).angle - carrier;
  rows.add("mesh", second - joint.number("ratio") * first - joint.number("phase"), "rad");
}

void rates_of(const ElementScene& joint, Rows& rows) {
  if (joint.planar()) return;
  require_ratio(joint);
  if (joint.number("phase").sign() != 0)
    refuse_at(joint.element().at("phase").place, "a gear pair in space has no phase: its start decides how teeth meet");
  if (!joint.datum().empty()) return;
  const Scene& scene = joint.scene();
  const Argument& gears = joint.element().at("bodies");
  const Vector3 carrier =
      joint.has("carrier") ? scene.angular_velocity(joint.element().at("carrier").bodies[0]) : Vector3{};
  const auto turn = [&](std::size_t i) {
    return dot(joint.axis("axes", i), scene.angular_velocity(gears.bodies[i]) - carrier);
  };
  rows.add("mesh", turn(1) - joint.number("ratio") * turn(0), "rad");
}

void check_gear(const Element& joint, bool planar) {
  const std::vector<int>& gears = joint.at("bodies").bodies;
  if (gears[0] == gears[1]) refuse_at(joint.at("bodies").place, "expected two different bodies, found one twice");
  if (!planar && !joint.has("axes"))
    refuse_at(joint.place, fmt::format("in space the joint \"{}\" needs axes, one for each gear", joint.name));
}

}  // namespace

JointInfo gear_joint() {
  JointInfo info;
  info.name = "gear";
  info.summary = "pair of gears: the second turns ratio times as far as the first";
  info.example = R"(gears = { type = "gear", bodies = ["a", "b"], ratio = -2.0 })";
  info.arguments = {
      {"bodies", ArgumentKind::bodies, "the two gears", 2, 2},
      {"ratio", ArgumentKind::number, "angle of the second per angle of the first; negative: outside gears"},
      {"phase", ArgumentKind::number, "planar: angle of the second where the first has angle 0, rad", 1, 1, true, "0"},
      {"carrier", ArgumentKind::bodies, "the body that holds both", 1, 1, true},
      {"axes", ArgumentKind::axes, "in space: the axis of each gear, about which alone a hinge or sleeve lets it turn",
       2, 2, true}};
  info.rows = gear_rows;
  info.velocity_rows = rates_of;
  info.datum = standing;
  info.check = check_gear;
  return info;
}

}  // namespace raak
