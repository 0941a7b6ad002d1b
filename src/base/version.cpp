#include "base/version.h"

namespace raak {

const char* version() {
  return RAAK_VERSION;
}

const std::string& program_name() {
  static const std::string name = std::string("raak ") + version();
  return name;
}

}  // namespace raak
