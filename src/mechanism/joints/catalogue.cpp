// A new joint is one file and one line here.
#include "mechanism/joints/catalogue.h"

namespace raak {

const std::vector<JointInfo>& joint_catalogue() {
  static const std::vector<JointInfo> catalogue{
      revolute_joint(),       prismatic_joint(),    fixed_joint(),     distance_joint(),   slot_joint(),
      rolling_joint(),        gear_joint(),         rack_joint(),      knife_edge_joint(), spherical_joint(),
      cylindrical_joint(),    screw_joint(),        universal_joint(), planar_joint(),     point_on_line_joint(),
      point_on_plane_joint(), rolling_disc_joint(),
  };
  return catalogue;
}

const JointInfo* find_joint(const std::string& type) {
  for (const JointInfo& info : joint_catalogue())
    if (info.name == type) return &info;
  return nullptr;
}

}  // namespace raak
