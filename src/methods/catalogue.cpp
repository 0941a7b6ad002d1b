// Every integration method, one entry each.
#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/text/text.h"
#include "methods/charts/partitioned_gauss.h"
#include "methods/charts/svd_chart.h"
#include "methods/collocation/gauss.h"
#include "methods/collocation/radau.h"
#include "methods/composite/automatic.h"
#include "methods/composite/singularity_crossing.h"
#include "methods/control/rounding_floor.h"
#include "methods/direct/generalized_alpha.h"
#include "methods/direct/radau_direct.h"
#include "methods/multistep/adams.h"
#include "methods/multistep/bdf.h"
#include "methods/runge_kutta/embedded_runge_kutta.h"
#include "methods/runge_kutta/half_explicit.h"

namespace raak {
namespace {

const std::vector<Form> every_form{Form::index1, Form::index2, Form::index3, Form::ggl};
const std::vector<Form> explicit_forms{Form::index1, Form::index2, Form::index3, Form::ggl, Form::index1_plain};
const std::vector<Form> direct_forms{Form::ggl, Form::index3, Form::index2, Form::index1};
const std::vector<Form> both_levels{Form::index1, Form::index3, Form::ggl};

template <class Stepper>
std::unique_ptr<Integrator> make(const ConstrainedSystem& system, Form form, const Tolerances& tol) {
  return std::make_unique<Stepper>(system, form, tol);
}
template <class Stepper>
std::unique_ptr<Integrator> projected(const ConstrainedSystem& system, Form form, const Tolerances& tol) {
  return std::make_unique<Stepper>(system, std::make_unique<ProjectedChart>(system, form), tol);
}
template <class Stepper>
std::unique_ptr<Integrator> tangent(const ConstrainedSystem& system, Form, const Tolerances& tol) {
  return std::make_unique<Stepper>(system, std::make_unique<SvdChart>(system), tol);
}

// Where every motion is driven nothing is left to integrate: each collocation method then finds the same accelerations,
// and only tangent passes singular configurations.
bool has_no_freedom(const ConstrainedSystem& system, Form form) {
  return system.coordinates() == system.position_rows() && system.velocity_rows() == 0 && form != Form::index2 &&
         system.coordinates() <= CoordinateChoice::most_coordinates;
}
// auto where nothing is projected: none of its own methods goes without.
class PlainDop853 final : public Dop853 {
 public:
  using Dop853::Dop853;
  std::string methods_used() const override { return "dop853"; }
};
std::unique_ptr<Integrator> automatic(const ConstrainedSystem& system, Form form, const Tolerances& tol) {
  return holds_velocities(form) ? make<Automatic>(system, form, tol) : projected<PlainDop853>(system, form, tol);
}
using Maker = std::unique_ptr<Integrator>(const ConstrainedSystem&, Form, const Tolerances&);
// The method with tangent's help over singular configurations.
template <Maker* maker>
auto crossing(const char* name) {
  return [name](const ConstrainedSystem& system, Form form, const Tolerances& tol) -> std::unique_ptr<Integrator> {
    auto usual = maker(system, form, tol);
    if (!SingularityCrossing::serves(system, form) || has_no_freedom(system, form)) return usual;
    return std::make_unique<SingularityCrossing>(system, name, form, tol, std::move(usual));
  };
}
std::unique_ptr<Integrator> gauss(const ConstrainedSystem& system, Form form, const Tolerances& tol) {
  return has_no_freedom(system, form) ? make_tangent(system, form, tol) : make_gauss(system, form, tol);
}
std::unique_ptr<Integrator> radau(const ConstrainedSystem& system, Form form, const Tolerances& tol) {
  if (has_no_freedom(system, form)) return make_tangent(system, form, tol);
  return std::make_unique<Radau>(system, form, tol);
}

}  // namespace

const std::vector<MethodInfo>& method_catalogue() {
  static const std::vector<MethodInfo> methods{
      {.name = "auto",
       .summary = "tangent, gauss where tangent cannot serve, and radau while the system is stiff",
       .forms = explicit_forms,
       .make = automatic,
       .is_choice = true,
       .is_for_stiffness = true,
       .follows_tolerance = true,
       .crosses_singularities = true,
       .shortfall = 0.0},
      {.name = "gauss",
       .summary = "Gauss collocation of order 8 or 16, stages in SIMD lanes, projected after each step",
       .forms = every_form,
       .make = crossing<gauss>("gauss"),
       .follows_tolerance = true},
      {.name = "radau",
       .summary = "Radau IIA collocation of order 7 or 15 for stiff systems, in independent coordinates",
       .forms = every_form,
       .make = crossing<radau>("radau"),
       .stand_in = "radau9",
       .is_for_stiffness = true,
       .follows_tolerance = true},
      {.name = "tangent",
       .summary =
           "Gauss collocation of order 8 or 16 in independent coordinates chosen by pivoting, dependent ones by Newton",
       .forms = both_levels,
       .make = make_tangent,
       .stand_in = "gauss",
       .holonomic_only = true,
       .follows_tolerance = true,
       .crosses_singularities = true},
      {.name = "dop853",
       .summary = "explicit Runge-Kutta of order 8, projected onto the constraints after each step",
       .forms = explicit_forms,
       .make = crossing<projected<Dop853>>("dop853"),
       .shortfall = 0.0},
      {.name = "dopri5",
       .summary = "explicit Runge-Kutta of order 5, projected onto the constraints after each step",
       .forms = explicit_forms,
       .make = crossing<projected<Dopri5>>("dopri5"),
       .claims = {{Form::index1, 32, 64, 5, 5}}},
      {.name = "adams",
       .summary = "Adams-Bashforth-Moulton of order 1 to 12, projected onto the constraints after each step",
       .forms = explicit_forms,
       .make = crossing<projected<Adams>>("adams"),
       .refuses_tiny_tolerance = true},
      {.name = "svd",
       .summary = "independent coordinates by singular value decomposition, Adams of order 1 to 12",
       .forms = both_levels,
       .make = crossing<tangent<Adams>>("svd"),
       .stand_in = "adams",
       .has_trace = true,
       .refuses_tiny_tolerance = true},
      {.name = "svd-dop853",
       .summary = "independent coordinates by singular value decomposition, Runge-Kutta of order 8",
       .forms = both_levels,
       .make = crossing<tangent<Dop853>>("svd-dop853"),
       .stand_in = "dop853",
       .has_trace = true},
      {.name = "radau5",
       .summary = "Radau IIA of order 5 directly on the index-3, index-2 or stabilised equations",
       .forms = direct_forms,
       .make = crossing<make_radau<3>>("radau5"),
       .is_for_stiffness = true,
       .claims = {{Form::ggl, 16, 32, 5, 5},
                  {Form::index2, 16, 32, 5, 5},
                  {Form::index1, 16, 32, 5, 5},
                  {Form::index3, 32, 64, 3, 3}}},
      {.name = "radau9",
       .summary = "Radau IIA of order 9 directly on the index-3, index-2 or stabilised equations",
       .forms = direct_forms,
       .make = crossing<make_radau<5>>("radau9"),
       .is_for_stiffness = true,
       .claims = {{Form::ggl, 4, 8, 9, 9},
                  {Form::index2, 4, 8, 9, 9},
                  {Form::index1, 4, 8, 9, 9},
                  {Form::index3, 16, 32, 0, 5}}},
      {.name = "radau13",
       .summary = "Radau IIA of order 13 directly on the index-3, index-2 or stabilised equations",
       .forms = direct_forms,
       .make = crossing<make_radau<7>>("radau13"),
       .is_for_stiffness = true,
       .claims = {{Form::ggl, 3, 4, 13, 13},
                  {Form::index2, 3, 4, 13, 13},
                  {Form::index1, 3, 4, 13, 13},
                  {Form::index3, 8, 16, 0, 7}}},
      {.name = "bdf",
       .summary = "backward differentiation of order 1 to 5 on the stabilised (ggl) equations",
       .forms = {Form::ggl},
       .make = crossing<make<Bdf>>("bdf"),
       .tightest_rtol = 1e-9,
       .rounding_floor = rounding_of_bdf,
       .shortfall = 3.0,
       .step_budget = 20'000'000},
      {.name = "generalized-alpha",
       .summary = "generalized-alpha of order 2 on the index-3 or stabilised equations",
       .forms = {Form::ggl, Form::index3},
       .make = crossing<make<GeneralizedAlpha>>("generalized-alpha"),
       .tightest_rtol = 1e-6,
       .rounding_floor = rounding_of_generalized_alpha,
       .step_budget = 5'000'000,
       .claims = {{Form::ggl, 96, 192, 2, 2}, {Form::index3, 96, 192, 2, 2}}},
      {.name = "half-explicit",
       .summary = "half-explicit Runge-Kutta of order 5 on the index-2 equations",
       .forms = {Form::ggl, Form::index2},
       .make = crossing<make<HalfExplicit>>("half-explicit"),
       .claims = {{Form::index2, 32, 64, 5, 5}, {Form::ggl, 32, 64, 5, 5}}},
  };
  return methods;
}

std::string reason_text(PartitionReason reason) {
  switch (reason) {
    case PartitionReason::start:
      return "start";
    case PartitionReason::restart:
      return "restart of the method";
    case PartitionReason::outside:
      return "share outside above the threshold";
    case PartitionReason::direction:
      return "direction of the basis turned too far";
    case PartitionReason::newton:
      return "dependent coordinates converged slowly";
  }
  return "";
}

const MethodInfo& find_method(const std::string& name) {
  const auto& methods = method_catalogue();
  const auto found = std::find_if(methods.begin(), methods.end(), [&](const MethodInfo& m) { return m.name == name; });
  if (found != methods.end()) return *found;
  std::vector<std::string> names;
  for (const MethodInfo& m : methods) names.push_back(m.name);
  throw Error(ErrorKind::request, unknown_name("method", name, names));
}

bool includes_stiff_method(const std::string& used) {
  const auto& methods = method_catalogue();
  return std::any_of(methods.begin(), methods.end(), [&](const MethodInfo& m) {
    return m.is_for_stiffness && ("+" + used + "+").find("+" + m.name + "+") != std::string::npos;
  });
}

std::string missing_form(const MethodInfo& method, Form form) {
  std::string text = fmt::format("method \"{}\" has no form \"{}\"; it has: {}", method.name, name_of(form),
                                 join(names_of(method.forms)));
  if (holds_velocities(form)) return text;
  std::vector<std::string> able;
  for (const MethodInfo& m : method_catalogue())
    if (m.has(form)) able.push_back(m.name);
  return text + fmt::format(
                    ". Its steps meet the constraints by construction: the drift of index 1 without projection "
                    "is shown by {}",
                    join(able));
}

}  // namespace raak
