// A spanning tree of a mechanism in space in the coordinates of its joints: angles and lengths, and quaternions where a
// body flies or hangs on a ball joint. A body turns and slides against the one that it hangs on by elementary motions
// (joints/catalogue.h); the rows of its joint are gone, those of the other joints close the loops. Wittenburg, Dynamics
// of Multibody Systems, 2nd ed., 2008, chapter 5.
#pragma once
#include <array>
#include <vector>

#include "mechanism/formulas/maximal.h"
#include "mechanism/joints/catalogue.h"

namespace raak {

// Of a frame: the directions of its axes.
template <class Real>
using Axes = std::array<Vec3<Real>, 3>;

// A vector of a body in axes that are given in those of the body.
Vec3n in_axes(const Axes<double>& axes, const Vec3n& a);
std::array<Live, 6> in_axes(const Axes<double>& axes, const std::array<Live, 6>& inertia);

// How a body hangs on another. Each body has a frame of its own whose origin and axes are those of its joint: there
// most numbers are 0 and 1, which cost nothing.
struct TreeLink {
  static constexpr int flies = -1;

  int parent = 0;
  int joint = flies;  // among the joints of the mechanism
  std::vector<TreeStep> steps;
  int first = 0, size = 0;        // its coordinates
  std::vector<std::size_t> rows;  // of its joint, as places among the kept rows

  Axes<double> before{};                // the axes of the joint in those of the parent's frame
  Vec3n offset;                         // its origin, from that of the parent's frame and in its axes
  Axes<double> own{};                   // the axes of its frame in those of the body
  Vec3n reference;                      // its origin in the body
  std::array<double, 4> turn_before{};  // both as quaternions, the second back to the body
  std::array<double, 4> turn_after{};
  Live lead, phase;  // of a thread: the way is lead (angle - phase), or phase without a lead
};

// In the frame of a body.
struct RigidInertia {
  Live mass = 0.0;
  Vec3n centre;
  std::array<Live, 6> about_centre{};  // xx, yy, zz, xy, xz, yz
};

// So that the mass matrix of a quaternion can be inverted: of the size of its other entries.
Live inertia_along_quaternion(const Body& body, const TreeLink& link);

struct JointTree {
  std::vector<TreeLink> links;  // by body; that of the ground says nothing
  std::vector<int> order;       // bodies, parents first, without the ground
  int coordinates = 0;
  std::vector<int> balls;         // the first coordinates of its quaternions
  std::vector<std::size_t> rows;  // places among the kept rows of those that close loops, without normalizations
  int position_rows = 0;          // of them

  // By body; with what is welded to them, those of welded bodies are nothing.
  std::vector<RigidInertia> inertias(const Instance& instance) const;
  std::vector<RigidInertia> welded(std::vector<RigidInertia> own) const;

  // Coordinates and rates of the bodies' motion; each body's are compared with where the tree has it.
  State from_bodies(const Instance& instance, const State& motion) const;
};

// Whether joints with coordinates of their own tie its bodies, in space, such that nothing closes a loop and no other
// row is there.
bool is_tree_without_loops(const Instance& instance);

// Of joints whose rows are all kept and hold in the motion; a tree without joints in the plane.
JointTree find_joint_tree(const MaximalFormulas& formulas, const State& motion);

}  // namespace raak
