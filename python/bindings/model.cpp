// Models: where they come from, their parameters, and runs.
#include <variant>

#include "running.h"

namespace raak_python {
namespace {

template <class Value>
void take(const py::dict& arguments, const char* name, Value& value) {
  if (!arguments.contains(name)) return;
  const py::object given = arguments[name];
  if (!given.is_none()) value = given.cast<Value>();
}
template <class Value>
void take(const py::dict& arguments, const char* name, std::optional<Value>& value) {
  if (!arguments.contains(name)) return;
  const py::object given = arguments[name];
  if (!given.is_none()) value = given.cast<Value>();
}

// None: stopped by Ctrl-C, an exception of `progress` or its answer; then the partial result is in `partial`.
py::object run(const raak::Model& model, const py::dict& arguments, const py::object& progress) {
  raak::Options options = options_of(arguments);
  return watched(
      [&](const auto& watch) {
        options.progress = watch;
        return raak::run(model, options);
      },
      progress);
}

}  // namespace

raak::Options options_of(const py::dict& arguments) {
  raak::Options options;
  take(arguments, "until", options.until);
  take(arguments, "rtol", options.rtol);
  take(arguments, "atol", options.atol);
  take(arguments, "method", options.method);
  take(arguments, "form", options.form);
  take(arguments, "every", options.every);
  take(arguments, "at", options.at);
  take(arguments, "step", options.step);
  take(arguments, "h0", options.h0);
  take(arguments, "run", options.run);
  take(arguments, "end_only", options.end_only);
  take(arguments, "trust", options.trust);
  take(arguments, "guess", options.guess);
  return options;
}

void bind_model(py::module_& module) {
  bind_running(module);
  using raak::Model;
  const py::call_guard<Running> unlocked;
  py::class_<Model>(module, "Model")
      .def(
          "copy", [](const Model& model) { return Model(model); }, unlocked)
      .def("name", &Model::name)
      .def("title", &Model::title)
      .def("runs", &Model::runs)
      .def("parameters", &Model::parameters)
      .def("columns", &Model::columns, unlocked)
      .def("toml", &Model::toml, "folder"_a, unlocked)
      .def(
          "get", [](const Model& model, const std::string& name) { return model.get(name); }, "name"_a, unlocked)
      .def(
          "text", [](const Model& model, const std::string& name) { return model.text(name); }, "name"_a, unlocked)
      .def(
          "set", [](Model& model, const std::string& name, double value) { model.set(name, value); }, "name"_a,
          "value"_a, unlocked)
      .def(
          "set_all",
          [](Model& model, const std::vector<std::pair<std::string, std::variant<double, std::string>>>& values) {
            model.set_all(values);
          },
          "values"_a, unlocked)
      .def(
          "choose", [](Model& model, const std::string& name, const std::string& choice) { model.set(name, choice); },
          "name"_a, "choice"_a, unlocked)
      .def("run", &run, "arguments"_a, "progress"_a);
  module.def("load", &raak::load, "path"_a, unlocked);
  module.def("parse", &raak::parse, "text"_a, unlocked);
  module.def("problem", &raak::problem, "name"_a, unlocked);
}

}  // namespace raak_python
