#include "api/model_data.h"

#include <fmt/format.h>
#include <raak/errors.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <string_view>
#include <system_error>

#include "base/text/text.h"
#include "modelfile/load.h"

namespace raak_v0::detail {

std::shared_ptr<BuiltModel> ready(std::shared_ptr<const core::ModelSource> source, core::Parameters parameters,
                                  core::Model model, const std::string& run) {
  auto built = std::make_shared<BuiltModel>();
  built->source = std::move(source);
  built->parameters = std::move(parameters);
  built->model = std::move(model);
  core::keep_references_of(built->model, run);
  built->start = core::consistent_start(built->model);
  built->columns = std::make_shared<const Columns>(built->model.system);
  return built;
}

std::vector<core::StartValue> start_values(const std::vector<Setting>& settings) {
  std::vector<core::StartValue> list;
  for (const auto& [name, value] : settings) {
    if (!std::isfinite(value))
      throw RequestError("the start value of \"" + name + "\" expects a finite number, found " +
                         core::exact_text(value));
    list.push_back({name, value});
  }
  return list;
}

std::shared_ptr<const BuiltModel> restarted(std::shared_ptr<const BuiltModel> built, const Options& options) {
  if (options.trust.empty() && options.guess.empty()) return built;
  auto other = std::make_shared<BuiltModel>(*built);
  other->origin = std::move(built);
  core::restart(other->model, start_values(options.trust), start_values(options.guess));
  other->start = core::consistent_start(other->model);
  return other;
}

void Use::begin_reading() {
  int readers = state_.load();
  while (true) {
    if (readers < 0) {
      if (changing_ == std::this_thread::get_id()) throw RequestError(model_in_preparation);
      state_.wait(readers);
      readers = state_.load();
    } else if (state_.compare_exchange_weak(readers, readers + 1)) {
      return;
    }
  }
}

bool Use::try_changing() {
  int nobody = 0;
  if (!state_.compare_exchange_strong(nobody, -1)) return false;
  changing_ = std::this_thread::get_id();
  return true;
}

void Use::end_changing() {
  changing_ = std::thread::id();
  state_ = 0;
  state_.notify_all();
}

void Spares::leave(const std::string& key, std::shared_ptr<BuiltModel> built) {
  constexpr std::size_t most = 16;
  const std::scoped_lock lock(leaving_);
  if (left_.size() < most) left_.emplace(key, std::move(built));
}

std::shared_ptr<BuiltModel> Spares::take(const std::string& key) {
  const std::scoped_lock lock(leaving_);
  const auto found = left_.find(key);
  if (found == left_.end()) return nullptr;
  return std::move(left_.extract(found).mapped());
}

namespace {

enum class Change {
  done,
  not_possible,  // and nothing has changed
  spoiled        // not possible, and the model is of no use any more
};

// Without building anything.
Change change(BuiltModel& built, const TextSettings& values) {
  if (!built.model.live) return Change::not_possible;
  std::vector<std::pair<std::string, double>> numbers;
  for (const auto& [name, value] : values) {
    if (!built.parameters.named(name).is_number()) return Change::not_possible;
    numbers.emplace_back(name, built.parameters.number_of(name, value));  // refuses what no such parameter can be
  }
  if (!built.model.live->set(built.model, numbers)) return Change::not_possible;
  try {
    core::State start = core::consistent_start(built.model);
    for (const auto& [name, value] : values) built.parameters.set(name, value);
    built.start = std::move(start);
    return Change::done;
  } catch (const core::Error&) {  // said where it is built anew
    return built.model.live->take_back(built.model) ? Change::not_possible : Change::spoiled;
  }
}

void refuse_twice(const TextSettings& values) {
  if (values.size() < 2) return;
  std::map<std::string_view, std::string_view> known;
  for (const auto& [name, value] : values)
    if (const auto [before, is_new] = known.emplace(name, value); !is_new)
      throw RequestError(
          fmt::format("\"{}\" is given twice, as {} and as {}: give it once", name, before->second, value));
}

}  // namespace

ModelData::ModelData(core::ModelSource source, Elements elements, std::shared_ptr<const core::ModelSource> file)
    : source_(std::make_shared<const core::ModelSource>(std::move(source))),
      file_(file ? std::move(file) : source_),
      elements_(std::move(elements)) {
  std::error_code nowhere;
  const std::filesystem::path path = std::filesystem::absolute(source_->name, nowhere);
  path_ = nowhere ? source_->name : path.string();
}

ModelData::~ModelData() {
  if (!is_copy_ || built_.size() != 1) return;
  const auto& [key, built] = *built_.begin();
  const core::Run& run = source_->runs.front();
  if (built.use_count() == 1 && built->model.live && key == key_of(run, run.form))
    spares_->leave(key_of_spare(settings_), built);
}

std::unique_ptr<ModelData> ModelData::copy() const {
  const Reading reading(*this);
  auto other = std::make_unique<ModelData>(core::ModelSource{}, elements_);
  other->source_ = source_;
  other->file_ = file_;
  other->settings_ = settings_;
  other->spares_ = spares_;
  other->is_copy_ = true;
  other->built_in_ = built_in_;
  other->path_ = path_;
  const std::scoped_lock lock(building_);
  other->built_ = built_;
  return other;
}

core::Parameters ModelData::with(const core::Run& run, const TextSettings& settings) const {
  core::Parameters parameters = source_->parameters;
  for (const TextSettings* list : {&run.settings, &settings})
    for (const auto& [name, value] : *list) parameters.set(name, value);
  return parameters;
}

core::Parameters ModelData::values() const {
  return core::values_of(*file_, parameters(source_->runs.front()));
}

std::string ModelData::key_of(const core::Run& run, core::Form form) const {
  const bool form_matters = source_->text.empty();  // a file has one start, whatever the form
  return run.name + "\n" + (form_matters ? core::name_of(form) : "");
}

std::string ModelData::key_of_spare(const TextSettings& settings) const {
  std::vector<std::string> names;
  for (const auto& setting : settings) names.push_back(setting.first);
  std::sort(names.begin(), names.end());
  const core::Run& run = source_->runs.front();
  std::string key = key_of(run, run.form);
  for (const std::string& name : names) key += "\n" + name;
  return key;
}

std::shared_ptr<BuiltModel> ModelData::build(const core::Run& run, core::Form form,
                                             const core::Parameters& parameters) const {
  return ready(source_, parameters, source_->build(parameters, form), run.name);
}

std::shared_ptr<const BuiltModel> ModelData::built(const core::Run& run, core::Form form) const {
  const std::scoped_lock lock(building_);
  std::shared_ptr<BuiltModel>& known = built_[key_of(run, form)];
  if (!known) known = build(run, form, parameters(run));
  return known;
}

bool ModelData::set_in_place(const TextSettings& values) {
  // Results and copies keep what they were made with.
  if (built_.size() != 1 || built_.begin()->second.use_count() != 1) return false;
  const Change result = change(*built_.begin()->second, values);
  if (result == Change::spoiled) built_.clear();
  return result == Change::done;
}

std::shared_ptr<BuiltModel> ModelData::changed_earlier(const TextSettings& settings) {
  if (earlier_.use_count() != 1) return nullptr;
  const Change result = change(*earlier_, settings);
  if (result == Change::done) return std::move(earlier_);
  if (result == Change::spoiled) earlier_.reset();
  return nullptr;
}

std::shared_ptr<BuiltModel> ModelData::changed_twin(const TextSettings& values, const TextSettings& settings) const {
  if (!is_copy_) return nullptr;
  try {
    if (std::shared_ptr<BuiltModel> left = spares_->take(key_of_spare(settings)))
      if (change(*left, settings) == Change::done) return left;
    const core::Run& run = source_->runs.front();
    std::shared_ptr<BuiltModel> twin = build(run, run.form, with(run, settings_));
    return change(*twin, values) == Change::done ? twin : nullptr;
  } catch (const core::Error&) {  // said where it is built
    return nullptr;
  }
}

void ModelData::set(const TextSettings& values) {
  refuse_twice(values);
  if (!use_.try_changing())
    throw RequestError(
        "the model is in use: a run of it goes on, or another thread sets it. Set values between runs, "
        "or give each thread a copy of the model");
  struct End {
    Use& use;
    ~End() { use.end_changing(); }
  } const end{use_};
  TextSettings settings = settings_;
  for (const auto& [name, value] : values) {
    std::erase_if(settings, [&, &of = name](const auto& setting) { return setting.first == of; });
    settings.emplace_back(name, value);
  }
  if (set_in_place(values)) {
    settings_ = std::move(settings);
    return;
  }
  const core::Run& run = source_->runs.front();
  std::shared_ptr<BuiltModel> built = changed_earlier(settings);
  if (!built) built = changed_twin(values, settings);
  if (!built) built = build(run, run.form, with(run, settings));
  settings_ = std::move(settings);
  const auto known = built_.find(key_of(run, run.form));
  earlier_ = known != built_.end() ? known->second : nullptr;
  built_.clear();
  built_.emplace(key_of(run, run.form), std::move(built));
}

}  // namespace raak_v0::detail
