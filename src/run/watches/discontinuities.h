// Steps that end at jumps. Where a force changes its branch (ConstrainedSystem::switches) no formula of high order
// holds across it, and an error estimate need not notice: a jump between the last node of a step and its end shows
// nowhere. So steps are laid such that they end just before the zero of a switching function, which is foreseen on the
// parabola q + v tau + a tau^2/2; the last millionth of a step follows the parabola itself, and the method goes on
// behind it. Hairer, Norsett and Wanner I, section II.6 (discontinuous equations); Esposito and Kumar, ACM Trans.
// Model. Comput. Simul. 17 (2007) 1 (approaching from one side).
#pragma once
#include <vector>

#include "methods/resumable.h"
#include "run/run_state.h"
#include "run/watches/watch.h"
#include "system/constrained_system.h"

namespace raak {

class DiscontinuityWatch final : public Watch {
 public:
  // Of a run over `span` seconds.
  DiscontinuityWatch(const ConstrainedSystem& system, const State& start, double first_step, double span);

  // Before a step: if a jump is due at once, moves the state across it. The step to try next is then step(). A jump at
  // the end of the run is not crossed: the state goes there with the accelerations of this side.
  bool cross(State& state, double until);
  double step() const { return regular_; }
  // Makes the step end before the jump that the motion heads for.
  void before_step(RunState& run) override;
  void after_attempt(RunState& run, Attempt& attempt) override;
  // Whether a switch is crossed to and fro without end, as by dry friction that sticks.
  bool is_stuck() const;

  void visit_state(Archive& archive) override {
    archive(switches_, values_, q_, v_, t_, direction_, regular_, foreseen_, approaching_, at_start_);
    scratch(system_, span_);
  }

 private:
  struct Switch {
    int sign = 0;             // on this side; 0: not known yet
    double crossed_at = 0.0;  // s
    int rapid_crossings = 0;  // crossings that came right after one another
    double pause = 0.0;       // s: how long it was left alone last
    double ignored_until = 0.0;
    bool ignored = false;
  };
  // What to try instead of a step h from here.
  double before_discontinuity(const State& now, double h, double until);
  // Whether a step that ends here has gone past a jump that was not foreseen, or ends the run on one, and should be
  // shorter.
  bool is_passed_by(const State& now, const State& end, double until);
  double reach() const;  // s: the part of a step that follows the parabola
  void look(double t, const Vector& q, const Vector& v);
  void move(const State& from, double tau);
  bool any_changed() const;
  bool has_changed_after(const State& from, double tau);
  double find_change(const State& from, double before, double after);
  int looks_along(double h) const;
  void learn_signs(const State& now);
  bool leave_start(State& state);
  bool end_run(State& state, double until);
  void take_over(State& state);
  void note_crossing(Switch& each, double t) const;

  const ConstrainedSystem& system_;
  std::vector<Switch> switches_;
  Vector values_, q_, v_;
  double t_ = 0.0, span_;
  double direction_ = 1.0;
  double regular_ = 0.0;   // s, signed: the step that the method wants where no jump is near
  double foreseen_ = 0.0;  // s: when the next jump is due
  bool approaching_ = false, at_start_ = true;
};

// The way across a jump as a step, for whoever looks at steps: a parabola.
class Crossing final : public Integrator {
 public:
  Crossing(const State& from, const State& to, const Integrator& method) : from_(from), to_(to), method_(method) {
    statistics() = method.statistics();
  }
  double begin(const State&, double) override { return 0.0; }
  Attempt attempt(double) override { return {}; }
  double accept() override { return 0.0; }
  const State& current() const override { return to_; }
  const State& attempted() const override { return to_; }
  void interpolate(double t, Vector& q, Vector& v) override;
  int order() const override { return 2; }
  const IndependentCoordinates* independent_coordinates() const override { return method_.independent_coordinates(); }

 private:
  const State& from_;
  const State& to_;
  const Integrator& method_;
};

// Behind a jump: with steps as before it, but for methods that must build up their order again. Returns the next step.
double go_on_from(Integrator& method, const State& state, double until, double step);

// Why a run does not get on where DiscontinuityWatch::is_stuck().
void blame_switch(Diagnosis& diagnosis);

}  // namespace raak
