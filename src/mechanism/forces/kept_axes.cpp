#include "mechanism/forces/kept_axes.h"

namespace raak {

std::vector<KeptAxes> kept_axes(const Instance& instance, bool (*keeps)(const JointInfo& info), int first, int second) {
  std::vector<KeptAxes> found;
  for (const Element& joint : instance.mechanism().joints) {
    if (!joint.has("axes") || !keeps(info_of_joint(joint))) continue;
    const auto axis_in = [&](int body) -> const Vec3n* {
      for (const AxisRef& ref : joint.at("axes").axes)
        if (ref.body == body) return &instance.bodies()[static_cast<std::size_t>(body)].axes.at(ref.axis);
      return nullptr;
    };
    const Vec3n* const one = axis_in(first);
    const Vec3n* const other = axis_in(second);
    if (one != nullptr && other != nullptr) found.push_back({*one, *other});
  }
  return found;
}

}  // namespace raak
