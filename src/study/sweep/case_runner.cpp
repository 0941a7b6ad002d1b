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
#include "system/turn_gauge.h"

namespace raak {

// A model that is ready to run, with what is gathered of its runs.
struct CaseRunner::Prepared {
  Prepared(const SweptModel& swept, Model built, const std::atomic<bool>* stop)
      : model(std::move(built)), kept(swept, *model.system), plan(plan_of(swept.run, model)) {
    plan.events = kept.wanted_events(std::move(plan.events));
    plan.measure_quality = kept.needs_balance();
    plan.sums_up = false;
    plan.stop = stop;
    if (kept.needs_balance()) observer = [this](const Sample& sample) { kept.sample(sample.state, sample.outputs); };
    if (kept.needs_steps()) step_ended = [this](const SeenStep& seen) { kept.step(seen); };
  }
  Prepared(const Prepared&) = delete;
  Prepared& operator=(const Prepared&) = delete;

  Model model;
  KeptValues kept;
  Plan plan;
  Observer observer;
  StepEnd step_ended;
  State start;
  std::shared_ptr<const Assembly> assembled;  // that `start` comes from; null: no other case begins there
  std::unique_ptr<Integrator> method;         // of the case before; null: it is made

  // Of the model as it is asked for: where its assembly is that of the case before, so are the positions and velocities
  // that it has found, and they have been looked at.
  void start_where_it_is() {
    if (model.assembly && model.assembly == assembled && complete_regular_start(*model.system, start)) return;
    assembled.reset();
    begin_at(consistent_start(model));
    // Centres of angles follow more than positions; and in a singular configuration accelerations come from elsewhere.
    State again = start;
    if (turn_gauge_of(*model.system) == nullptr && complete_regular_start(*model.system, again) && again.a == start.a &&
        again.lambda == start.lambda)
      assembled = model.assembly;
  }
  void begin_at(const State& found) {
    require_plan(*model.system, found, plan);
    start = completed_start(*model.system, found);
  }

  Result run() {
    RunLoop loop(*model.system, start, plan, observer, std::move(method));
    if (step_ended) loop.show_steps_to(step_ended);
    Result result = loop.run();
    method = loop.take_method();
    return result;
  }
};

CaseRunner::CaseRunner(const SweptModel& swept, bool exact, const std::atomic<bool>* stop)
    : swept_(swept), exact_(exact), stop_(stop), numbers_(swept.roles.size()) {
  for (std::size_t k = 0; k < swept_.roles.size(); ++k)
    if (swept_.roles[k].kind == Role::Kind::parameter) parameters_.emplace_back(swept_.design.factors()[k].name, 0.0);
  if (!exact_) build_shared();
}

CaseRunner::~CaseRunner() = default;

std::unique_ptr<CaseRunner::Prepared> CaseRunner::built(std::span<const double> numbers) const {
  return std::make_unique<Prepared>(swept_, swept_.source.build(swept_.parameters_of(numbers), swept_.form), stop_);
}

// At typical values, or where these have no start at one of the first cases; where they have none either every case is
// built anew.
void CaseRunner::build_shared() {
  constexpr std::uint64_t most_tries = 16;
  shared_ = built(swept_.typical);
  bool begun = begin_at(swept_.typical);
  std::vector<double> numbers(swept_.roles.size());
  for (std::uint64_t i = 0; !begun && i < std::min(most_tries, swept_.design.cases()); ++i) {
    swept_.design.numbers(i, numbers);
    begun = set_in_place(numbers) && begin_at(numbers);
  }
  if (!begun) shared_.reset();
  else if (shared_->model.live) decisions_ = shared_->model.live->decisions();
}

bool CaseRunner::begin_at(std::span<const double> numbers) {
  const Model& model = shared_->model;
  try {
    const State start = consistent_start(model, start_of(model, numbers));
    Vector a(model.system->coordinates());
    model.system->accelerate(start.t, start.q.data(), start.v.data(), a.data(), nullptr);
    return true;
  } catch (const Error&) {
    return false;
  }
}

void CaseRunner::keep_to_what_was_built() {
  if (!shared_ || !shared_->model.live || parameters_.empty() || shared_->model.live->decisions() == decisions_) return;
  ++built_anew_;
  build_shared();
}

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
  prepared.method.reset();
  prepared.assembled.reset();
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
    own_ = built(numbers);
    prepared = own_.get();
  }
  plan_case(*prepared, numbers);
  return *prepared;
}

CaseOutcome CaseRunner::run(std::uint64_t i, std::span<double> values) {
  std::fill(values.begin(), values.end(), std::numeric_limits<double>::quiet_NaN());
  keep_to_what_was_built();
  swept_.design.numbers(i, numbers_);
  try {
    Prepared& prepared = prepared_for(numbers_);
    if (swept_.varies_start()) prepared.begin_at(consistent_start(prepared.model, start_of(prepared.model, numbers_)));
    else prepared.start_where_it_is();
    refuse_structure(prepared.model, prepared.start, "raak assemble " + swept_.source.name);
    prepared.kept.begin(prepared.start, prepared.plan.until, values);
    const Result result = prepared.run();
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
  keep_to_what_was_built();
  swept_.design.numbers(i, numbers_);
  Case found{prepared_for(numbers_).model, swept_.run_of(numbers_), swept_.parameters_of(numbers_), numbers_};
  found.model.start = start_of(found.model, numbers_);
  return found;
}

}  // namespace raak
