// Results: columns as arrays that own what they show, moments, and what is written.
#include <algorithm>

#include "running.h"

namespace raak_python {
namespace {

// Columns at many times, one row of the array each. Ctrl-C ends it.
py::array at_times(const raak::Result& result, const std::vector<double>& times) {
  constexpr std::size_t at_once = 1024;
  const std::size_t columns = result.names().size(), count = times.size();
  std::vector<double> values(columns * count);
  Watch watch{py::none()};
  {
    const Running released;
    const std::span<const double> all(times);
    for (std::size_t from = 0; from < count && watch(raak::Progress()); from += at_once) {
      const std::size_t some = std::min(at_once, count - from);
      const std::vector<double> part = result.at(all.subspan(from, some));
      for (std::size_t j = 0; j < columns; ++j)
        std::copy_n(part.begin() + static_cast<std::ptrdiff_t>(j * some), some,
                    values.begin() + static_cast<std::ptrdiff_t>(j * count + from));
    }
  }
  end_thread_if_exiting();
  if (watch.raised()) watch.raise(py::none());
  return view(std::move(values), [](const auto& kept) { return std::span(kept); })
      .reshape({static_cast<py::ssize_t>(columns), static_cast<py::ssize_t>(count)});
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
      .def("values",
           [](const raak::Moment& moment) { return view(moment, [](const auto& kept) { return kept.values(); }); });
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
          "column",
          [](const Result& result, const std::string& name) {
            return view(result, [&](const auto& kept) { return kept[name]; });
          },
          "name"_a)
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
