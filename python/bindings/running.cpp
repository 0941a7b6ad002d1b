#include "running.h"

#include <thread>

namespace raak_python {
namespace {

std::atomic<int> runs = 0;
std::atomic<bool> exiting = false;

}  // namespace

Running::Counted::Counted() {
  if (exiting) throw raak::RequestError("the interpreter is exiting: no run begins any more");
  ++runs;
}
Running::Counted::~Counted() {
  --runs;
}
// The lock is taken back before the run counts as over.
Running::Running() = default;
Running::~Running() = default;

bool Watch::operator()(const raak::Progress& at) {
  if (exiting) return false;
  const bool look = Clock::now() >= next_look_;
  if (progress_.is_none() && !look) return true;
  const py::gil_scoped_acquire lock;
  return ask(at);
}

bool Watch::ask(const raak::Progress& at) {
  next_look_ = Clock::now() + std::chrono::milliseconds(20);
  if (PyErr_CheckSignals() != 0) {
    keep();
    return false;
  }
  if (progress_.is_none()) return true;
  try {
    const py::object answer = progress_(at.t, at.start, at.until, at.steps);
    satisfied_ = answer.ptr() == Py_False;
    return !satisfied_;
  } catch (py::error_already_set& error) {
    error.restore();
    keep();
    return false;
  }
}

void Watch::keep() {
  PyObject *type = nullptr, *value = nullptr, *trace = nullptr;
  PyErr_Fetch(&type, &value, &trace);
  PyErr_NormalizeException(&type, &value, &trace);
  if (trace != nullptr) PyException_SetTraceback(value, trace);
  raised_ = py::reinterpret_steal<py::object>(value);
  Py_XDECREF(type);
  Py_XDECREF(trace);
}

void Watch::raise(const py::object& partial) {
  if (PyObject_SetAttrString(raised_.ptr(), "partial", partial.ptr()) != 0) PyErr_Clear();
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(raised_.ptr())), raised_.ptr());
  throw py::error_already_set();
}

void end_thread_if_exiting() {
  if (!exiting) return;
  PyErr_SetNone(PyExc_SystemExit);
  throw py::error_already_set();
}

void bind_running(py::module_& module) {
  module.def("_stop_all", [] {
    exiting = true;
    const py::gil_scoped_release released;
    while (runs > 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  });
  py::module_::import("atexit").attr("register")(module.attr("_stop_all"));
}

}  // namespace raak_python
