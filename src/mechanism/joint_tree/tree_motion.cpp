#include "mechanism/joint_tree/tree_motion.h"

#include <algorithm>

namespace raak {

State bodies_of_tree(const Instance& instance, const JointTree& tree, const std::vector<RigidInertia>& own,
                     const State& state) {
  const TreeMotion<double> motion(tree, state.q.data(), state.v.data(), state.a.data());
  const BodyMotions<double> found = bodies_of(instance, tree, own, motion);
  State bodies = State::of_size(instance.coordinates(), 0);
  bodies.t = state.t;
  std::copy(found.q.begin(), found.q.end(), bodies.q.begin());
  std::copy(found.v.begin(), found.v.end(), bodies.v.begin());
  std::copy(found.a.begin(), found.a.end(), bodies.a.begin());
  return bodies;
}

}  // namespace raak
