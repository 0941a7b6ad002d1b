#include "system/drawing.h"

#include <array>

namespace raak {

const std::string& kind_name(DrawingElement::Kind kind) {
  static const std::array<std::string, 13> names{"bar",    "plate", "beam", "disc",   "block",  "mass", "pin",
                                                 "ground", "wall",  "rail", "spring", "damper", "trace"};
  return names.at(static_cast<std::size_t>(kind));
}

}  // namespace raak
