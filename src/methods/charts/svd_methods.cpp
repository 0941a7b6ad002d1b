// Methods in independent coordinates by singular value decomposition.
#include "methods/catalogue.h"
#include "methods/charts/svd_chart.h"
#include "methods/multistep/adams.h"
#include "methods/runge_kutta/embedded_runge_kutta.h"

namespace raak {
namespace {

template <class Stepper>
std::unique_ptr<Integrator> make(const ConstrainedSystem& system, Form, const Tolerances& tolerances) {
  return std::make_unique<Stepper>(system, std::make_unique<SvdChart>(system), tolerances);
}

}  // namespace

MethodInfo svd_method() {
  return {.name = "svd",
          .summary = "independent coordinates by singular value decomposition, Adams of order 1 to 12",
          .forms = forms_of_both_levels,
          .make = make<Adams>,
          .stand_in = "adams",
          .has_trace = true,
          .refuses_tiny_tolerance = true};
}

MethodInfo svd_dop853_method() {
  return {.name = "svd-dop853",
          .summary = "independent coordinates by singular value decomposition, Runge-Kutta of order 8",
          .forms = forms_of_both_levels,
          .make = make<Dop853>,
          .stand_in = "dop853",
          .has_trace = true};
}

}  // namespace raak
