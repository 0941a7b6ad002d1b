// Accelerations of a tree without loops by articulated bodies, four states in the lanes: a loop over the bodies with
// nothing recorded, of a cost that grows with their number. Each body has a frame at its joint whose axes are parallel
// to those of the body that it hangs on wherever that is a matter of exchanging axes. Featherstone, Rigid Body Dynamics
// Algorithms, 2008, chapter 7; a joint of several freedoms is one freedom after another, without mass between them.
#pragma once
#include <memory>
#include <vector>

#include "base/tape/live.h"
#include "mechanism/joint_tree/joint_tree.h"

namespace raak {

class TreeRecursion final : private FollowsLiveNumbers {
 public:
  // A stage on the way from one body to the next.
  struct Stage {
    enum class Kind : char { shift, rotate, slide, turn, thread, ball };
    Kind kind = Kind::shift;
    int axis = 0;          // 0, 1, 2
    double sign = 1.0;     // along it or against it
    int coordinate = -1;   // the first of it
    double lead = 0.0;     // of a thread: slides by lead * q + offset
    double offset = 0.0;   // of a shift
    double turns[3][3]{};  // of a rotation: columns are the axes of the new frame; of a ball: exchanges its axes
    int place = 0;         // among the stages that turn or slide, or among balls
    int row = 0;           // of a ball: among the quaternions of the tree
    double extra = 0.0;    // of a ball: inertia along its quaternion
  };
  struct Node {
    int parent = -1;  // among the nodes; -1: the ground
    int first_stage = 0, stages = 0;
    int children = 0;
    int place = 0;                   // of several children: among such nodes
    bool is_last = false;            // of the children of its parent
    double mass = 0.0, moment[3]{};  // mass times centre
    double second[6]{};              // xx, yy, zz, xy, xz, yz about the origin
  };

  // Whether the tree is all there is: no loops, and nothing that counts turns.
  static bool serves(const Instance& instance, const JointTree& tree);
  // `moved`: JointTree::welded(). All must outlive it.
  TreeRecursion(const Instance& instance, const JointTree& tree, const std::vector<RigidInertia>& moved);
  ~TreeRecursion();
  TreeRecursion(const TreeRecursion&) = delete;
  TreeRecursion& operator=(const TreeRecursion&) = delete;

  // In lanes, 32-byte aligned. `applied`: generalized forces beside weight and inertia; null: none. `lambda`: of the
  // quaternions; null: not wanted.
  void accelerate(const double* q, const double* v, const double* applied, double* a, double* lambda) const;
  // Cycles of an evaluation.
  double cost() const;

 private:
  struct Placed;
  void follow() override;
  void add_node(const TreeLink& link, int body, const Placed& parent, Placed& own);
  void add_steps(const TreeLink& link, int body, Placed& own);

  const Instance& instance_;
  const JointTree& tree_;
  const std::vector<RigidInertia>& moved_;
  std::shared_ptr<LiveNumbers> numbers_;  // that it follows; null: none change
  int turnings_ = 0, balls_ = 0, gathering_ = 0;
  std::vector<Node> nodes_;  // parents first, each followed by one of its children
  std::vector<Stage> stages_;
  double fall_[3]{};  // the acceleration of the ground, as against free fall
};

}  // namespace raak
