// What the entries of the catalogue are made of. Each method defines its own, name_method(), beside its steps;
// methods.def lists them.
#pragma once
#include <initializer_list>
#include <memory>

#include "methods/charts/chart.h"
#include "methods/method.h"

namespace raak {

#define METHOD(name) MethodInfo name##_method();
#include "methods/methods.def"
#undef METHOD

inline constexpr std::initializer_list<Form> all_but_plain_forms{Form::index1, Form::index2, Form::index3, Form::ggl};
inline constexpr std::initializer_list<Form> all_forms{Form::index1, Form::index2, Form::index3, Form::ggl,
                                                       Form::index1_plain};
inline constexpr std::initializer_list<Form> forms_of_both_levels{Form::index1, Form::index3, Form::ggl};

template <class Stepper>
std::unique_ptr<Integrator> make_method(const ConstrainedSystem& system, Form form, const Tolerances& tolerances) {
  return std::make_unique<Stepper>(system, form, tolerances);
}
template <class Stepper>
std::unique_ptr<Integrator> make_projected(const ConstrainedSystem& system, Form form, const Tolerances& tolerances) {
  return std::make_unique<Stepper>(system, std::make_unique<ProjectedChart>(system, form), tolerances);
}

// Where every motion is driven nothing is left to integrate: each collocation method then finds the same accelerations,
// and only tangent passes singular configurations.
bool has_no_freedom(const ConstrainedSystem& system, Form form);

}  // namespace raak
