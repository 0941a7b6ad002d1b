#include "methods/catalogue.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/text/text.h"
#include "methods/charts/coordinate_choice.h"
#include "methods/composite/singularity_crossing.h"

namespace raak {
namespace {

// A method that does not cross singular configurations by itself gets tangent's help over them.
MethodInfo helped_over_singularities(MethodInfo info) {
  if (info.crosses_singularities) return info;
  info.make = [name = info.name, make = info.make](const ConstrainedSystem& system, Form form,
                                                   const Tolerances& tolerances) -> std::unique_ptr<Integrator> {
    auto usual = make(system, form, tolerances);
    if (!SingularityCrossing::serves(system, form) || has_no_freedom(system, form)) return usual;
    return std::make_unique<SingularityCrossing>(system, name, form, tolerances, std::move(usual));
  };
  return info;
}

}  // namespace

bool has_no_freedom(const ConstrainedSystem& system, Form form) {
  return system.coordinates() == system.position_rows() && system.velocity_rows() == 0 && form != Form::index2 &&
         system.coordinates() <= CoordinateChoice::most_coordinates;
}

const std::vector<MethodInfo>& method_catalogue() {
  static const std::vector<MethodInfo> methods{
#define METHOD(name) helped_over_singularities(name##_method()),
#include "methods/methods.def"
#undef METHOD
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
