// What the files of the bindings share: one function an area, and how numbers, names and errors pass between C++ and
// Python. The module is thin: what a user sees, with names, defaults and documentation, is python/raak.
#pragma once
#include <pybind11/functional.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <raak/raak.h>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace raak_python {

namespace py = pybind11;
using namespace pybind11::literals;

void bind_errors(py::module_& module);
void bind_mechanism(py::module_& module);
void bind_model(py::module_& module);
void bind_problem(py::module_& module);
void bind_result(py::module_& module);
void bind_stepper(py::module_& module);
void bind_study(py::module_& module);
void bind_sweep(py::module_& module);

// A read-only array over numbers(owner), of a copy of the owner that the array keeps: they may lie inside the owner.
template <class Owner, class Numbers>
py::array view(Owner owner, const Numbers& numbers) {
  auto* const kept = new Owner(std::move(owner));
  const py::capsule base(kept, [](void* pointer) { delete static_cast<Owner*>(pointer); });
  const std::span values(numbers(std::as_const(*kept)));
  py::array_t<typename decltype(values)::value_type> array(static_cast<py::ssize_t>(values.size()), values.data(),
                                                           base);
  array.attr("setflags")("write"_a = false);
  return array;
}

// The arguments of a run by name: what is None or missing is that of the model's run.
raak::Options options_of(const py::dict& arguments);

}  // namespace raak_python
