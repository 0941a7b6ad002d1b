#include "mechanism/forces/catalogue.h"

namespace raak {

const std::vector<ForceInfo>& force_catalogue() {
  static const std::vector<ForceInfo> catalogue{
#define FORCE(name) name##_force(),
#include "mechanism/forces/forces.def"
#undef FORCE
  };
  return catalogue;
}

const ForceInfo* find_force(const std::string& type) {
  for (const ForceInfo& info : force_catalogue())
    if (info.name == type) return &info;
  return nullptr;
}

}  // namespace raak
