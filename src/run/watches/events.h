// Events: a function of the state reaches zero on the way. Each step is looked at on nodes that are halved until the
// function holds no surprises between them, halfway and at odd places where no vibration keeps time with the nodes,
// with its turning points, and a change of sign is located by the ITP method (Oliveira and Takahashi, ACM Trans. Math.
// Softw. 47 (2021) 5), which never needs more than bisection + 1. Of a function that stays zero the event is the first
// time at which it is.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "methods/resumable.h"
#include "run/watches/watch.h"
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

inline void visit_state(Archive& archive, EventRecord& event) {
  archive(event.name, event.state);
}

// A root of `value` between a and b, where it has the signs of value_a and value_b; within `tolerance`.
double find_root(const std::function<double(double)>& value, double a, double value_a, double b, double value_b,
                 double tolerance);
// The first time at which a function is zero that stays zero from then on until b, where it is, but not at a.
double first_zero(const std::function<double(double)>& value, double a, double b, double tolerance);

inline constexpr std::size_t most_places_of_events = 1024;  // of a step, at which their functions are looked at

// Looks for events step by step. Uses the heap only when there is one.
class EventWatch final : public Watch {
 public:
  // A function that is zero at the start, or within 1e-12 of the first step after it, is no event there. Neither is a
  // pole, or a change of sign across times where the function is not defined.
  EventWatch(const ConstrainedSystem& system, const std::vector<Event>& events, const State& start);

  // Records what happened in the step, in the order in which the run meets it.
  void after_step(RunState& run, Integrator& step) override;
  // Warns of events that may be missed: where they have no value, or vary too fast.
  void conclude(RunState& run) override;

  void visit_state(Archive& archive) override {
    archive(start_, before_, times_, values_, undefined_since_, too_fast_since_);
    scratch(system_, events_, between_, crossings_);
  }

 private:
  struct Crossing {
    std::size_t event;
    double t;
  };
  // The dense output at t, with accelerations and multipliers.
  const State& between(double t, Integrator& step);
  double value(std::size_t event, const State& state);
  double value(std::size_t event, double t, Integrator& step);
  void sample(Integrator& step);
  void halve(Integrator& step);
  void resolve(Integrator& step);
  bool find_crossings(Integrator& step, std::vector<EventRecord>& records);
  bool is_resolved(std::size_t event, Integrator& step);
  bool is_surprising_at_odd_places(std::size_t event, Integrator& step);
  void look(std::size_t event, Integrator& step);
  bool is_same_touch(std::size_t event, double root, Integrator& step);
  void cross(std::size_t event, double a, double value_a, double b, double value_b, Integrator& step);

  const ConstrainedSystem& system_;
  const std::vector<Event>& events_;
  double start_, before_;                    // s: of the run, of the step
  std::vector<double> times_;                // of the nodes in the step, the first its start
  std::vector<std::vector<double>> values_;  // at the nodes, for each event; NaN: not defined there
  State between_;
  std::vector<Crossing> crossings_;
  std::vector<double> undefined_since_, too_fast_since_;  // s, for each event; nan: never
};

}  // namespace raak
