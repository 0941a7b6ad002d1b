#include "modelfile/load.h"

#include <memory>

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
  source.build = [mechanism, plan, defaults = source.parameters](const Parameters& parameters, Form) {
    const auto instance = std::make_shared<const Instance>(mechanism, parameters);
    Model model = assemble(instance);
    refuse_taken_names(*mechanism, *model.system);
    model.drawing = draw(*instance);
    for (const PlannedReference& planned : plan->references) {
      Parameters of_run = defaults;
      for (const Run& run : plan->runs)
        if (run.name == planned.run)
          for (const auto& [name, value] : run.settings) of_run.set(name, value);
      if (of_run == parameters) model.references.push_back(resolve(planned.reference, planned.names, *model.system));
    }
    return model;
  };
  return source;
}

ModelSource parse_model(const std::string& text, const std::string& name) {
  return load_model(name, [&](const std::string& path, const Place& asked) {
    return path == name && asked.line == 0 ? text : read_text(path, asked);
  });
}

}  // namespace raak
