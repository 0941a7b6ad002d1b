// Sweeps: run by threads of the library while the one that asks looks for Ctrl-C and shows how far they are.
#include "running.h"

namespace raak_python {
namespace {

raak::SweepOptions options_of_sweep(const py::dict& arguments) {
  raak::SweepOptions options;
  const auto take = [&](const char* name, auto& value) {
    if (arguments.contains(name)) value = arguments[name].cast<std::decay_t<decltype(value)>>();
  };
  take("folder", options.folder);
  take("resume", options.resume);
  take("exact", options.exact);
  take("threads", options.threads);
  take("shard", options.shard);
  take("shards", options.shards);
  return options;
}

// `progress`: called as progress(cases, failed, planned) now and then, or None; what it raises, or False, ends the
// sweep. `warn`: called with each warning.
template <class Work>
raak::Sweep run_sweep(const Work& work, const py::dict& arguments, const py::object& progress, const py::object& warn) {
  raak::SweepOptions options = options_of_sweep(arguments);
  std::atomic<std::uint64_t> done = 0, failed = 0, planned = 0;
  options.begins = [&](std::uint64_t cases) { planned = cases; };
  options.case_done = [&](bool has_failed) {
    done.fetch_add(1, std::memory_order_relaxed);
    if (has_failed) failed.fetch_add(1, std::memory_order_relaxed);
  };
  std::mutex warning;
  std::vector<std::string> warnings;
  options.warning = [&](const std::string& text) {
    const std::scoped_lock lock(warning);
    warnings.push_back(text);
  };
  py::object shown = py::none();
  if (!progress.is_none())
    shown = py::cpp_function(
        [&](double, double, double, long) { return progress(done.load(), failed.load(), planned.load()); });
  raak::Sweep sweep = in_own_thread(
      [&](const std::atomic<bool>& stop) {
        options.stop = &stop;
        return work(options);
      },
      [](const raak::Sweep& partial) { return py::cast(partial); }, shown);
  for (const std::string& text : warnings) warn(text);
  return sweep;
}

py::list columns_of(const std::vector<raak::SweepColumn>& columns) {
  py::list list;
  for (const raak::SweepColumn& column : columns) list.append(py::make_tuple(column.name, column.unit, column.width));
  return list;
}

}  // namespace

void bind_sweep(py::module_& module) {
  using raak::Sweep;
  const py::call_guard<Running> unlocked;
  py::class_<Sweep>(module, "Sweep")
      .def("planned", &Sweep::planned)
      .def("complete", &Sweep::complete)
      .def("cases", [](const Sweep& sweep) { return view(sweep, [](const auto& kept) { return kept.cases(); }); })
      .def("varied", [](const Sweep& sweep) { return columns_of(sweep.varied()); })
      .def("kept", [](const Sweep& sweep) { return columns_of(sweep.kept()); })
      .def(
          "column",
          [](const Sweep& sweep, const std::string& name) {
            return view(sweep, [&](const auto& kept) { return kept[name]; });
          },
          "name"_a)
      .def("outcomes", [](const Sweep& sweep) { return view(sweep, [](const auto& kept) { return kept.outcomes(); }); })
      .def("causes",
           [](const Sweep& sweep) {
             py::list list;
             for (const raak::SweepCause& each : sweep.causes())
               list.append(py::dict("cause"_a = each.cause, "cases"_a = each.cases, "first_case"_a = each.first_case,
                                    "message"_a = each.message));
             return list;
           })
      .def("times",
           [](const Sweep& sweep) { return view(sweep, [](const auto& kept) { return std::span(kept.times()); }); })
      .def("shape", &Sweep::shape)
      .def("summary", &Sweep::summary, unlocked)
      .def("page", &Sweep::page, unlocked)
      .def("table", &Sweep::table, "path"_a, unlocked)
      .def(
          "run",
          [](const Sweep& sweep, std::uint64_t number, const py::object& progress) {
            return watched([&](const auto& watch) { return sweep.run(number, watch); }, progress);
          },
          "number"_a, "progress"_a)
      .def("plan", &Sweep::plan)
      .def("save", &Sweep::save, "path"_a, unlocked);
  module.def(
      "sweep",
      [](const raak::Model& model, const std::string& plan, const std::string& table, const py::dict& arguments,
         const py::object& progress, const py::object& warn) {
        return run_sweep([&](const auto& options) { return raak::sweep(model, plan, options, table); }, arguments,
                         progress, warn);
      },
      "model"_a, "plan"_a, "table"_a, "arguments"_a, "progress"_a, "warn"_a);
  module.def(
      "sweep_file",
      [](const std::string& path, const py::dict& arguments, const py::object& progress, const py::object& warn) {
        return run_sweep([&](const auto& options) { return raak::sweep(path, options); }, arguments, progress, warn);
      },
      "path"_a, "arguments"_a, "progress"_a, "warn"_a);
  module.def("load_sweep", &raak::load_sweep, "folder"_a, unlocked);
}

}  // namespace raak_python
