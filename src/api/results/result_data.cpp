#include "api/results/result_data.h"

#include <raak/errors.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <filesystem>
#include <limits>
#include <mutex>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/text/text.h"
#include "output/folder/folder.h"
#include "output/folder/own_name.h"
#include "run/run_request.h"
#include "study/explain/failed_start.h"
#include "study/model_run.h"

namespace raak_v0::detail {
namespace {

namespace fs = std::filesystem;

double positive(const char* what, double value) {
  if (std::isfinite(value) && value > 0.0) return value;
  throw RequestError(std::string(what) + " expects a number above 0, found " + core::exact_text(value));
}

// A folder that is gone when this is.
class ScratchFolder {
 public:
  ScratchFolder() : path_((fs::temp_directory_path() / "raak-report-XXXXXX").string()) {
    if (mkdtemp(path_.data()) == nullptr)
      throw RequestError("cannot make a folder for the report in " + fs::temp_directory_path().string());
  }
  ~ScratchFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  std::string results() const { return path_ + "/results"; }

 private:
  std::string path_;
};

constexpr long frames_of_report = 500;

}  // namespace

core::Run asked_run(const core::ModelSource& source, const Options& options) {
  core::Run run = core::find_run(source, options.run.empty() ? std::nullopt : std::optional(options.run));
  if (options.every && !options.at.empty()) throw RequestError("give every or at, not both");
  if (options.end_only && (options.every || !options.at.empty()))
    throw RequestError("end_only keeps one sample, at the end: give it without every and at, or leave it out");
  if (options.step && options.h0) throw RequestError("give step or h0, not both");
  if (options.until) run.until = *options.until;
  if (options.rtol) run.rtol = *options.rtol, run.atol.reset();
  if (options.atol) run.atol = *options.atol;
  if (!options.method.empty()) run.method = core::find_method(options.method).name;
  run.form = core::find_method(core::method_of(run)).nearest(run.form);
  if (!options.form.empty()) {
    const auto form = core::form_named(options.form);
    if (!form) throw RequestError(core::unknown_name("form", options.form, core::form_names()));
    run.form = *form;
  }
  if (options.every || !options.at.empty()) run.every = options.every ? positive("every", *options.every) : 0.0;
  if (options.every || !options.at.empty()) run.at = options.at;
  if (options.step) run.fixed_step = positive("step", *options.step), run.first_step = {};
  if (options.h0) run.first_step = {.seconds = positive("h0", *options.h0)}, run.fixed_step = 0.0;
  return run;
}

Moment moment_of(const BuiltModel& built, double t, const core::Vector& q, const core::Vector& v,
                 const Eigen::Vector3d& work) {
  const core::ConstrainedSystem& system = *built.model.system;
  core::State state = core::State::of_size(system.coordinates(), system.rows());
  state.t = t;
  state.q = q;
  state.v = v;
  core::update_accelerations(system, state);
  core::Vector own(system.outputs()), g(system.position_rows()), c(system.rows());
  if (own.size() > 0) system.evaluate_outputs(state, own);
  if (g.size() > 0) system.constraint(state.t, state.q, g);
  if (c.size() > 0) system.velocity_constraint(state.t, state.q, state.v, c);
  const core::Energy energy = system.energy(state.t, state.q, state.v);
  core::Vector outputs(own.size() + core::energy_outputs + core::violation_outputs);
  outputs << own, energy.kinetic, energy.potential, work, g.norm(), c.norm();
  std::vector<double> row;
  append_columns(row, system, state, outputs);
  return {built.columns, std::move(row)};
}

ResultData::ResultData(std::shared_ptr<const BuiltModel> built, std::string run, core::Plan plan, bool end_only)
    : built_(std::move(built)), run_(std::move(run)), plan_(std::move(plan)), end_only_(end_only) {
  plan_.measure_quality = !end_only;
}

void ResultData::integrate(const Watch& watch) {
  const core::ConstrainedSystem& system = *built_->model.system;
  std::atomic<bool> stop = false;
  core::Plan plan = plan_;
  const core::StepObserver note = end_only_ ? core::StepObserver() : note_steps();
  if (watch) {
    plan.stop = &stop;
    plan.step_taken = [&](const core::StepReport& step) {
      if (note) note(step);
      if (!watch({step.t, built_->start.t, plan_.until, step.statistics.steps})) stop = true;
    };
  } else {
    plan.step_taken = note;
  }
  core::refuse_structure(built_->model, built_->start, "assemble() of the model");
  std::vector<double> rows;
  const auto add = [&](const core::State& state, const core::Vector& outputs) {
    append_columns(rows, system, state, outputs);
    ++samples_;
  };
  if (end_only_) {
    result_ = built_->method->integrate(system, built_->start, plan);
    add(result_.end, result_.outputs);
  } else {
    result_ = built_->method->integrate(system, built_->start, plan,
                                        [&](const core::Sample& sample) { add(sample.state, sample.outputs); });
  }
  core::name_sharing(result_, built_->model);
  const std::size_t columns = built_->columns->names().size();
  values_.resize(rows.size());
  for (std::size_t i = 0; i < samples_; ++i)
    for (std::size_t j = 0; j < columns; ++j) values_[j * samples_ + i] = rows[i * columns + j];
}

core::StepObserver ResultData::note_steps() const {
  step_times_ = {built_->start.t};
  return [this](const core::StepReport& step) { step_times_.push_back(step.t); };
}

core::RunRecord ResultData::record() const {
  return core::record_of(*built_->source, built_->model, run_, plan_, result_);
}

Moment ResultData::moment(const core::State& state, const core::Vector& outputs) const {
  std::vector<double> row;
  append_columns(row, *built_->model.system, state, outputs);
  return {built_->columns, std::move(row)};
}

const std::vector<DenseStep>& ResultData::dense() const {
  const std::scoped_lock lock(looking_);
  if (!looked_inside_) look_inside();
  return dense_;
}

void ResultData::look_inside() const {
  dense_.clear();
  const Eigen::Index n = built_->start.q.size();
  core::Plan plan = plan_;
  if (step_times_.empty()) {
    plan.step_taken = note_steps();
    core::integrate(*built_->model.system, built_->start, plan);
    plan.step_taken = {};
  }
  plan.sample_times.clear();
  for (std::size_t k = 1; k < step_times_.size(); ++k) {
    const auto times = DenseStep::times(step_times_[k - 1], step_times_[k]);
    plan.sample_times.insert(plan.sample_times.end(), times.begin() + (k == 1 ? 0 : 1), times.end());
    dense_.emplace_back(times.front(), times.back(), 2 * n + 3);
  }
  std::size_t step = 0;
  Eigen::Index point = 0;
  core::integrate(*built_->model.system, built_->start, plan, [&](const core::Sample& sample) {
    if (step == dense_.size()) return;
    auto column = dense_[step].values().col(point);
    column << sample.state.q, sample.state.v, core::energies_of(sample.outputs).template tail<3>();
    if (++point < DenseStep::points) return;
    // Where a step ends, the next one begins.
    if (++step < dense_.size()) dense_[step].values().col(0) = column;
    point = 1;
  });
  dense_.resize(step, DenseStep(0.0, 0.0, 0));
  looked_inside_ = true;
}

Moment ResultData::at(double t) const {
  const double begin = result_.start.t, end = result_.end.t, direction = end < begin ? -1.0 : 1.0;
  if (!(direction * (t - begin) >= 0.0 && direction * (end - t) >= 0.0))
    throw RequestError("t = " + core::exact_text(t) + " s is outside the run, which goes from " +
                       core::exact_text(begin) + " to " + core::exact_text(end) + " s");
  const Eigen::Index n = built_->start.q.size();
  const std::vector<DenseStep>& steps = dense();
  if (steps.empty()) return moment_of(*built_, t, result_.start.q, result_.start.v, Eigen::Vector3d::Zero());
  const auto ends_before = [&](const DenseStep& step) { return direction * (step.to() - t) < 0.0; };
  const auto found = std::min(std::partition_point(steps.begin(), steps.end(), ends_before), steps.end() - 1);
  const core::Vector values = found->at(t);
  return moment_of(*built_, t, values.head(n), values.segment(n, n), values.tail<3>());
}

std::vector<double> ResultData::at(std::span<const double> times) const {
  const std::size_t columns = built_->columns->names().size();
  std::vector<double> all(columns * times.size());
  for (std::size_t i = 0; i < times.size(); ++i) {
    const Moment moment = at(times[i]);
    for (std::size_t j = 0; j < columns; ++j) all[j * times.size() + i] = moment.values()[j];
  }
  return all;
}

void ResultData::write_folder(const std::string& path) const {
  core::Plan plan = plan_;
  // What was stopped or failed on its way is repeated up to there.
  if (result_.termination == core::Termination::interrupted) plan.until = result_.end.t;
  plan.frame_times = core::frame_times(built_->start.t, plan.until, frames_of_report);
  core::RunFiles files(path, built_->model, core::Trace::none, core::chosen_formats({}));
  const core::Observer observer = core::write_to(files, plan);
  core::Result result = core::integrate(*built_->model.system, built_->start, plan, observer);
  if (result_.termination == core::Termination::interrupted)
    result.termination = result_.termination, result.message = result_.message;
  core::name_sharing(result, built_->model);
  const core::RunRecord record = this->record();
  core::Json document = core::run_document(record, *built_->model.system, result);
  core::gather_frames(files, result);
  core::finish_files(files, *built_->source, built_->parameters, built_->model, record, result, document);
}

void ResultData::write_report(const std::string& path) const {
  const ScratchFolder scratch;
  write_folder(scratch.results());
  const fs::path page = fs::path(scratch.results()) / "report.html";
  if (!fs::exists(page)) throw RequestError("this library was built without the page of the report (RAAK_REPORT=OFF)");
  core::write_file(path, core::bytes_in(page));
}

}  // namespace raak_v0::detail
