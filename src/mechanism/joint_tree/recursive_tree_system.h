// A tree without loops of more than a few bodies: its accelerations come from a recursion over the bodies
// (tree_recursion.h) instead of from code that is recorded for the whole. The recorded system has what else there is to
// be asked for.
#pragma once
#include <memory>

#include "mechanism/joint_tree/joint_tree.h"

namespace raak {

// From so many moving bodies on the recursion takes less time than recorded code, whose length grows with their square.
inline constexpr int fewest_bodies_for_recursion = 13;
// Matrices of so many coordinates may be made. Forces may make a motion stiff, and then a method asks for them.
inline constexpr int most_coordinates_of_recursion = 600, most_coordinates_with_forces = 100;

bool serves_recursion(const Instance& instance, const JointTree& tree);

// `recorded`: of the same formulas. `maximal`: with the rows of the bodies.
std::shared_ptr<const ConstrainedSystem> make_recursive_tree_system(
    const std::shared_ptr<const MaximalFormulas>& formulas, const JointTree& tree,
    std::shared_ptr<const ConstrainedSystem> recorded, std::shared_ptr<const ConstrainedSystem> maximal);

}  // namespace raak
