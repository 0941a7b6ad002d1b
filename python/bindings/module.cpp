// The module raak._native: the public C++ library for Python.
#include "bindings.h"

PYBIND11_MODULE(_native, module) {
  using namespace raak_python;
  module.doc() = "The public C++ library of Raak; use the package raak, which documents it.";
  module.def("version", [] { return std::string(raak::version()); });
  bind_errors(module);
  bind_result(module);
  bind_model(module);
  bind_mechanism(module);
  bind_problem(module);
  bind_stepper(module);
  bind_study(module);
  bind_sweep(module);
}
