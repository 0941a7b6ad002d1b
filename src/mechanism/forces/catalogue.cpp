// A new force is one file and one line here.
#include "mechanism/forces/catalogue.h"

namespace raak {

const std::vector<ForceInfo>& force_catalogue() {
  static const std::vector<ForceInfo> catalogue{
      spring_force(), torsion_spring_force(), bushing_force(), point_force(), torque_force(), actuator_force(),
  };
  return catalogue;
}

const ForceInfo* find_force(const std::string& type) {
  for (const ForceInfo& info : force_catalogue())
    if (info.name == type) return &info;
  return nullptr;
}

}  // namespace raak
