// Results: columns as arrays that own what they show, moments, and what is written.
#include "running.h"

namespace raak_python {
namespace {

// Columns at many times, one row of the array each.
py::array at_times(const raak::Result& result, const std::vector<double>& times) {
  auto values = std::make_shared<std::vector<double>>();
  {
    const Running released;
    *values = result.at(std::span<const double>(times));
  }
  const auto count = static_cast<py::ssize_t>(times.size());
  return view(std::span<const double>(*values), values)
      .reshape({static_cast<py::ssize_t>(result.names().size()), count});
}

}  // namespace

void bind_result(py::module_& module) {
  using raak::Result;
  const py::call_guard<Running> unlocked;
  py::class_<raak::Moment>(module, "Moment")
      .def("names", &raak::Moment::names)
      .def("t", &raak::Moment::t)
      .def(
          "get", [](const raak::Moment& moment, const std::string& name) { return moment[name]; }, "name"_a)
      .def("values", [](const raak::Moment& moment) { return view(moment.values(), moment); });
  py::class_<raak::Statistics>(module, "Statistics")
      .def_readonly("steps", &raak::Statistics::steps)
      .def_readonly("accepted", &raak::Statistics::accepted)
      .def_readonly("rejected", &raak::Statistics::rejected)
      .def_readonly("evaluations", &raak::Statistics::evaluations)
      .def_readonly("jacobians", &raak::Statistics::jacobians)
      .def_readonly("factorizations", &raak::Statistics::factorizations)
      .def_readonly("cpu_seconds", &raak::Statistics::cpu_seconds)
      .def("__repr__", [](const py::object& shown) {
        std::string text;
        for (const char* name :
             {"steps", "accepted", "rejected", "evaluations", "jacobians", "factorizations", "cpu_seconds"})
          text += (text.empty() ? "" : ", ") + std::string(name) + "=" + std::string(py::repr(shown.attr(name)));
        return "<raak.Statistics " + text + ">";
      });
  py::class_<Result>(module, "Result")
      .def("names", &Result::names)
      .def(
          "place", [](const Result& result, const std::string& name) { return result.place(name); }, "name"_a)
      .def(
          "column", [](const Result& result, const std::string& name) { return view(result[name], result); }, "name"_a)
      .def(
          "at", [](const Result& result, double t) { return result.at(t); }, "t"_a, unlocked)
      .def("at_times", &at_times, "times"_a)
      .def("start", &Result::start, unlocked)
      .def("end", &Result::end, unlocked)
      .def("status", &Result::status)
      .def("message", &Result::message)
      .def("method", &Result::method)
      .def("form", &Result::form)
      .def("warnings", &Result::warnings)
      .def("statistics", &Result::statistics)
      .def("brief", &Result::brief, unlocked)
      .def("json", &Result::json, unlocked)
      .def("report", &Result::report, "path"_a, unlocked)
      .def("save", &Result::save, "folder"_a, unlocked);
}

}  // namespace raak_python
