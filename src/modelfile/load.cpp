#include "modelfile/load.h"

#include <algorithm>
#include <memory>
#include <unordered_map>

#include "base/text/text.h"
#include "mechanism/assemble.h"
#include "mechanism/drawing/draw.h"
#include "modelfile/known_values.h"
#include "modelfile/read_mechanism.h"
#include "modelfile/read_plan.h"

namespace raak {
namespace {

// Two columns of one name could not be distinguished in the results.
void refuse_taken_names(const Mechanism& mechanism, const ConstrainedSystem& system) {
  const ReportedNames& names = system.reported();
  for (const NamedQuantity& output : mechanism.outputs) {
    const std::string& name = output.name;
    const std::string rest = name.size() > 2 && name[1] == '.' ? name.substr(2) : "";
    const bool taken = (name[0] == 'q' && holds(names.positions, rest)) ||
                       ((name[0] == 'v' || name[0] == 'a') && holds(names.velocities, rest)) ||
                       is_multiplier(name, names);
    if (taken)
      refuse_at(output.value.place,
                "\"" + name + "\" is a result of every run and cannot be an output; call it otherwise");
  }
}

Parameters parameters_of_run(const FilePlan& plan, const Parameters& defaults, const std::string& name) {
  Parameters of_run = defaults;
  for (const Run& run : plan.runs)
    if (run.name == name)
      for (const auto& [parameter, value] : run.settings) of_run.set(parameter, value);
  return of_run;
}

// References belong to some values of the parameters: a model that comes to them is built anew.
class LiveBesideReferences final : public LiveParameters {
 public:
  LiveBesideReferences(std::shared_ptr<LiveParameters> live, const FilePlan& plan, const Parameters& defaults,
                       const Parameters& now)
      : live_(std::move(live)), now_(numbers_of(now)) {
    for (std::size_t i = 0; i < now.all().size(); ++i) places_.emplace(now.all()[i].name, i);
    for (const PlannedReference& planned : plan.references)
      judged_.push_back(numbers_of(parameters_of_run(plan, defaults, planned.run)));
  }

  bool set(Model& model, const std::vector<std::pair<std::string, double>>& numbers) override {
    wanted_ = now_;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const auto place = place_of(i, numbers[i].first);
      if (!place) return false;
      wanted_[*place] = numbers[i].second;
    }
    if (std::find(judged_.begin(), judged_.end(), wanted_) != judged_.end() || !live_->set(model, numbers))
      return false;
    now_.swap(wanted_);
    references_before_ = std::exchange(model.references, {});
    return true;
  }
  bool take_back(Model& model) override {
    now_.swap(wanted_);
    model.references = std::move(references_before_);
    return live_->take_back(model);
  }
  long decisions() const override { return live_->decisions(); }

 private:
  static std::vector<double> numbers_of(const Parameters& parameters) {
    std::vector<double> numbers;
    for (const Parameter& parameter : parameters.all()) numbers.push_back(parameters.number(parameter.name));
    return numbers;
  }

  // Of the i-th number that is set: most often the same one as before.
  std::optional<std::size_t> place_of(std::size_t i, const std::string& name) {
    if (i < last_.size() && last_[i]->first == name) return last_[i]->second;
    const auto place = places_.find(name);
    if (place == places_.end()) return std::nullopt;
    last_.resize(std::max(last_.size(), i + 1), place);
    last_[i] = place;
    return place->second;
  }

  std::shared_ptr<LiveParameters> live_;
  std::unordered_map<std::string, std::size_t> places_;
  std::vector<std::unordered_map<std::string, std::size_t>::const_iterator> last_;
  std::vector<double> now_, wanted_;
  std::vector<std::vector<double>> judged_;  // by references
  std::vector<Reference> references_before_;
};

// What a file says, ready to be made a model of.
struct FileModel {
  std::shared_ptr<const Mechanism> mechanism;
  std::shared_ptr<const FilePlan> plan;
  Parameters defaults;
  Coordinates coordinates = Coordinates::automatic;

  Model operator()(const Parameters& parameters, Form /*form*/) const {
    const auto instance = std::make_shared<const Instance>(mechanism, parameters);
    Model model = assemble(instance, coordinates);
    refuse_taken_names(*mechanism, *model.system);
    model.drawing = draw(*instance);
    for (const PlannedReference& planned : plan->references)
      if (parameters_of_run(*plan, defaults, planned.run) == parameters)
        model.references.push_back(resolve(planned.reference, planned.names, *model.system));
    if (model.live && !plan->references.empty())
      model.live = std::make_shared<LiveBesideReferences>(model.live, *plan, defaults, parameters);
    return model;
  }
};

}  // namespace

ModelSource load_model(const std::string& path, const FileReader& read) {
  ModelSource source;
  const toml::table document = read_document(path, &source.text, read);
  const auto mechanism = std::make_shared<const Mechanism>(read_mechanism(document, path));
  source.name = path;
  source.title = mechanism->title;
  source.parameters = declared_parameters(*mechanism);
  const auto plan = std::make_shared<const FilePlan>(read_plan(document, path, source.parameters, read));
  source.runs = plan->runs;
  source.build = FileModel{mechanism, plan, source.parameters};
  return source;
}

void use_body_coordinates(ModelSource& source) {
  source.build.target<FileModel>()->coordinates = Coordinates::maximal;
}

Parameters values_of(const ModelSource& source, const Parameters& parameters) {
  const auto* const file = source.build.target<FileModel>();
  if (file == nullptr || parameters == source.parameters) return parameters;
  const Instance instance(file->mechanism, parameters);
  Parameters values = parameters;
  for (const Parameter& parameter : parameters.all())
    if (const auto value = instance.parameter(parameter.name)) values.set(parameter.name, exact_text(*value));
  return values;
}

ModelSource parse_model(const std::string& text, const std::string& name) {
  return load_model(name, [&](const std::string& path, const Place& asked) {
    return path == name && asked.line == 0 ? text : read_text(path, asked);
  });
}

}  // namespace raak
