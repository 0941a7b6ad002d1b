#include "methods/catalogue.h"
#include "methods/charts/partitioned_gauss.h"
#include "methods/collocation/radau.h"

namespace raak {
namespace {

std::unique_ptr<Integrator> make(const ConstrainedSystem& system, Form form, const Tolerances& tolerances) {
  if (has_no_freedom(system, form)) return make_tangent(system, form, tolerances);
  return std::make_unique<Radau>(system, form, tolerances);
}

}  // namespace

MethodInfo radau_method() {
  return {.name = "radau",
          .summary = "Radau IIA collocation of order 7 or 15 for stiff systems, in independent coordinates",
          .forms = all_but_plain_forms,
          .make = make,
          .stand_in = "radau9",
          .is_for_stiffness = true,
          .follows_tolerance = true};
}

}  // namespace raak
