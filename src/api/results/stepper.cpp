// raak::Stepper: the loop of a run, one accepted step a call.
#include <raak/errors.h>
#include <raak/stepper.h>

#include <limits>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "api/owned_mutex.h"
#include "api/results/result_data.h"
#include "api/results/solve_error.h"
#include "base/text/text.h"
#include "run/plan_checks.h"
#include "run/run_loop.h"
#include "run/run_request.h"
#include "study/model_run.h"

namespace raak_v0 {

using detail::BuiltModel;
using detail::DenseStep;
using detail::ModelData;
using detail::OwnedMutex;

class Stepper::Impl {
 public:
  Impl(const ModelData& data, const Options& options)
      : reading_(data),
        asked_(detail::asked_run(data.source(), options)),
        built_(detail::restarted(data.built(asked_, asked_.form), options)),
        plan_(plan()),
        observer_([this](const core::Sample& sample) { see(sample); }),
        now_(built_->columns, {}),
        loop_(*built_->model.system, begin(), plan_, observer_) {
    loop_.begin();
    before_ = now_.t();
    require_going();
  }

  bool step() {
    const std::scoped_lock lock(stepping_);
    const double from = now_.t();
    inside_.clear();
    loop_.advance();
    if (loop_.so_far().termination != core::Termination::ok || inside_.empty()) reading_.reset();
    require_going();
    if (inside_.empty()) return false;
    before_ = from;
    return true;
  }
  double before() const { return before_; }
  const Moment& now() const { return now_; }
  Statistics statistics() const { return detail::public_statistics(loop_.statistics()); }

  Moment at(double t) const {
    const std::scoped_lock lock(stepping_);
    if (t == now_.t()) return now_;
    const double direction = now_.t() < before_ ? -1.0 : 1.0;
    if (!(direction * (t - before_) >= 0.0 && direction * (now_.t() - t) >= 0.0))
      throw RequestError("t = " + core::exact_text(t) + " s is outside the last step, from " +
                         core::exact_text(before_) + " to " + core::exact_text(now_.t()) + " s");
    const DenseStep* found = &inside_.front();
    for (const DenseStep& step : inside_)
      if (direction * (t - step.from()) >= 0.0) found = &step;
    const Eigen::Index n = built_->start.q.size();
    const core::Vector values = found->at(t);
    return detail::moment_of(*built_, t, values.head(n), values.tail(n),
                             Eigen::Vector3d::Constant(std::numeric_limits<double>::quiet_NaN()));
  }

 private:
  core::Plan plan() {
    core::Plan plan = core::plan_of(asked_, built_->model);
    plan.sample_times.clear();
    plan.inside_step = [this](double from, core::Integrator& step) {
      if (from == step.time()) return;
      const Eigen::Index n = built_->start.q.size();
      core::Vector q(n), v(n);
      DenseStep& dense = inside_.emplace_back(from, step.time(), 2 * n);
      Eigen::Index point = 0;
      for (const double t : DenseStep::times(from, step.time())) {
        step.interpolate(t, q, v);
        dense.values().col(point++) << q, v;
      }
    };
    return plan;
  }
  core::State begin() {
    core::refuse_structure(built_->model, built_->start, "assemble() of the model");
    core::require_plan(*built_->model.system, built_->start, plan_);
    return core::completed_start(*built_->model.system, built_->start);
  }
  void see(const core::Sample& sample) {
    std::vector<double> row;
    detail::append_columns(row, *built_->model.system, sample.state, sample.outputs);
    now_ = Moment(built_->columns, std::move(row));
  }
  void require_going() {
    if (loop_.so_far().termination != core::Termination::ok) detail::throw_solve_error(loop_.so_far(), nullptr);
  }

  mutable OwnedMutex stepping_{"the stepper takes a step: the functions of its model cannot use it meanwhile"};
  std::optional<ModelData::Reading> reading_;  // none: it is at its end
  core::Run asked_;
  std::shared_ptr<const BuiltModel> built_;
  core::Plan plan_;
  core::Observer observer_;
  Moment now_;
  std::vector<DenseStep> inside_;  // the last step; across a discontinuity there may be two
  core::RunLoop loop_;
  double before_ = 0.0;
};

Stepper::Stepper(const Model& model, const Options& options)
    : impl_(detail::guarded(model.data().elements(), [&] { return std::make_unique<Impl>(model.data(), options); })) {}
Stepper::Stepper(Stepper&&) noexcept = default;
Stepper& Stepper::operator=(Stepper&&) noexcept = default;
Stepper::~Stepper() = default;

bool Stepper::step() {
  return detail::guarded({}, [&] { return impl_->step(); });
}
double Stepper::t() const {
  return impl_->now().t();
}
double Stepper::before() const {
  return impl_->before();
}
const Moment& Stepper::now() const {
  return impl_->now();
}
Moment Stepper::at(double t) const {
  return detail::guarded({}, [&] { return impl_->at(t); });
}
Statistics Stepper::statistics() const {
  return impl_->statistics();
}

}  // namespace raak_v0
