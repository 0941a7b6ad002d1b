#include "mechanism/bodies/catalogue.h"

#include <algorithm>

namespace raak {
namespace {

std::vector<std::unique_ptr<const BodyKind>> numbered(std::initializer_list<BodyKind*> kinds) {
  std::vector<std::unique_ptr<const BodyKind>> result;
  for (BodyKind* const kind : kinds) {
    kind->identifier = static_cast<int>(result.size());
    result.emplace_back(kind);
  }
  return result;
}

}  // namespace

const std::vector<std::unique_ptr<const BodyKind>>& body_catalogue() {
  static const std::vector<std::unique_ptr<const BodyKind>> catalogue = numbered({
#define BODY(name) name##_kind().release(),
#include "mechanism/bodies/bodies.def"
#undef BODY
  });
  return catalogue;
}

std::vector<std::string> body_types(bool planar) {
  std::vector<std::string> types;
  for (const auto& kind : body_catalogue())
    if (kind->planar == planar) types.push_back(kind->type);
  return types;
}

const BodyKind& find_body_kind(const std::string& type, bool planar) {
  const auto& all = body_catalogue();
  return **std::find_if(all.begin(), all.end(),
                        [&](const auto& kind) { return kind->type == type && kind->planar == planar; });
}

const BodyKind& ground_kind(bool planar) {
  const auto make = [](bool in_plane) {
    BodyKind kind("ground", in_plane);
    kind.point = false;
    kind.coordinates.clear();
    kind.positions.clear();
    kind.velocities.clear();
    return kind;
  };
  static const BodyKind in_plane = make(true), in_space = make(false);
  return planar ? in_plane : in_space;
}

}  // namespace raak
