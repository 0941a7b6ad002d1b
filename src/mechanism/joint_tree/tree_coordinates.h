// From the motion of bodies to the coordinates of the joints between them, joint by joint.
#pragma once
#include <array>
#include <vector>

#include "mechanism/joint_tree/tree_motion.h"

namespace raak {

using Quaternion = std::array<double, 4>;
Quaternion conjugate(const Quaternion& p);
// Of a rotation by the directions of its axes; the scalar part is not negative.
Quaternion quaternion_of(const Axes<double>& axes);

// Whether the rows of the joint hold in the motion as its own coordinates have it: they know no axes that point the
// other way.
bool closes(const Instance& instance, const std::vector<TreeLink>& links, const TreeLink& link, int body,
            const State& motion);
// Of both signs of the quaternion of a body, the one that it has in the motion.
void set_sign(const Instance& instance, const std::vector<TreeLink>& links, TreeLink& link, int body,
              const State& motion);

}  // namespace raak
