// Every integration method, one entry each.
#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/text/text.h"
#include "methods/charts/tangent.h"
#include "methods/charts/tangent_chart.h"
#include "methods/collocation/gauss.h"
#include "methods/collocation/radau.h"
#include "methods/composite/automatic.h"
#include "methods/composite/over_poses.h"
#include "methods/direct/generalized_alpha.h"
#include "methods/direct/radau_direct.h"
#include "methods/multistep/adams.h"
#include "methods/multistep/bdf.h"
#include "methods/runge_kutta/dop853.h"
#include "methods/runge_kutta/dopri5.h"
#include "methods/runge_kutta/half_explicit.h"
#include "system/equations/forms.h"

namespace raak {
namespace {

const std::vector<std::string> every_form{"index1", "index2", "index3", "ggl"};
const std::vector<std::string> explicit_forms{"index1", "index2", "index3", "ggl", "index1-plain"};
const std::vector<std::string> direct_forms{"ggl", "index3", "index2", "index1"};
const std::vector<std::string> both_levels{"index1", "index3", "ggl"};

template <class Stepper>
std::unique_ptr<Integrator> make(const ConstrainedSystem& system, const std::string& form, const Tolerances& tol) {
  return std::make_unique<Stepper>(system, form, tol);
}
template <class Stepper>
std::unique_ptr<Integrator> projected(const ConstrainedSystem& system, const std::string& form, const Tolerances& tol) {
  return std::make_unique<Stepper>(system, std::make_unique<ProjectedChart>(system, form), tol);
}
template <class Stepper>
std::unique_ptr<Integrator> tangent(const ConstrainedSystem& system, const std::string&, const Tolerances& tol) {
  return std::make_unique<Stepper>(system, std::make_unique<TangentChart>(system), tol);
}

template <class Stepper>
std::unique_ptr<Integrator> direct(const ConstrainedSystem& system, const std::string& form, const Tolerances& tol) {
  return std::make_unique<Stepper>(system, form, tol);
}

// Where every motion is driven nothing is left to integrate: each collocation method then finds the same accelerations,
// and only tangent passes singular poses.
bool has_no_freedom(const ConstrainedSystem& system, const std::string& form) {
  return system.coordinates() == system.position_rows() && system.velocity_rows() == 0 && form != "index2" &&
         system.coordinates() <= CoordinateChoice::most_coordinates;
}
// auto where nothing is projected: none of its own methods goes without.
class PlainDop853 final : public Dop853 {
 public:
  using Dop853::Dop853;
  std::string methods_used() const override { return "dop853"; }
};
std::unique_ptr<Integrator> automatic(const ConstrainedSystem& system, const std::string& form, const Tolerances& tol) {
  return holds_velocities(form) ? make<Automatic>(system, form, tol) : projected<PlainDop853>(system, form, tol);
}
using Maker = std::unique_ptr<Integrator>(const ConstrainedSystem&, const std::string&, const Tolerances&);
// The method with tangent's help over singular poses.
template <Maker* maker>
auto over_poses(const char* name) {
  return [name](const ConstrainedSystem& system, const std::string& form,
                const Tolerances& tol) -> std::unique_ptr<Integrator> {
    auto usual = maker(system, form, tol);
    if (!OverPoses::serves(system, form) || has_no_freedom(system, form)) return usual;
    return std::make_unique<OverPoses>(system, name, form, tol, std::move(usual));
  };
}
std::unique_ptr<Integrator> gauss(const ConstrainedSystem& system, const std::string& form, const Tolerances& tol) {
  return has_no_freedom(system, form) ? make_tangent(system, form, tol) : make_gauss(system, form, tol);
}
std::unique_ptr<Integrator> radau(const ConstrainedSystem& system, const std::string& form, const Tolerances& tol) {
  if (has_no_freedom(system, form)) return make_tangent(system, form, tol);
  return std::make_unique<Radau>(system, form, tol);
}

}  // namespace

const std::vector<MethodInfo>& method_catalogue() {
  static const std::vector<MethodInfo> methods{
      {"auto", "tangent, gauss where tangent cannot serve, and radau while the system is stiff", explicit_forms, false,
       false, automatic},
      {"gauss", "Gauss collocation of order 8 or 16, stages in SIMD lanes, projected after each step", every_form,
       false, false, over_poses<gauss>("gauss")},
      {"radau", "Radau IIA collocation of order 7 or 15 for stiff systems, in independent coordinates", every_form,
       false, false, over_poses<radau>("radau")},
      {"tangent",
       "Gauss collocation of order 8 or 16 in independent coordinates chosen by pivoting, dependent ones by Newton",
       both_levels, false, false, make_tangent, 0.0, 2.0, 0, true},
      {"dop853", "explicit Runge-Kutta of order 8, projected onto the constraints after each step", explicit_forms,
       false, false, over_poses<projected<Dop853>>("dop853")},
      {"dopri5", "explicit Runge-Kutta of order 5, projected onto the constraints after each step", explicit_forms,
       false, false, over_poses<projected<Dopri5>>("dopri5")},
      {"adams", "Adams-Bashforth-Moulton of order 1 to 12, projected onto the constraints after each step",
       explicit_forms, false, true, over_poses<projected<Adams>>("adams")},
      {"svd", "independent coordinates by singular value decomposition, Adams of order 1 to 12", both_levels, true,
       true, over_poses<tangent<Adams>>("svd")},
      {"svd-dop853", "independent coordinates by singular value decomposition, Runge-Kutta of order 8", both_levels,
       true, false, over_poses<tangent<Dop853>>("svd-dop853")},
      {"radau5", "Radau IIA of order 5 directly on the index-3, index-2 or stabilised equations", direct_forms, false,
       false, over_poses<make_radau<3>>("radau5")},
      {"radau9", "Radau IIA of order 9 directly on the index-3, index-2 or stabilised equations", direct_forms, false,
       false, over_poses<make_radau<5>>("radau9")},
      {"radau13", "Radau IIA of order 13 directly on the index-3, index-2 or stabilised equations", direct_forms, false,
       false, over_poses<make_radau<7>>("radau13")},
      {"bdf",
       "backward differentiation of order 1 to 5 on the stabilised (ggl) equations",
       {"ggl"},
       false,
       false,
       over_poses<direct<Bdf>>("bdf"),
       1e-9,
       3.0,
       20'000'000},
      {"generalized-alpha",
       "generalized-alpha of order 2 on the index-3 or stabilised equations",
       {"ggl", "index3"},
       false,
       false,
       over_poses<direct<GeneralizedAlpha>>("generalized-alpha"),
       1e-6,
       2.0,
       5'000'000},
      {"half-explicit",
       "half-explicit Runge-Kutta of order 5 on the index-2 equations",
       {"ggl", "index2"},
       false,
       false,
       over_poses<direct<HalfExplicit>>("half-explicit")},
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

std::string missing_form(const MethodInfo& method, const std::string& form) {
  std::string text = fmt::format("method \"{}\" has no form \"{}\"; it has: {}", method.name, form, join(method.forms));
  if (holds_velocities(form)) return text;
  std::vector<std::string> able;
  for (const MethodInfo& m : method_catalogue())
    if (holds(m.forms, form)) able.push_back(m.name);
  return text + fmt::format(
                    ". Its steps meet the constraints by construction: the drift of index 1 without projection "
                    "is shown by {}",
                    join(able));
}

}  // namespace raak
