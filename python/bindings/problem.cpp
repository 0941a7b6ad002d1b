// Equations of motion in Python: functions of numpy, called with the interpreter lock, or compiled ones by their
// address, called without it.
#include "functions.h"
#include "running.h"

namespace raak_python {
namespace {

using Compiled = void (*)(double, const double*, const double*, double*);
using CompiledOfPositions = void (*)(double, const double*, double*);

struct PythonFunction {
  py::object function;
  Argument q = {}, v = {};
};

// `function`: one of Python, an array that is always the same, or the address of compiled code.
raak::Callback callback_of(const py::object& function, const Shape& shape, int n) {
  if (function.is_none()) return {};
  if (const auto compiled = compiled_of<Compiled>(function); compiled != nullptr && shape.of_velocities)
    return [kept = shared(function), compiled](double t, const double* q, const double* v, double* out) {
      compiled(t, q, v, out);
    };
  if (const auto compiled = compiled_of<CompiledOfPositions>(function))
    return [kept = shared(function), compiled](double t, const double* q, const double*, double* out) {
      compiled(t, q, out);
    };
  if (PyCallable_Check(function.ptr()) == 0) {
    auto constant = std::vector<double>(static_cast<std::size_t>(shape.count()));
    write(function, shape, constant.data());
    return [constant](double, const double*, const double*, double* out) {
      std::copy(constant.begin(), constant.end(), out);
    };
  }
  return [kept = shared(PythonFunction{function}), shape, n](double t, const double* q, const double* v, double* out) {
    const py::gil_scoped_acquire lock;
    const py::float_ time(t);
    call_within_run([&] {
      if (shape.of_velocities) write(call(kept->function, time, kept->q.of(q, n), kept->v.of(v, n)), shape, out);
      else write(call(kept->function, time, kept->q.of(q, n)), shape, out);
    });
  };
}

raak::Model model_of(const py::dict& functions, const std::vector<std::string>& coordinates,
                     const std::vector<std::string>& rows, int velocity_rows, const std::vector<std::string>& outputs,
                     const std::vector<std::string>& units, const std::vector<raak::Setting>& trust,
                     const std::vector<raak::Setting>& guess, double t, const std::string& name) {
  const int n = static_cast<int>(coordinates.size()), m = static_cast<int>(rows.size());
  const auto function = [&](const char* key, std::vector<py::ssize_t> sizes, bool of_velocities) {
    return callback_of(functions.contains(key) ? py::object(functions[key]) : py::none(),
                       {key, std::move(sizes), of_velocities}, n);
  };
  raak::Callbacks own;
  own.coordinates = n;
  own.position_rows = m - velocity_rows;
  own.velocity_rows = velocity_rows;
  own.description = {coordinates, rows, outputs, units};
  own.mass = function("mass", {n, n}, false);
  own.force = function("force", {n}, true);
  own.constraint = function("constraint", {m - velocity_rows}, false);
  own.velocity_constraint = function("velocity_constraint", {velocity_rows}, true);
  own.jacobian = function("jacobian", {m - velocity_rows, n}, false);
  own.bias = function("bias", {m}, true);
  own.potential = function("potential", {}, false);
  own.power = function("power", {}, true);
  own.outputs = function("output", {static_cast<py::ssize_t>(outputs.size())}, true);
  const Running running;
  return raak::callback_model(own, {trust, guess, t}, name);
}

}  // namespace

void bind_problem(py::module_& module) {
  module.def("problem_of", &model_of, "functions"_a, "coordinates"_a, "rows"_a, "velocity_rows"_a, "outputs"_a,
             "units"_a, "trust"_a, "guess"_a, "t"_a, "name"_a);
}

}  // namespace raak_python
