// Mechanisms built in code: the words of a model file, with what Python has for values.
#include "functions.h"
#include "running.h"

namespace raak_python {
namespace {

raak::Value value_of(const py::handle& given);

raak::Fields fields_of(const py::dict& given) {
  raak::Fields fields;
  for (const auto& [name, value] : given) fields.push_back({name.cast<std::string>(), value_of(value)});
  return fields;
}

raak::Value value_of(const py::handle& given) {
  if (py::isinstance<py::bool_>(given)) return given.cast<bool>();
  if (py::isinstance<py::str>(given)) return given.cast<std::string>();
  if (py::isinstance<py::dict>(given)) return raak::Value::table(fields_of(given.cast<py::dict>()));
  if (py::isinstance<py::float_>(given) || py::isinstance<py::int_>(given)) return given.cast<double>();
  std::vector<raak::Value> list;
  for (const py::handle& each : given) list.push_back(value_of(each));
  return raak::Value::list(list);
}

using CompiledForce = void (*)(double, const double*, double*);

// `function`: one of Python, called as function(t, of 1, of 2, ..), or the address of compiled code.
raak::ForceFunction::Value value_of_force(const py::object& function, const Shape& shape, std::size_t arguments) {
  if (const auto compiled = compiled_of<CompiledForce>(function))
    return [kept = shared(function), compiled](double t, const double* of, double* out) { compiled(t, of, out); };
  return [kept = shared(function), shape, arguments](double t, const double* of, double* out) {
    const py::gil_scoped_acquire lock;
    py::tuple all(arguments + 1);
    all[0] = t;
    for (std::size_t i = 0; i < arguments; ++i) all[i + 1] = of[i];
    call_within_run([&] { write((*kept)(*all), shape, out); });
  };
}

}  // namespace

void bind_mechanism(py::module_& module) {
  using raak::Mechanism;
  const auto of_fields = [](auto add) {
    return [add](Mechanism& m, const std::string& name, const py::dict& fields) { (m.*add)(name, fields_of(fields)); };
  };
  const auto of_type = [](auto add) {
    return [add](Mechanism& m, const std::string& name, const std::string& type, const py::dict& fields) {
      (m.*add)(name, type, fields_of(fields));
    };
  };
  const auto of_value = [](auto add) {
    return [add](Mechanism& m, const std::string& name, const py::object& value) { (m.*add)(name, value_of(value)); };
  };
  py::class_<Mechanism>(module, "Mechanism")
      .def(py::init<const std::string&, const std::string&>(), "space"_a, "title"_a)
      .def("copy", [](const Mechanism& m) { return Mechanism(m); })
      .def("gravity", [](Mechanism& m, const py::object& value) { m.gravity(value_of(value)); })
      .def("parameter", of_value(&Mechanism::parameter))
      .def("ground_point", of_value(&Mechanism::ground_point))
      .def("ground_axis", of_value(&Mechanism::ground_axis))
      .def("body", of_fields(&Mechanism::body))
      .def("joint", of_type(&Mechanism::joint))
      .def("force",
           of_type(py::overload_cast<const std::string&, const std::string&, const raak::Fields&>(&Mechanism::force)))
      .def(
          "force_function",
          [](Mechanism& m, const std::string& name, const std::string& at, const std::string& on,
             const std::vector<std::string>& of, const py::object& function, int components) {
            const Shape shape{"force \"" + name + "\"",
                              components > 1 ? std::vector<py::ssize_t>{components} : std::vector<py::ssize_t>()};
            m.force(name, {at, on, of, value_of_force(function, shape, of.size())});
          },
          "name"_a, "at"_a, "on"_a, "of"_a, "function"_a, "components"_a)
      .def("driver", of_fields(&Mechanism::driver))
      .def("constraint", [](Mechanism& m, const std::string& name, const std::string& e) { m.constraint(name, e); })
      .def("event", of_fields(&Mechanism::event))
      .def("output", of_value(&Mechanism::output))
      .def("trust", of_value(&Mechanism::trust))
      .def("guess", of_value(&Mechanism::guess))
      .def("smooth_start", [](Mechanism& m) { m.smooth_start(); })
      .def("plan", of_fields(&Mechanism::run))
      .def("toml", &Mechanism::toml)
      .def("build", &Mechanism::build, py::call_guard<Running>());
}

}  // namespace raak_python
