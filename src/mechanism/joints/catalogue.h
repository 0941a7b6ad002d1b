// The joints: each is one file and one line in catalogue.cpp.
#pragma once
#include <string>
#include <vector>

#include "mechanism/element.h"

namespace raak {

struct JointInfo : ElementInfo {
  // Appends the position rows, in m or rad.
  void (*rows)(const ElementScene& joint, Rows& rows) = nullptr;
  // Appends the velocity rows (non-holonomic, linear in v), if it has any.
  void (*velocity_rows)(const ElementScene& joint, Rows& rows) = nullptr;
  // Measures that the start fixes for good (settled.h), in space: with their values, ElementScene::settled(), the rows
  // are those of positions, without them of velocities.
  Reals (*decided_by_start)(const ElementScene& joint) = nullptr;
  // The angle (rad) or displacement (m) of the second body along the freedom that a driver or actuator moves.
  Real (*coordinate)(const ElementScene& joint) = nullptr;
};

const std::vector<JointInfo>& joint_catalogue();
// Null if there is none of that name.
const JointInfo* find_joint(const std::string& type);

JointInfo revolute_joint();
JointInfo prismatic_joint();
JointInfo fixed_joint();
JointInfo distance_joint();
JointInfo slot_joint();
JointInfo rolling_joint();
JointInfo gear_joint();
JointInfo rack_joint();
JointInfo knife_edge_joint();
JointInfo spherical_joint();
JointInfo cylindrical_joint();
JointInfo screw_joint();
JointInfo universal_joint();
JointInfo planar_joint();
JointInfo point_on_line_joint();
JointInfo point_on_plane_joint();
JointInfo rolling_disc_joint();

}  // namespace raak
