// A mechanism as the reference sees it: bodies in maximal coordinates, joints, forces and drivers as plain numbers. The
// plane is the plane z = 0 of space, where a body has three of its six velocities. Nothing here comes from Raak.
#pragma once
#include <Eigen/Dense>
#include <string>
#include <vector>

namespace reference {

using Vector3 = Eigen::Vector3d;
using Vector6 = Eigen::Matrix<double, 6, 1>;
using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

// Body 0 is the ground.
struct Body {
  std::string name;
  double mass = 0.0;                                  // kg
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();  // about the centre of mass, body axes, kg m^2
  Vector3 centre = Vector3::Zero();                   // of mass, in body axes, m
  bool point = false;                                 // has no rotation
  Vector3 position = Vector3::Zero();                 // of the frame's origin at the start, m
  Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();
  double angle = 0.0;                  // in the plane, rad
  Vector3 velocity = Vector3::Zero();  // of the frame's origin, m/s
  Vector3 omega = Vector3::Zero();     // ground axes, rad/s
};

struct Pin {
  int body = 0;
  Vector3 at = Vector3::Zero();  // in body axes
};

// c0 + c1 t + c2 sin(c3 t + c4)
struct Course {
  double c0 = 0.0, c1 = 0.0, c2 = 0.0, c3 = 0.0, c4 = 0.0;
  double value(double t) const { return c0 + c1 * t + c2 * std::sin(c3 * t + c4); }
  double rate(double t) const { return c1 + c2 * c3 * std::cos(c3 * t + c4); }
  double second(double t) const { return -c2 * c3 * c3 * std::sin(c3 * t + c4); }
};

// Joints, drivers and forces alike; what each field means depends on the type.
struct Element {
  std::string name, type;
  std::vector<Pin> pins;
  std::vector<Pin> axes;  // directions of unit length in body axes
  std::vector<double> numbers;
  std::vector<Course> courses;
  bool body_axes = false;  // of a force or torque
  int counted = -1;        // place of the counted angle in the state, where the element needs one
};

struct Mechanism {
  bool planar = false;
  Vector3 gravity = Vector3::Zero();
  std::vector<Body> bodies;
  std::vector<Element> joints, forces, drivers;
  std::vector<Element*> counting;  // the elements whose angle is integrated along
};

// What a configuration and its velocities are: of each body the centre of mass, its rotation, velocity and angular
// velocity.
struct Placed {
  Vector3 centre, velocity, omega;
  Eigen::Matrix3d rotation;
  Eigen::Quaterniond quaternion;
  double angle = 0.0;
};

struct Motion {
  double t = 0.0;
  std::vector<Placed> bodies;
  std::vector<double> counted;  // angles, rad
};

}  // namespace reference
