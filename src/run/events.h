// Events: a function of the state reaches zero on the way. Found between the nodes of the dense output and located by
// the ITP method (Oliveira and Takahashi, ACM Trans. Math. Softw. 47 (2021) 5), which never needs more than bisection
// + 1.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "methods/method.h"
#include "system/constrained_system.h"

namespace raak {

struct Event {
  enum class Direction { up, down, any };  // of the function, as the run meets it: backwards runs meet it in reverse
  enum class Action { record, stop };      // stop: the run ends exactly there

  std::string name;
  std::function<double(const State&)> value;
  Direction direction = Direction::any;
  Action action = Action::record;
};

struct EventRecord {
  std::string name;
  State state;  // of the dense output, with its time, accelerations and multipliers
};

// A root of `value` between a and b, where it has the signs of value_a and value_b; within `tolerance`.
double find_root(const std::function<double(double)>& value, double a, double value_a, double b, double value_b,
                 double tolerance);

// Looks for events step by step. Uses the heap only when there is one.
class EventWatch {
 public:
  // A function that is zero at the start, or within 1e-12 of the first step after it, is no event there.
  EventWatch(const ConstrainedSystem& system, const std::vector<Event>& events, const State& start);

  // Appends what happened in the step that was just accepted, in the order in which the run meets it; true: the last
  // one ends the run.
  bool after_step(Integrator& step, std::vector<EventRecord>& records);

 private:
  struct Crossing {
    std::size_t event;
    double t;
  };
  // The dense output at t, with accelerations and multipliers.
  const State& between(double t, Integrator& step);
  void look(std::size_t event, double t, double value, Integrator& step);

  const ConstrainedSystem& system_;
  const std::vector<Event>& events_;
  double start_, before_;       // s: of the run, of the step
  double node_;                 // s: where values_ were taken
  std::vector<double> values_;  // 0: the side is not known, so that leaving it is no event
  State between_;
  std::vector<Crossing> crossings_;
};

}  // namespace raak
