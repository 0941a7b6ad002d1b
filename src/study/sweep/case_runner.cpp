#include "study/sweep/case_runner.h"

#include <cmath>
#include <limits>

#include "base/error.h"
#include "kinematics/start/start_failure.h"
#include "run/diagnosis/diagnosis.h"
#include "run/plan_checks.h"
#include "run/run_loop.h"
#include "run/run_request.h"
#include "study/model_run.h"

namespace raak {

// A model that is ready to run, with what is gathered of its runs.
struct CaseRunner::Prepared {
  Prepared(const SweptModel& swept, Model built, const std::atomic<bool>* stop)
      : model(std::move(built)), kept(swept, *model.system), plan(plan_of(swept.run, model)) {
    plan.events = kept.wanted_events(std::move(plan.events));
    plan.measure_quality = kept.needs_balance();
    plan.stop = stop;
    if (kept.needs_balance()) observer = [this](const Sample& sample) { kept.sample(sample.state, sample.outputs); };
    if (kept.needs_steps())
      step_ended = [this](double from, const State& reached, Integrator& step) { kept.step(from, reached, step); };
  }
  Prepared(const Prepared&) = delete;
  Prepared& operator=(const Prepared&) = delete;

  Model model;
  KeptValues kept;
  Plan plan;
  Observer observer;
  StepEnd step_ended;

  Result run(const State& start) const {
    require_plan(*model.system, start, plan);
    RunLoop loop(*model.system, completed_start(*model.system, start), plan, observer);
    if (step_ended) loop.show_steps_to(step_ended);
    return loop.run();
  }
};

CaseRunner::CaseRunner(const SweptModel& swept, bool exact, const std::atomic<bool>* stop)
    : swept_(swept), exact_(exact), stop_(stop), numbers_(swept.roles.size()) {
  for (std::size_t k = 0; k < swept_.roles.size(); ++k)
    if (swept_.roles[k].kind == Role::Kind::parameter) parameters_.emplace_back(swept_.design.factors()[k].name, 0.0);
  if (!exact_)
    shared_ = std::make_unique<Prepared>(swept_, swept_.source.build(swept_.parameters_of(swept_.typical), swept_.form),
                                         stop_);
}

CaseRunner::~CaseRunner() = default;

bool CaseRunner::set_in_place(std::span<const double> numbers) {
  if (!shared_) return false;
  if (parameters_.empty()) return true;
  if (!shared_->model.live) return false;
  std::size_t next = 0;
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    if (swept_.roles[k].kind != Role::Kind::parameter) continue;
    const Range range = swept_.roles[k].range;
    // What a parameter cannot be is refused where the model is built.
    if ((range == Range::positive && !(numbers[k] > 0.0)) || (range == Range::not_negative && !(numbers[k] >= 0.0)))
      return false;
    parameters_[next++].second = numbers[k];
  }
  return shared_->model.live->set(shared_->model, parameters_);
}

StartRequest CaseRunner::start_of(const Model& model, std::span<const double> numbers) const {
  StartRequest start = model.start;
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    if (swept_.roles[k].kind == Role::Kind::position) start.q[swept_.roles[k].place] = numbers[k];
    if (swept_.roles[k].kind == Role::Kind::velocity) start.v[swept_.roles[k].place] = numbers[k];
  }
  return start;
}

void CaseRunner::plan_case(Prepared& prepared, std::span<const double> numbers) const {
  if (!swept_.varies_settings()) return;
  const Plan asked = plan_of(swept_.run_of(numbers), prepared.model);
  prepared.plan.tolerances = asked.tolerances;
  prepared.plan.until = asked.until;
  prepared.plan.first_step = asked.first_step;
  prepared.plan.fixed_step = asked.fixed_step;
}

CaseRunner::Prepared& CaseRunner::prepared_for(std::span<const double> numbers) {
  Prepared* prepared = shared_.get();
  if (!set_in_place(numbers)) {
    ++built_anew_;
    own_.reset();
    own_ = std::make_unique<Prepared>(swept_, swept_.source.build(swept_.parameters_of(numbers), swept_.form), stop_);
    prepared = own_.get();
  }
  plan_case(*prepared, numbers);
  return *prepared;
}

CaseOutcome CaseRunner::run(std::uint64_t i, std::span<double> values) {
  std::fill(values.begin(), values.end(), std::numeric_limits<double>::quiet_NaN());
  swept_.design.numbers(i, numbers_);
  try {
    Prepared& prepared = prepared_for(numbers_);
    const State start = swept_.varies_start() ? consistent_start(prepared.model, start_of(prepared.model, numbers_))
                                              : consistent_start(prepared.model);
    refuse_structure(prepared.model, start, swept_.source.name);
    prepared.kept.begin(start, prepared.plan.until, values);
    const Result result = prepared.run(start);
    prepared.kept.finish(result);
    if (result.termination == Termination::ok) return {};
    const auto cause = result.diagnosis ? result.diagnosis->cause : Diagnosis::Cause::none;
    return {cause_name(cause), result.message, result.termination == Termination::interrupted};
  } catch (const StartFailure& failure) {
    return {"no start", failure.what()};
  } catch (const Error& error) {
    return {error.kind() == ErrorKind::computation ? "no start" : "refused", error.what()};
  }
}

CaseRunner::Case CaseRunner::prepare(std::uint64_t i) {
  swept_.design.numbers(i, numbers_);
  Case found{prepared_for(numbers_).model, swept_.run_of(numbers_), swept_.parameters_of(numbers_), numbers_};
  found.model.start = start_of(found.model, numbers_);
  return found;
}

}  // namespace raak
