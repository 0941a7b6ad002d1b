// The joints: each is one file and one line in joints.def.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "mechanism/element.h"

namespace raak {

// How the axes that a joint names in its two bodies lie.
enum class AxesLie { anyhow, in_line, parallel, perpendicular };

// Elementary motions, in the order in which they carry the frame of a joint in its first body to that in the second:
// slides along its axes, turns about the last one, a thread about it, a change to the first axis as the one to turn
// about, any rotation.
enum class TreeStep { slide_x, slide_y, slide_z, turn, thread, cross, ball };

struct JointInfo : ElementInfo {
  JointInfo() { drawn_as = DrawingElement::Kind::pin; }

  // Appends the position rows, in m or rad.
  void (*rows)(const ElementScene& joint, Rows& rows) = nullptr;
  // Appends the velocity rows (non-holonomic, linear in v), if it has any.
  void (*velocity_rows)(const ElementScene& joint, Rows& rows) = nullptr;
  // Measures that the start fixes for good (joint_datum.h), in space: with their values, ElementScene::datum(), the
  // rows are those of positions, without them of velocities.
  Reals (*datum)(const ElementScene& joint) = nullptr;
  // The angle (rad) or displacement (m) of the second body along the freedom that a driver or actuator moves.
  Real (*coordinate)(const ElementScene& joint) = nullptr;
  const char* coordinate_unit = "m";
  // All pins coincide: the first rows of each pin after the first are the gap between the two.
  bool keeps_points_together = false;
  bool keeps_orientation = false;  // its bodies do not turn against each other
  AxesLie axes_lie = AxesLie::anyhow;
  bool axes_belong_to_pins = true;  // in space the i-th axis lies in the body of the i-th pin
  // In space the motion that it leaves its second body, in coordinates of its own (joint_tree.h); none: it has none.
  std::optional<std::vector<TreeStep>> tree_steps = {};
  // Refuses combinations of arguments that the list of them allows.
  void (*check)(const Element& joint, bool planar) = nullptr;

  bool keeps_axes_parallel() const { return axes_lie == AxesLie::in_line || axes_lie == AxesLie::parallel; }
  // In space its bodies turn against each other about the axes that it names and about no other.
  bool turns_about_axes() const { return keeps_axes_parallel() && !keeps_orientation; }
};

const std::vector<JointInfo>& joint_catalogue();
// Null if there is none of that name.
const JointInfo* find_joint(const std::string& type);
// The entry of a joint whose type has been checked.
inline const JointInfo& info_of_joint(const Element& joint) {
  return *find_joint(joint.type);
}

#define JOINT(name) JointInfo name##_joint();
#include "mechanism/joints/joints.def"
#undef JOINT

}  // namespace raak
