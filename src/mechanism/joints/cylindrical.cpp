// Sleeve: a body slides along and turns about an axis of another. With a thread (screw) the two go together: the way
// grows by the pitch for each turn. The displacement shows how many turns were made, so that the angle needs to be
// known but for whole turns only; how the thread stands is decided by the start.
#include <numbers>

#include "mechanism/joints/axes.h"
#include "mechanism/joints/catalogue.h"

namespace raak {
namespace {

void sleeve_rows(const ElementScene& joint, Rows& rows) {
  keep_on_axis(joint, rows);
  keep_parallel(joint, "axes", 1, rows);
}

Real slide_of_sleeve(const ElementScene& joint) {
  return dot(joint.axis("axes", 0), joint.point("pins", 1) - joint.point("pins", 0));
}

// The angle that the thread has turned more than the way says; a thread without pitch: its place, m.
Real phase_of(const ElementScene& joint) {
  const Number pitch = joint.number("pitch");
  if (pitch.sign() == 0) return slide_of_sleeve(joint);
  return relative_angle(joint, "axes") - 2.0 * std::numbers::pi / pitch * slide_of_sleeve(joint);
}

void threaded_rows_of(const ElementScene& joint, Rows& rows) {
  sleeve_rows(joint, rows);
  if (joint.datum().empty()) return;
  const Number pitch = joint.number("pitch");
  const Real off = Number(joint.datum().front()) - phase_of(joint);
  if (pitch.sign() == 0) rows.add("thread", -off);
  else rows.add("thread", pitch / (2.0 * std::numbers::pi) * within_half_a_turn(off));
}

// Before the start has decided how the thread stands.
void thread(const ElementScene& joint, Rows& rows) {
  if (!joint.datum().empty()) return;
  const Scene& scene = joint.scene();
  const auto& pins = joint.element().at("pins").points;
  const Vector3 turn = scene.angular_velocity(pins[1].body) - scene.angular_velocity(pins[0].body);
  const Real pitch = joint.number("pitch") / (2.0 * std::numbers::pi);
  rows.add("thread", scene.rate(slide_of_sleeve(joint)) - pitch * dot(joint.axis("axes", 0), turn));
}

JointInfo sleeve(const char* name, const char* summary, const char* example) {
  JointInfo info;
  info.name = name;
  info.summary = summary;
  info.example = example;
  info.planar = false;
  info.arguments = {{"pins", ArgumentKind::points, "a point on the axis in each body", 2, 2},
                    {"axes", ArgumentKind::axes, "the axis in each body", 2, 2}};
  info.rows = sleeve_rows;
  info.coordinate = slide_of_sleeve;
  info.axes_lie = AxesLie::in_line;
  return info;
}

}  // namespace

JointInfo cylindrical_joint() {
  JointInfo info =
      sleeve("cylindrical", "sleeve: slides along an axis and turns about it",
             R"(sleeve = { type = "cylindrical", pins = ["ground.O", "ring.C"], axes = ["ground.z", "ring.z"] })");
  info.tree_steps = {{TreeStep::slide_z, TreeStep::turn}};
  return info;
}

JointInfo screw_joint() {
  JointInfo info =
      sleeve("screw", "thread: slides by the pitch for each turn",
             R"(s = { type = "screw", pins = ["ground.O", "nut.C"], axes = ["ground.z", "nut.z"], pitch = 0.002 })");
  info.arguments.push_back({"pitch", ArgumentKind::length, "way per turn, m; positive: a right-hand thread"});
  info.rows = threaded_rows_of;
  info.tree_steps = {{TreeStep::thread}};
  info.velocity_rows = thread;
  info.datum = [](const ElementScene& joint) { return Reals{phase_of(joint)}; };
  return info;
}

}  // namespace raak
