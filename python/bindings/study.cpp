// What is known of a model beside a run: assembly, check, bench and explain.
#include "running.h"

namespace raak_python {
namespace {

py::dict dict_of(const raak::CheckRow& row) {
  return py::dict("run"_a = row.run, "method"_a = row.method, "formulation"_a = row.form, "reference"_a = row.reference,
                  "rtol"_a = row.rtol, "scd"_a = row.scd, "mescd"_a = row.mescd, "scd_published"_a = row.scd_published,
                  "mescd_published"_a = row.mescd_published, "largest_difference"_a = row.largest_difference,
                  "position_residual"_a = row.position_residual, "velocity_residual"_a = row.velocity_residual,
                  "energy_drift"_a = row.energy_drift, "required"_a = row.required, "tolerance"_a = row.tolerance,
                  "pass"_a = row.pass, "skipped"_a = row.skipped, "message"_a = row.message);
}

py::dict dict_of(const raak::BenchRow& row) {
  const auto timed = [&](double us) { return us > 0.0 ? py::object(py::float_(us)) : py::none(); };
  return py::dict("model"_a = row.model, "run"_a = row.run, "method"_a = row.method, "formulation"_a = row.form,
                  "rtol"_a = row.rtol, "atol"_a = row.atol, "status"_a = row.status, "message"_a = row.message,
                  "reference"_a = row.reference, "scd"_a = row.scd, "mescd"_a = row.mescd,
                  "energy_drift"_a = row.energy_drift, "steps"_a = row.work.steps, "accepted"_a = row.work.accepted,
                  "rejected"_a = row.work.rejected, "evaluations"_a = row.work.evaluations,
                  "jacobians"_a = row.work.jacobians, "factorizations"_a = row.work.factorizations,
                  "cpu_us"_a = timed(row.cpu_us), "cpu_us_min"_a = timed(row.cpu_us_min));
}

template <class Row>
py::list list_of(const std::vector<Row>& rows) {
  py::list list;
  for (const Row& row : rows) list.append(dict_of(row));
  return list;
}

py::list check(const raak::Model& model, const py::dict& arguments) {
  const raak::Options options = options_of(arguments);
  return list_of(in_own_thread([&](const std::atomic<bool>& stop) { return raak::check(model, options, &stop); },
                               list_of<raak::CheckRow>));
}

// `done`: a function that is called with each row, or None; what it raises ends the bench.
py::list bench(const raak::Model& model, const std::vector<std::string>& methods, const std::vector<std::string>& forms,
               const std::vector<double>& rtol, const std::string& run, std::optional<double> until,
               const py::object& done) {
  std::optional<py::error_already_set> raised;
  const auto work = [&](std::atomic<bool>& stop) {
    raak::BenchOptions options{methods, forms, rtol, run, until, {}, &stop};
    if (!done.is_none())
      options.done = [&](const raak::BenchRow& row) {
        if (raised) return;
        const py::gil_scoped_acquire lock;
        try {
          done(dict_of(row));
        } catch (py::error_already_set& error) {
          raised = error;
          stop = true;
        }
      };
    return raak::bench(model, options);
  };
  const py::list rows = list_of(in_own_thread(work, list_of<raak::BenchRow>));
  if (!raised) return rows;
  if (PyObject_SetAttrString(raised->value().ptr(), "partial", rows.ptr()) != 0) PyErr_Clear();
  throw *raised;
}

raak::Explanation explain(const raak::Model& model, const py::dict& arguments) {
  const raak::Options options = options_of(arguments);
  return in_own_thread([&](const std::atomic<bool>& stop) { return raak::explain(model, options, &stop); },
                       [](const raak::Explanation&) { return py::none(); });
}

raak::Start assemble(const raak::Model& model, const py::dict& arguments) {
  const raak::Options options = options_of(arguments);
  const Running running;
  return model.assemble(options);
}

}  // namespace

void bind_study(py::module_& module) {
  py::class_<raak::Start>(module, "Start")
      .def_readonly("at", &raak::Start::at)
      .def_readonly("coordinates", &raak::Start::coordinates)
      .def_readonly("rows", &raak::Start::rows)
      .def_readonly("rank", &raak::Start::rank)
      .def_readonly("mobility", &raak::Start::mobility)
      .def_readonly("redundant_rows", &raak::Start::redundant_rows)
      .def_readonly("redundant", &raak::Start::redundant)
      .def_readonly("notes", &raak::Start::notes);
  py::class_<raak::Explanation>(module, "Explanation")
      .def_readonly("cause", &raak::Explanation::cause)
      .def_readonly("finding", &raak::Explanation::finding)
      .def_readonly("advice", &raak::Explanation::advice)
      .def_readonly("text", &raak::Explanation::text)
      .def_readonly("json", &raak::Explanation::json);
  module.def("assemble", &assemble, "model"_a, "arguments"_a);
  module.def("check", &check, "model"_a, "arguments"_a);
  module.def("bench", &bench, "model"_a, "methods"_a, "forms"_a, "rtol"_a, "run"_a, "until"_a, "done"_a);
  module.def("explain", &explain, "model"_a, "arguments"_a);
}

}  // namespace raak_python
