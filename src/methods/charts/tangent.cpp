#include "base/error.h"
#include "methods/catalogue.h"
#include "methods/charts/partitioned_gauss.h"
#include "methods/collocation/gauss.h"

namespace raak {

std::unique_ptr<FixedPointMethod> make_tangent(const ConstrainedSystem& system, Form, const Tolerances& tolerances) {
  if (system.velocity_rows() > 0)
    throw Error(ErrorKind::request,
                "method \"tangent\" needs constraints on positions only, the system has velocity constraints; try svd");
  if (pays_order_sixteen(tolerances)) return std::make_unique<PartitionedGauss<8>>(system, tolerances);
  return std::make_unique<PartitionedGauss<4>>(system, tolerances);
}

MethodInfo tangent_method() {
  return {
      .name = "tangent",
      .summary =
          "Gauss collocation of order 8 or 16 in independent coordinates chosen by pivoting, dependent ones by Newton",
      .forms = forms_of_both_levels,
      .make = make_tangent,
      .stand_in = "gauss",
      .holonomic_only = true,
      .follows_tolerance = true,
      .crosses_singularities = true};
}

}  // namespace raak
