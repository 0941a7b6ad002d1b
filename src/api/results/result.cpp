// raak::run and raak::Result.
#include <raak/errors.h>
#include <raak/model.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "api/results/result_data.h"
#include "api/results/solve_error.h"
#include "run/run_request.h"
#include "study/summary.h"

namespace raak_v0 {

using detail::guarded;

Result run(const Model& model, const Options& options) {
  const detail::ModelData& data = model.data();
  const auto result = guarded(data.elements(), [&] {
    const detail::ModelData::Reading reading(data);
    const core::Run asked = detail::asked_run(data.source(), options);
    const auto built = detail::restarted(data.built(asked, asked.form), options);
    auto made =
        std::make_shared<detail::ResultData>(built, asked.name, core::plan_of(asked, built->model), options.end_only);
    made->integrate(options.progress);
    return made;
  });
  if (result->result().termination != core::Termination::ok)
    detail::throw_solve_error(result->result(), std::make_shared<const Result>(result));
  return Result(result);
}

std::span<const double> Result::t() const& {
  return data_->column(0);
}

std::span<const double> Result::operator[](std::string_view name) const& {
  return data_->column(data_->built().columns->find(name));
}

std::size_t Result::place(std::string_view name) const {
  return data_->built().columns->find(name);
}

const std::vector<std::string>& Result::names() const {
  return data_->built().columns->names();
}

Moment Result::at(double t) const {
  return guarded({}, [&] { return data_->at(t); });
}

std::vector<double> Result::at(std::span<const double> times) const {
  return guarded({}, [&] { return data_->at(times); });
}

Moment Result::start() const {
  const core::State& start = data_->result().start;
  return detail::moment_of(data_->built(), start.t, start.q, start.v, Eigen::Vector3d::Zero());
}

Moment Result::end() const {
  return data_->moment(data_->result().end, data_->result().outputs);
}

std::string Result::status() const {
  return core::status_name(data_->result().termination);
}
std::string Result::message() const {
  return data_->result().message;
}

Statistics Result::statistics() const {
  return detail::public_statistics(data_->result().statistics);
}

Quality Result::quality() const {
  const core::Quality& quality = data_->result().quality;
  const core::Accuracy digits = data_->record().digits;
  return {quality.position_residual, quality.velocity_residual, quality.energy_drift, digits.scd, digits.mescd};
}

std::vector<EventTime> Result::events() const {
  std::vector<EventTime> times;
  for (const core::EventRecord& event : data_->result().events) times.push_back({event.name, event.state.t});
  return times;
}

std::vector<std::string> Result::warnings() const {
  return data_->result().warnings();
}
std::string Result::method() const {
  return data_->result().method;
}
std::string Result::form() const {
  return core::name_of(data_->result().form);
}

std::string Result::brief() const {
  return core::summarize(data_->built().model, data_->record(), data_->plan().until, data_->result(), 0);
}

std::string Result::json() const {
  return core::text_of(core::run_document(data_->record(), *data_->built().model.system, data_->result()));
}

void Result::report(const std::string& path) const {
  guarded({}, [&] { data_->write_report(path); });
}
void Result::save(const std::string& folder) const {
  guarded({}, [&] { data_->write_folder(folder); });
}

}  // namespace raak_v0
