// raak::sweep, from a plan file or of a model that is at hand.
#include <raak/errors.h>
#include <raak/sweep.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "api/model_data.h"
#include "api/results/result_data.h"
#include "api/results/solve_error.h"
#include "api/sweep/sweep_data.h"
#include "base/text/placed_error.h"
#include "base/text/text.h"
#include "modelfile/text/saved_text.h"
#include "output/folder/folder.h"
#include "run/run_request.h"
#include "study/sweep/case_runner.h"
#include "study/sweep/store/sweep_results.h"
#include "study/sweep/sweep_page.h"
#include "study/sweep/sweep_summary.h"

namespace raak_v0 {
namespace {

namespace fs = std::filesystem;
using detail::guarded;
using detail::ModelData;
using detail::SweepData;
using File = core::Inputs::File;

constexpr const char* plan_name = "plan";
constexpr int lines_before = 2;  // what a user gives of a plan

Sweep finished(core::SweptModel swept, std::vector<File> files, const SweepOptions& options) {
  auto data = std::make_shared<SweepData>(std::move(swept), std::move(files));
  data->run(options);
  return Sweep(std::move(data));
}

// As the file of a model or a table beside a plan: "andrews.swept.toml".
std::string beside_name(const std::string& model, const char* ending) {
  const std::string stem = fs::path(model).stem().string();
  return (stem.empty() ? "model" : stem) + ending;
}

core::SweepResults whole_of(const SweepData& data) {
  if (data.cases.size() < data.store().blocks().cases)
    throw RequestError("the sweep has " + std::to_string(data.store().blocks().cases) + " cases, of which " +
                       std::to_string(data.cases.size()) +
                       " are done: its summary, table and page are those of all. Go on with it in a folder (resume), "
                       "or run it whole");
  return {data.swept(), data.store()};
}

std::string number_or_word(const std::string& value) {
  return core::parse_number(value) ? value : nlohmann::json(value).dump();
}

// Values that were set hold in all cases, but of what varies.
std::string set_beside(const core::SweepPlan& plan, const detail::TextSettings& settings) {
  std::string text;
  for (const auto& [name, value] : settings)
    if (std::ranges::find(plan.vary, name, &core::Factor::name) == plan.vary.end())
      text += nlohmann::json(name).dump() + " = " + number_or_word(value) + "\n";
  return text.empty() ? "" : "\n[set]\n" + text;
}

// The plan with the model and the table that it names.
std::vector<File> files_of(const ModelData& model, const std::string& plan, const std::string& table) {
  const core::ModelSource& source = model.source();
  if (source.text.empty() && !model.is_built_in())
    throw RequestError("\"" + source.name +
                       "\" is made of functions, which no plan of a sweep can hold. Describe the mechanism with "
                       "formulas instead, or run it in a loop, a copy of the model for each thread");
  std::string named = source.name;
  std::vector<File> files(1);
  if (!source.text.empty()) named = beside_name(source.name, ".swept.toml");
  std::string head = "format = \"raak-sweep/1\"\nmodel = " + nlohmann::json(named).dump() + "\n";
  if (!table.empty()) {
    files.push_back({beside_name(source.name, ".cases.csv"), table});
    head += "table = " + nlohmann::json(files.back().path).dump() + "\n";
  }
  const std::string own = head + plan;
  const core::SweepPlan read =
      core::read_sweep_plan(plan_name, [&](const std::string&, const core::Place&) { return std::string(own); });
  files.front() = {plan_name, own + set_beside(read, model.settings())};
  if (!source.text.empty()) files.push_back({named, core::text_alone(source.text, model.path())});
  return files;
}

}  // namespace

Sweep sweep(const std::string& plan, const SweepOptions& options) {
  return guarded({}, [&] { return finished(core::read_swept_model(plan), {}, options); });
}

Sweep sweep(const Model& model, const std::string& plan, const SweepOptions& options, const std::string& table) {
  const ModelData& data = model.data();
  return guarded({}, [&] {
    const ModelData::Reading reading(data);
    const int before = lines_before + (table.empty() ? 0 : 1);
    try {
      const std::vector<File> files = files_of(data, plan, table);
      return finished(core::read_swept_model(plan_name, core::Inputs(files)), files, options);
    } catch (const core::PlacedError& error) {
      core::Place place = error.place();
      if (place.file == plan_name) place.line = std::max(1, place.line - before);
      throw core::PlacedError(place, error.message());
    }
  });
}

Sweep load_sweep(const std::string& folder) {
  return guarded({}, [&] {
    const bool exact = core::read_passport(folder).value("exact", false);
    core::SweptModel swept = core::read_stored_sweep(folder);
    auto data = std::make_shared<SweepData>(std::move(swept), std::vector<File>());
    data->find(folder, exact);
    return Sweep(std::move(data));
  });
}

Sweep::Sweep(std::shared_ptr<const SweepData> data) : data_(std::move(data)) {}

std::uint64_t Sweep::planned() const {
  return data_->store().blocks().cases;
}
std::span<const std::uint64_t> Sweep::cases() const& {
  return data_->cases;
}
const std::vector<SweepColumn>& Sweep::varied() const {
  return data_->varied;
}
const std::vector<SweepColumn>& Sweep::kept() const {
  return data_->kept;
}
std::span<const std::uint8_t> Sweep::outcomes() const& {
  return data_->outcomes;
}
const std::vector<SweepCause>& Sweep::causes() const {
  return data_->causes;
}
const std::vector<double>& Sweep::times() const {
  return data_->swept().trajectory_times;
}
const std::vector<std::uint64_t>& Sweep::shape() const {
  return data_->shape;
}

std::span<const double> Sweep::operator[](std::string_view column) const& {
  std::vector<std::string> names;
  for (const auto* columns : {&data_->varied, &data_->kept})
    for (const SweepColumn& each : *columns) {
      if (each.name == column) return data_->values[names.size()];
      names.push_back(each.name);
    }
  throw RequestError(core::unknown_name("column of the sweep", std::string(column), names));
}

std::string Sweep::summary() const {
  return guarded({}, [&] { return core::text_of(core::summary_document(whole_of(*data_))); });
}

std::string Sweep::page() const {
  return guarded({}, [&] {
    const core::SweepResults results = whole_of(*data_);
    std::string page = core::sweep_page(results, core::summary_document(results), data_->exact());
    if (page.empty()) throw RequestError("this library was built without its pages (RAAK_REPORT)");
    return page;
  });
}

void Sweep::table(const std::string& path) const {
  guarded({}, [&] { core::write_sweep_table(whole_of(*data_), path); });
}

Result Sweep::run(std::uint64_t number, const std::function<bool(const Progress&)>& progress) const {
  if (number >= planned())
    throw RequestError("the sweep has cases 0 to " + std::to_string(planned() - 1) + ", found " +
                       std::to_string(number));
  const core::SweptModel& swept = data_->swept();
  const auto result = guarded({}, [&] {
    core::CaseRunner::Case found = core::CaseRunner(swept, data_->exact()).prepare(number);
    core::keep_references_of_start(swept, found.parameters, found.model);
    const auto built = detail::ready(std::make_shared<const core::ModelSource>(swept.source), found.parameters,
                                     std::move(found.model), found.run.name);
    auto made =
        std::make_shared<detail::ResultData>(built, found.run.name, core::plan_of(found.run, built->model), false);
    made->integrate(progress);
    return made;
  });
  if (result->result().termination != core::Termination::ok)
    detail::throw_solve_error(result->result(), std::make_shared<const Result>(result));
  return Result(result);
}

const std::string& Sweep::plan() const {
  return data_->swept().files.front().text;
}

void Sweep::save(const std::string& path) const {
  guarded({}, [&] {
    if (data_->files().empty())
      throw RequestError("the plan of this sweep is the file \"" + data_->swept().plan.path + "\" already");
    for (std::size_t i = 1; i < data_->files().size(); ++i) {
      const File& file = data_->files()[i];
      const fs::path beside = fs::path(path).parent_path() / file.path;
      std::error_code unreadable;
      if (fs::exists(beside, unreadable) && core::read_text(beside.string(), {}) != file.text)
        throw RequestError("\"" + beside.string() +
                           "\" is there and holds something else; save the plan in another folder");
      core::write_file(beside, file.text);
    }
    core::write_file(path, data_->files().front().text);
  });
}

}  // namespace raak_v0
