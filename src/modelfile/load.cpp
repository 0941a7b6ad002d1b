#include "modelfile/load.h"

#include <fmt/format.h>

#include <map>
#include <memory>
#include <set>

#include "base/text.h"
#include "mechanism/assemble.h"
#include "mechanism/draw.h"
#include "modelfile/read_mechanism.h"
#include "modelfile/read_plan.h"
#include "run/integrate.h"

namespace raak {
namespace {

bool is_multiplier(const std::string& name, const ReportedNames& names) {
  if (!name.starts_with("lambda.")) return false;
  const auto number = parse_number(name.substr(7));
  return number && *number >= 1.0 && *number <= static_cast<double>(names.rows.size()) &&
         name == fmt::format("lambda.{}", static_cast<long>(*number));
}

// The component that a name of a reference stands for: a coordinate, its rate, an output, or a component as such.
std::string component_of(const ConstrainedSystem& system, const std::string& name, const Place& place) {
  const ReportedNames& names = system.reported();
  const std::vector<std::string>& outputs = system.description().outputs;
  if (holds(output_names(system), name)) return name;
  if (holds(names.positions, name)) return "q." + name;
  if (holds(names.velocities, name)) return "v." + name;
  if (name.size() > 2 && name[1] == '.') {
    const std::string rest = name.substr(2);
    if (name[0] == 'q' && holds(names.positions, rest)) return name;
    if ((name[0] == 'v' || name[0] == 'a') && holds(names.velocities, rest)) return name;
  }
  if (is_multiplier(name, names)) return name;
  if (const auto velocity = velocity_of_rate(names, name)) return "v." + *velocity;
  std::vector<std::string> all = names.positions;
  all.insert(all.end(), outputs.begin(), outputs.end());
  refuse_at(place, unknown_name("coordinate or output", name, all));
}

// Two columns of one name could not be told apart in the results.
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

Reference resolved(const PlannedReference& planned, const ConstrainedSystem& system) {
  Reference reference = planned.reference;
  reference.run = planned.run;
  reference.values.clear();
  std::map<std::string, std::string> components;
  for (const auto& [name, place] : planned.names)
    if (!components.contains(name)) components[name] = component_of(system, name, place);
  for (const auto& [t, values] : planned.reference.values)
    for (const auto& [name, value] : values) reference.values[t][components.at(name)] = value;
  std::set<std::string> named;
  for (const auto& [t, values] : reference.values)
    for (const auto& [name, value] : values) named.insert(name);
  reference.scored.assign(named.begin(), named.end());
  reference.measured = reference.scored;
  return reference;
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
  source.build = [mechanism, plan, defaults = source.parameters](const Parameters& parameters, const std::string&) {
    const auto instance = std::make_shared<const Instance>(mechanism, parameters);
    Model model = assemble(instance);
    refuse_taken_names(*mechanism, *model.system);
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
