#include "mechanism/bodies/mass_ratio_check.h"

#include <fmt/format.h>

#include <algorithm>

namespace raak {

void check_mass_ratio(const Instance& instance) {
  constexpr double lightest = 1e-13;  // of the heaviest
  const std::vector<Body>& bodies = instance.bodies();
  if (bodies.size() < 2) return;
  const auto [light, heavy] =
      std::minmax_element(bodies.begin() + 1, bodies.begin() + instance.bodies_of_file(),
                          [](const Body& a, const Body& b) { return a.mass.now() < b.mass.now(); });
  if (!(light->mass.now() < lightest * heavy->mass.now())) return;
  refuse_at(instance.mechanism().bodies[static_cast<std::size_t>(light - bodies.begin())].mass.place,
            fmt::format("the mass of \"{}\" is {:g} kg, and that of \"{}\" {:g} kg: where joints tie them, double "
                        "precision leaves no digits for accelerations and reactions. Make the light body heavier, or "
                        "replace it by a joint of type distance",
                        light->name, light->mass.now(), heavy->name, heavy->mass.now()));
}

}  // namespace raak
