// A run step by step. The model must outlive its stepper: Python keeps it.
#include "running.h"

namespace raak_python {

void bind_stepper(py::module_& module) {
  using raak::Stepper;
  const py::call_guard<Running> unlocked;
  py::class_<Stepper>(module, "Stepper")
      .def(py::init([](const raak::Model& model, const py::dict& arguments) {
             const raak::Options options = options_of(arguments);
             const Running running;
             return std::make_unique<Stepper>(model, options);
           }),
           "model"_a, "arguments"_a, py::keep_alive<1, 2>())
      .def("step", &Stepper::step, unlocked)
      .def("t", &Stepper::t)
      .def("before", &Stepper::before)
      .def("now", &Stepper::now, py::return_value_policy::copy)
      .def("at", &Stepper::at, "t"_a, unlocked)
      .def("statistics", &Stepper::statistics);
}

}  // namespace raak_python
