// A mechanism in space solved in the coordinates of its joints and shown in those of its bodies: reactions are those of
// all joints.
#pragma once
#include <memory>

#include "mechanism/formulas/mechanism_system.h"
#include "mechanism/joint_tree/joint_tree.h"

namespace raak {

// Null where the tree has no joints.
std::shared_ptr<const ConstrainedSystem> make_joint_tree_system(
    const std::shared_ptr<const MaximalFormulas>& formulas, const JointTree& tree,
    const std::shared_ptr<const ConstrainedSystem>& maximal);

}  // namespace raak
