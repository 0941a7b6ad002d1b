#include "mechanism/joints/catalogue.h"

namespace raak {

const std::vector<JointInfo>& joint_catalogue() {
  static const std::vector<JointInfo> catalogue{
#define JOINT(name) name##_joint(),
#include "mechanism/joints/joints.def"
#undef JOINT
  };
  return catalogue;
}

const JointInfo* find_joint(const std::string& type) {
  for (const JointInfo& info : joint_catalogue())
    if (info.name == type) return &info;
  return nullptr;
}

}  // namespace raak
