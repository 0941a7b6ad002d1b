// Motion and reactions of every joint against the equations of Newton and Euler, written down here for two bodies that
// fly and are tied by the joint only: m a = m g + F and I alpha + omega x I omega = M + (pin - com) x F on the second
// body, the opposite on the first; and what the joint leaves free does no work.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <set>

#include "mechanism/joints/catalogue.h"
#include "modelfile/tests/test_support.h"

namespace raak {
namespace {

using Eigen::Vector3d;

struct Data {
  double mass;
  Eigen::Matrix3d inertia;
  Vector3d com, pin;
};

// Body a and body b as in the file below; in the plane the z parts do not count.
Data data_of(bool first, bool planar) {
  Data d{first ? 2.0 : 1.3, Eigen::Matrix3d::Zero(), first ? Vector3d(0.3, -0.2, 0.1) : Vector3d(-0.1, 0.25, 0.2),
         first ? Vector3d(0.9, 0.3, -0.4) : Vector3d(-0.5, 0.4, 0.3)};
  if (first) d.inertia << 0.7, 0.05, -0.03, 0.05, 0.6, 0.02, -0.03, 0.02, 0.5;
  else d.inertia.diagonal() << 0.4, 0.5, 0.3;
  if (planar) {
    d.inertia.setZero();
    d.inertia(2, 2) = first ? 0.7 : 0.4;
    d.com.z() = d.pin.z() = 0.0;
  }
  return d;
}

std::string planar_file(const std::string& joint) {
  return fmt::format(R"({}[joints]
tie = {}
[start.guess]
"b.x" = 0.4
"b.y" = 1.3
"b.angle" = 0.3
"a.vx" = 0.2
"a.omega" = -0.8
"b.vy" = 0.7
"b.omega" = 1.1
[outputs]
Fx = "tie.force.x"
Fy = "tie.force.y"
Mz = "tie.moment"
)",
                     two_planar_bodies, joint);
}

std::string spatial_file(const std::string& joint) {
  std::string text = std::string(two_spatial_bodies) + R"([joints]
tie = )" + joint + R"(
[start.guess]
"a.rotation" = [0.1, 0.2, 0.3]
"b.position" = [0.4, 1.3, 0.5]
"b.rotation" = [0.3, -0.2, 0.5]
"a.velocity" = [0.2, 0.0, -0.3]
"a.omega" = [0.5, -0.8, 0.3]
"b.velocity" = [0.1, 0.7, 0.2]
"b.omega" = [-0.4, 0.2, 1.1]
[outputs]
)";
  for (const char* what : {"force", "moment"})
    for (const char axis : {'x', 'y', 'z'}) text += fmt::format("{1}{0} = \"tie.{2}.{0}\"\n", axis, what[0], what);
  return text;
}

// A body at an instant: what its own equations of motion ask of the joint.
struct Seen {
  Vector3d pin, force, moment;  // that must act on it; the moment about the pin
  Vector3d pin_velocity, omega;
};

Seen see(const State& shown, bool first, bool planar) {
  const Data d = data_of(first, planar);
  const Eigen::Index q0 = first ? 0 : planar ? 3 : 7;
  const Eigen::Index v0 = first ? 0 : planar ? 3 : 6;
  Vector3d origin = Vector3d::Zero();
  Vector3d velocity = origin;
  Vector3d acceleration = origin;
  Vector3d omega = origin;
  Vector3d alpha = origin;
  Eigen::Matrix3d R;
  if (planar) {
    origin.head(2) = shown.q.segment(q0, 2);
    velocity.head(2) = shown.v.segment(v0, 2);
    acceleration.head(2) = shown.a.segment(v0, 2);
    omega.z() = shown.v[v0 + 2];
    alpha.z() = shown.a[v0 + 2];
    R = Eigen::AngleAxisd(shown.q[q0 + 2], Vector3d::UnitZ()).toRotationMatrix();
  } else {
    origin = shown.q.segment(q0, 3);
    velocity = shown.v.segment(v0, 3);
    acceleration = shown.a.segment(v0, 3);
    omega = shown.v.segment(v0 + 3, 3);
    alpha = shown.a.segment(v0 + 3, 3);
    R = Eigen::Quaterniond(shown.q[q0 + 3], shown.q[q0 + 4], shown.q[q0 + 5], shown.q[q0 + 6]).toRotationMatrix();
  }
  const Vector3d arm = R * d.com;
  const Eigen::Matrix3d inertia = R * d.inertia * R.transpose();
  const Vector3d gravity(0.4, -9.8, planar ? 0.0 : 1.0);
  const Vector3d centre = acceleration + alpha.cross(arm) + omega.cross(omega.cross(arm));
  Seen seen;
  seen.pin = origin + R * d.pin;
  seen.force = d.mass * (centre - gravity);
  seen.moment = inertia * alpha + omega.cross(inertia * omega) - (seen.pin - origin - arm).cross(seen.force);
  seen.pin_velocity = velocity + omega.cross(R * d.pin);
  seen.omega = omega;
  return seen;
}

std::string text_of_joint(const JointInfo& info, bool planar) {
  std::string text = "{ type = \"" + info.name + "\"";
  for (const ArgumentInfo& argument : info.arguments) {
    const bool axes = argument.kind == ArgumentKind::axes;
    if (argument.optional && (!axes || planar)) continue;
    const char* end = axes ? ".u" : argument.kind == ArgumentKind::points ? ".P" : nullptr;
    if (end == nullptr) text += ", " + argument.key + " = 0.7";
    else if (argument.most == 1) text += fmt::format(", {} = [\"a{}\"]", argument.key, end);
    else if (axes && planar && info.name == "knife-edge") text += fmt::format(", {} = [\"b{}\"]", argument.key, end);
    else text += fmt::format(", {0} = [\"a{1}\", \"b{1}\"]", argument.key, end);
  }
  return text + " }";
}

// Reactions that do no work on the relative motion that the joint leaves; friction-free contacts with a moving point of
// contact (rolling) act elsewhere than at the pin, which the moment accounts for.
TEST(Reactions, OfEveryJointAreWhatNewtonAndEulerAskForOnBothBodies) {
  int joints = 0;
  for (const bool planar : {true, false}) {
    for (const JointInfo& info : joint_catalogue()) {
      if (planar ? !info.planar : !info.spatial) continue;
      if (info.name == "gear") continue;  // no common point: tested by itself
      SCOPED_TRACE(info.name + (planar ? ", planar" : ", spatial"));
      const std::string joint = text_of_joint(info, planar);
      const Model model = model_of(planar ? planar_file(joint) : spatial_file(joint));
      const State start = consistent_start(model);
      State shown;
      model.system->report(start, shown);
      Vector outputs(model.system->outputs());
      model.system->evaluate_outputs(start, outputs);
      Vector3d force = Vector3d::Zero();
      Vector3d moment = force;
      if (planar) {
        force << outputs[0], outputs[1], 0.0;
        moment.z() = outputs[2];
      } else {
        force = outputs.head(3);
        moment = outputs.segment(3, 3);
      }
      const Seen a = see(shown, true, planar);
      const Seen b = see(shown, false, planar);
      const double size = 1.0 + force.norm() + moment.norm();
      EXPECT_GT(force.norm() + moment.norm(), 1e-3);
      EXPECT_LE((b.force - force).norm(), 1e-9 * size);
      EXPECT_LE((b.moment - moment).norm(), 1e-9 * size);
      // The opposite acts on the first body at the same point.
      EXPECT_LE((a.force + force).norm(), 1e-9 * size);
      EXPECT_LE((a.moment + (a.pin - b.pin).cross(a.force) + moment).norm(), 1e-9 * size);
      // Relative to the first body, whose own velocity at the pin of the second is taken off, no work is done.
      const Vector3d carried = a.pin_velocity + a.omega.cross(b.pin - a.pin);
      const double power = force.dot(b.pin_velocity - carried) + moment.dot(b.omega - a.omega);
      EXPECT_LE(std::abs(power), 1e-9 * size);
      ++joints;
    }
  }
  EXPECT_GE(joints, 20);
}

// Its weight acts many times its size away from the body that it slides on: lengths and angles do not mix.
TEST(Reactions, OfABodyThatHasSlidFar) {
  constexpr double weight = 2.0 * 9.81, far = 1e4, rounding = 1e-12;
  for (const char* const joint : {"prismatic", "cylindrical", "planar"})
    for (const bool reversed : {false, true}) {
      SCOPED_TRACE(std::string(joint) + (reversed ? " reversed" : ""));
      const std::string axis = std::string(joint) == "planar" ? "z" : "x";
      const std::string pins = reversed ? "\"b.C\", \"ground.O\"" : "\"ground.O\", \"b.C\"";
      const std::string axes =
          reversed ? "\"b." + axis + "\", \"ground." + axis + "\"" : "\"ground." + axis + "\", \"b." + axis + "\"";
      const Model model = model_of(
          "format = \"raak/1\"\nspace = \"spatial\"\ngravity = [0.0, 0.0, -9.81]\n[ground.points]\nO = [0.0, 0.0, "
          "0.0]\n"
          "[bodies.b]\nmass = 2.0\ninertia = [0.1, 0.2, 0.3]\ncom = [0.1, 0.0, 0.3]\npoints = { C = [0.0, 0.0, 0.0] "
          "}\n" +
              fmt::format("[joints]\nj = {{ type = \"{}\", pins = [{}], axes = [{}] }}\n[start.trust]\n"
                          "\"b.position\" = [{}, 0.0, 0.0]\n",
                          joint, pins, axes, far) +
              "[outputs]\nfz = \"j.force.z\"\nmx = \"j.moment.x\"\nmy = \"j.moment.y\"\nmz = \"j.moment.z\"\n",
          Coordinates::tree);
      Vector outputs(4);
      model.system->evaluate_outputs(consistent_start(model), outputs);
      // On the body of the second pin, about that pin.
      const double arm = reversed ? far + 0.1 : 0.1, sign = reversed ? -1.0 : 1.0;
      EXPECT_NEAR(outputs[0], sign * weight, rounding * weight);
      EXPECT_NEAR(outputs[1], 0.0, rounding * far * weight);
      EXPECT_NEAR(outputs[2], -sign * arm * weight, rounding * far * weight);
      EXPECT_NEAR(outputs[3], 0.0, rounding * far * weight);
    }
}

}  // namespace
}  // namespace raak
