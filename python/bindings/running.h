// A run while Python waits for it: the interpreter lock is free, Ctrl-C stops it, and an interpreter that exits stops
// all of them.
#pragma once
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

#include "bindings.h"

namespace raak_python {

// While one lives, this thread is in the library without the interpreter lock, and an interpreter that exits waits.
class Running {
 public:
  Running();
  ~Running();
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

 private:
  struct Counted {
    Counted();
    ~Counted();
  } counted_;  // until the lock is back: a thread that asks for it after the exit ends the process
  py::gil_scoped_release released_;
};

// For Options::progress: looks for Ctrl-C now and then, calls `progress` if it is not None, and keeps what Python
// raises there until the run has ended.
class Watch {
 public:
  explicit Watch(py::object progress) : progress_(std::move(progress)) {}
  bool operator()(const raak::Progress& at);

  // While one lives, a KeyboardInterrupt in a function of Python that the run calls in this thread goes to the watch.
  class OfThisThread {
   public:
    explicit OfThisThread(Watch& watch);
    ~OfThisThread();
    OfThisThread(const OfThisThread&) = delete;
    OfThisThread& operator=(const OfThisThread&) = delete;

   private:
    Watch* before_;
  };
  // With the lock; false: there is no watch, or it has been interrupted before.
  static bool takes(py::error_already_set& error);

  // With the interpreter lock: raises what was raised meanwhile, with `partial` attached.
  void raise(const py::object& partial);
  bool raised() const { return static_cast<bool>(raised_); }
  // The function has asked for an end.
  bool satisfied() const { return satisfied_; }

 private:
  bool ask(const raak::Progress& at);
  void keep();

  using Clock = std::chrono::steady_clock;
  py::object progress_;
  Clock::time_point next_look_ = Clock::now() + std::chrono::milliseconds(20);
  py::object raised_;
  bool satisfied_ = false;
};

// The interpreter exits, and has stopped all runs: their threads end without a word.
void end_thread_if_exiting();

// The result of `work`, which is given what it calls after each step. Where it was stopped by Ctrl-C or an exception of
// `progress` that is raised, with the partial result attached; where `progress` asked for an end this is the result.
template <class Work>
py::object watched(const Work& work, const py::object& progress) {
  Watch watch(progress);
  try {
    std::optional<raak::Result> result;
    {
      const Watch::OfThisThread watching(watch);
      const Running running;
      result.emplace(work([&](const raak::Progress& at) { return watch(at); }));
    }
    if (watch.raised()) watch.raise(py::cast(*std::move(result)));
    return py::cast(*std::move(result));
  } catch (const raak::SolveError& error) {
    end_thread_if_exiting();
    if (!watch.raised() && !watch.satisfied()) throw;
    const py::object partial = error.partial() != nullptr ? py::cast(*error.partial()) : py::none();
    if (watch.raised()) watch.raise(partial);
    return partial;
  }
}

// How many threads of in_own_thread() have led to this one: a function of a model may ask for the like again.
int own_threads();
// For the thread that `of` threads have led to; refuses too many.
class OwnThread {
 public:
  explicit OwnThread(int of);
};

// `work` in a thread of its own, while this one looks for Ctrl-C and sets what `work` is given; whatever Python or the
// library raises there is raised here. KeyboardInterrupt has as its `partial` what `partial` makes of what `work` had
// by then. `progress`: called meanwhile as that of a Watch, or None.
template <class Work, class Partial>
auto in_own_thread(const Work& work, const Partial& partial, const py::object& progress = py::none()) {
  std::atomic<bool> stop = false;
  std::optional<decltype(work(stop))> result;
  std::exception_ptr error;
  Watch watch{progress};
  const int before = own_threads();
  {
    const Running running;
    std::mutex mutex;
    std::condition_variable ended;
    bool over = false;
    std::thread worker([&] {
      try {
        const OwnThread own(before);
        result.emplace(work(stop));
      } catch (...) {
        error = std::current_exception();
      }
      const std::scoped_lock lock(mutex);
      over = true;
      ended.notify_one();
    });
    std::unique_lock lock(mutex);
    while (!ended.wait_for(lock, std::chrono::milliseconds(20), [&] { return over; })) {
      lock.unlock();
      if (!stop && !watch(raak::Progress())) stop = true;
      lock.lock();
    }
    lock.unlock();
    worker.join();
  }
  end_thread_if_exiting();
  if (watch.raised()) watch.raise(result ? py::object(partial(*result)) : py::none());
  if (error) std::rethrow_exception(error);
  return *std::move(result);
}

// `work`, a call of Python with the lock. Ctrl-C raises KeyboardInterrupt in whatever Python does: `work` is done once
// more, and the run ends after this step with its result so far. A second Ctrl-C ends it at once.
template <class Work>
void call_within_run(const Work& work) {
  try {
    work();
  } catch (py::error_already_set& error) {
    if (!Watch::takes(error)) throw;
    work();
  }
}

void bind_running(py::module_& module);

}  // namespace raak_python
