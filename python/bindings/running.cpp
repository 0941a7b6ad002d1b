#include "running.h"

#ifndef _WIN32
#include <pthread.h>
#endif

#include <string_view>
#include <thread>
#include <utility>

namespace raak_python {
namespace {

std::atomic<int> runs = 0;
thread_local int runs_of_this_thread = 0;
std::atomic<bool> exiting = false;
std::atomic<std::thread::id> exiting_thread;
thread_local int own_threads_of_this_one = 0;
thread_local Watch* watch_of_this_thread = nullptr;

// A process that was forked has no thread but the one that forked it.
void forget_other_threads() {
  runs = runs_of_this_thread;
}

// False, also that of numpy.
bool is_false(const py::object& answer) {
  if (answer.ptr() == Py_False) return true;
  return std::string_view(Py_TYPE(answer.ptr())->tp_name).starts_with("numpy.bool") && !answer.cast<bool>();
}

// The thread in which the interpreter exits may still use all, in what is registered for the exit.
bool must_end() {
  return exiting && std::this_thread::get_id() != exiting_thread.load();
}

}  // namespace

Running::Counted::Counted() {
  end_thread_if_exiting();
  ++runs;
  ++runs_of_this_thread;
}
Running::Counted::~Counted() {
  --runs_of_this_thread;
  --runs;
}
// The lock is taken back before the run counts as over.
Running::Running() = default;
Running::~Running() = default;

bool Watch::operator()(const raak::Progress& at) {
  if (must_end() || raised()) return false;
  const bool look = Clock::now() >= next_look_;
  if (progress_.is_none() && !look) return true;
  const py::gil_scoped_acquire lock;
  return ask(at);
}

int own_threads() {
  return own_threads_of_this_one;
}
OwnThread::OwnThread(int of) {
  constexpr int most = 8;
  if (of == most)
    throw raak::RequestError(
        "check, bench, explain or sweep is called by a function that it calls: its own functions cannot use the model "
        "meanwhile. Give a function the numbers that it needs before");
  own_threads_of_this_one = of + 1;
}

Watch::OfThisThread::OfThisThread(Watch& watch) : before_(std::exchange(watch_of_this_thread, &watch)) {}
Watch::OfThisThread::~OfThisThread() {
  watch_of_this_thread = before_;
}

bool Watch::takes(py::error_already_set& error) {
  Watch* const watch = watch_of_this_thread;
  if (watch == nullptr || watch->raised() || !error.matches(PyExc_KeyboardInterrupt)) return false;
  error.restore();
  watch->keep();
  return true;
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
    satisfied_ = is_false(answer);
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
  if (!must_end()) return;
  PyErr_SetNone(PyExc_SystemExit);
  throw py::error_already_set();
}

void bind_running(py::module_& module) {
  module.def("_stop_all", [] {
    exiting_thread = std::this_thread::get_id();
    exiting = true;
    const py::gil_scoped_release released;
    while (runs > 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  });
#ifndef _WIN32
  pthread_atfork(nullptr, nullptr, forget_other_threads);
#endif
  py::module_::import("atexit").attr("register")(module.attr("_stop_all"));
}

}  // namespace raak_python
