#include "modelfile/load.h"

#include <algorithm>
#include <memory>

#include "base/text.h"
#include "mechanism/assemble.h"
#include "mechanism/draw.h"
#include "modelfile/document.h"
#include "modelfile/read_mechanism.h"
#include "modelfile/read_plan.h"

namespace raak {
namespace {

bool holds(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// The component that a name of a reference stands for: a coordinate, its rate, an output, or a component as such.
std::string component_of(const ConstrainedSystem& system, const std::string& name, const Place& place) {
  const ReportedNames& names = system.reported();
  const std::vector<std::string>& outputs = system.description().outputs;
  if (holds(outputs, name) || name.starts_with("energy.")) return name;
  if (holds(names.positions, name)) return "q." + name;
  if (holds(names.velocities, name)) return "v." + name;
  if (name.size() > 2 && name[1] == '.') {
    const std::string rest = name.substr(2);
    if (name[0] == 'q' && holds(names.positions, rest)) return name;
    if ((name[0] == 'v' || name[0] == 'a') && holds(names.velocities, rest)) return name;
  }
  if (name.starts_with("lambda.")) {
    const auto number = parse_number(name.substr(7));
    if (number && *number >= 1.0 && *number <= static_cast<double>(names.rows.size())) return name;
  }
  for (const auto& [rate, coordinate] : {std::pair{".vx", ".x"}, {".vy", ".y"}, {".omega", ".angle"}}) {
    if (!name.ends_with(rate)) continue;
    const std::string of = name.substr(0, name.size() - std::string_view(rate).size()) + coordinate;
    if (holds(names.velocities, of)) return "v." + of;
  }
  std::vector<std::string> all = names.positions;
  all.insert(all.end(), outputs.begin(), outputs.end());
  refuse_at(place, unknown_name("coordinate or output", name, all));
}

Reference resolved(const PlannedReference& planned, const ConstrainedSystem& system) {
  Reference reference = planned.reference;
  reference.run = planned.run;
  reference.values.clear();
  std::map<std::string, std::string> components;
  for (const auto& [name, place] : planned.names) components[name] = component_of(system, name, place);
  for (const auto& [t, values] : planned.reference.values)
    for (const auto& [name, value] : values) reference.values[t][components.at(name)] = value;
  for (const auto& [name, value] : reference.values.rbegin()->second) reference.scored.push_back(name);
  reference.measured = reference.scored;
  return reference;
}

}  // namespace

ModelSource load_model(const std::string& path) {
  const toml::table document = read_document(path);
  const auto mechanism = std::make_shared<const Mechanism>(read_mechanism(document, path));
  ModelSource source;
  source.name = path;
  source.title = mechanism->title;
  source.parameters = declared_parameters(*mechanism);
  const auto plan = std::make_shared<const FilePlan>(read_plan(document, path, source.parameters));
  source.runs = plan->runs;
  source.build = [mechanism, plan, defaults = source.parameters](const Parameters& parameters, const std::string&) {
    const auto instance = std::make_shared<const Instance>(mechanism, parameters);
    Model model = assemble(instance);
    model.drawing = draw(*instance);
    for (const PlannedReference& planned : plan->references) {
      Parameters of_run = defaults;
      for (const Run& run : plan->runs)
        if (run.name == planned.run)
          for (const auto& [name, value] : run.settings) of_run.set(name, value);
      if (of_run == parameters) model.references.push_back(resolved(planned, *model.system));
    }
    return model;
  };
  return source;
}

}  // namespace raak
