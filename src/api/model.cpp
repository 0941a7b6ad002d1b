// raak::Model and where models come from.
#include <raak/errors.h>
#include <raak/model.h>

#include <cmath>
#include <utility>

#include "api/model_data.h"
#include "api/results/result_data.h"
#include "base/text/text.h"
#include "base/version.h"
#include "kinematics/start/consistent_start.h"
#include "modelfile/load.h"
#include "modelfile/text/saved_text.h"
#include "problems/catalogue.h"
#include "run/integrate.h"
#include "system/turn_gauge.h"

namespace raak_v0 {

using detail::guarded;
using detail::ModelData;

Model::Model(std::unique_ptr<ModelData> data) : data_(std::move(data)) {}
Model::Model(const Model& other) : data_(other.data_->copy()) {}
Model::Model(Model&&) noexcept = default;
Model& Model::operator=(const Model& other) {
  if (this != &other) data_ = other.data_->copy();
  return *this;
}
Model& Model::operator=(Model&&) noexcept = default;
Model::~Model() = default;

const std::string& Model::name() const {
  return data_->source().name;
}
const std::string& Model::title() const {
  return data_->source().title;
}

std::vector<std::string> Model::runs() const {
  std::vector<std::string> names;
  for (const core::Run& run : data_->source().runs) names.push_back(run.name);
  return names;
}

std::vector<std::string> Model::parameters() const {
  std::vector<std::string> names;
  for (const core::Parameter& parameter : data_->source().parameters.all()) names.push_back(parameter.name);
  return names;
}

double Model::get(std::string_view parameter) const {
  return guarded(data_->elements(), [&] {
    const ModelData::Reading reading(*data_);
    const core::Parameters values = data_->values();
    for (const core::Parameter& known : values.all())
      if (known.name == parameter && !known.is_number())
        throw RequestError("parameter \"" + known.name + "\" is the word \"" + known.value + "\" and no number");
    return values.number(parameter);
  });
}

std::string Model::text(std::string_view parameter) const {
  return guarded(data_->elements(), [&] {
    const ModelData::Reading reading(*data_);
    const core::Parameters values = data_->values();
    for (const core::Parameter& known : values.all())
      if (known.name == parameter) return known.value;
    return core::exact_text(values.number(parameter));  // refuses the name
  });
}

void Model::set(std::string_view parameter, double value) {
  set(std::vector<Setting>{{std::string(parameter), value}});
}

void Model::set(std::string_view parameter, std::string_view choice) {
  guarded(data_->elements(), [&] { data_->set({{std::string(parameter), std::string(choice)}}); });
}

void Model::set(const std::vector<Setting>& values) {
  set_all({values.begin(), values.end()});
}

void Model::set_all(const std::vector<std::pair<std::string, std::variant<double, std::string>>>& values) {
  detail::TextSettings texts;
  for (const auto& [name, value] : values) {
    const double* const number = std::get_if<double>(&value);
    texts.emplace_back(name, number != nullptr ? core::exact_text(*number) : std::get<std::string>(value));
  }
  guarded(data_->elements(), [&] { data_->set(texts); });
}

Start Model::assemble(const Options& options) const {
  return guarded(data_->elements(), [&] {
    const ModelData::Reading reading(*data_);
    const core::Run run = detail::asked_run(data_->source(), options);
    const auto built = detail::restarted(data_->built(run, run.form), options);
    const core::ConstrainedSystem& system = *built->model.system;
    core::Vector outputs =
        core::Vector::Constant(system.outputs() + core::energy_outputs + core::violation_outputs, std::nan(""));
    core::Vector own(system.outputs());
    if (own.size() > 0) system.evaluate_outputs(built->start, own);
    outputs.head(own.size()) = own;
    const core::Energy energy = system.energy(built->start.t, built->start.q, built->start.v);
    core::energies_of(outputs).head<2>() << energy.kinetic, energy.potential;
    std::vector<double> row;
    detail::append_columns(row, system, built->start, outputs);
    const core::RankReport rank = core::constraint_rank(system, built->start.t, built->start.q);
    const core::MobilityReport* const mobility = built->model.mobility.get();
    Start start{Moment(built->columns, std::move(row)),
                core::coordinates_without_centres(system),
                system.rows(),
                rank.rank,
                rank.mobility,
                {}};
    if (mobility == nullptr) return start;
    start.mobility = mobility->mobility;  // without motions that exist at first order only
    start.notes = mobility->notes;
    start.redundant_rows = mobility->rows - mobility->rank;
    start.redundant = mobility->sharing;
    return start;
  });
}

std::string Model::toml(const std::string& folder) const {
  return guarded(data_->elements(), [&] {
    const ModelData::Reading reading(*data_);
    const core::ModelSource& source = data_->source();
    if (source.text.empty())
      throw RequestError("\"" + source.name +
                         "\" is no model file: equations and forces of code cannot be written as one. "
                         "Describe the mechanism with bodies, joints and formulas instead");
    return core::saved_text(source.text, data_->path(), data_->settings(), folder.empty() ? "." : folder);
  });
}

std::vector<std::string> Model::columns() const {
  return guarded(data_->elements(), [&] {
    const ModelData::Reading reading(*data_);
    const core::Run& run = data_->source().runs.front();
    return data_->built(run, run.form)->columns->names();
  });
}

Model load(const std::string& path) {
  return guarded({}, [&] { return Model(std::make_unique<ModelData>(core::load_model(path))); });
}

Model parse(const std::string& text) {
  return guarded({}, [&] { return Model(std::make_unique<ModelData>(core::parse_model(text, "text"))); });
}

Model problem(const std::string& name) {
  std::vector<std::string> names;
  for (const core::ModelSource& source : core::problem_catalogue()) {
    if (source.name == name) {
      auto data = std::make_unique<ModelData>(source);
      data->be_built_in();
      return Model(std::move(data));
    }
    names.push_back(source.name);
  }
  throw RequestError(core::unknown_name("model", name, names));
}

const char* version() {
  return core::version();
}

}  // namespace raak_v0
