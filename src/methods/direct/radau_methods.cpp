// The orders of the direct Radau methods.
#include "methods/catalogue.h"
#include "methods/direct/radau_direct.h"

namespace raak {
namespace {

constexpr std::initializer_list<Form> direct_forms{Form::ggl, Form::index3, Form::index2, Form::index1};

template <int stages>
std::unique_ptr<Integrator> make(const ConstrainedSystem& system, Form form, const Tolerances& tolerances) {
  return std::make_unique<RadauDirect>(system, form, tolerances, stages);
}

}  // namespace

MethodInfo radau5_method() {
  return {.name = "radau5",
          .summary = "Radau IIA of order 5 directly on the index-3, index-2 or stabilised equations",
          .forms = direct_forms,
          .make = make<3>,
          .is_for_stiffness = true,
          .claims = {{Form::ggl, 16, 32, 5, 5},
                     {Form::index2, 16, 32, 5, 5},
                     {Form::index1, 16, 32, 5, 5},
                     {Form::index3, 32, 64, 3, 3}}};
}

MethodInfo radau9_method() {
  return {.name = "radau9",
          .summary = "Radau IIA of order 9 directly on the index-3, index-2 or stabilised equations",
          .forms = direct_forms,
          .make = make<5>,
          .is_for_stiffness = true,
          .claims = {{Form::ggl, 4, 8, 9, 9},
                     {Form::index2, 4, 8, 9, 9},
                     {Form::index1, 4, 8, 9, 9},
                     {Form::index3, 16, 32, 0, 5}}};
}

MethodInfo radau13_method() {
  return {.name = "radau13",
          .summary = "Radau IIA of order 13 directly on the index-3, index-2 or stabilised equations",
          .forms = direct_forms,
          .make = make<7>,
          .is_for_stiffness = true,
          .claims = {{Form::ggl, 3, 4, 13, 13},
                     {Form::index2, 3, 4, 13, 13},
                     {Form::index1, 3, 4, 13, 13},
                     {Form::index3, 8, 16, 0, 7}}};
}

}  // namespace raak
