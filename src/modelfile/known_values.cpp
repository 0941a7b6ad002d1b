#include "modelfile/known_values.h"

#include <fmt/format.h>

#include <map>
#include <set>

#include "base/text/text.h"
#include "modelfile/history_file.h"
#include "modelfile/text/document.h"
#include "run/integrate.h"

namespace raak {

bool is_multiplier(const std::string& name, const ReportedNames& names) {
  if (!name.starts_with("lambda.")) return false;
  const auto number = parse_number(name.substr(7));
  return number && *number >= 1.0 && *number <= static_cast<double>(names.rows.size()) &&
         name == fmt::format("lambda.{}", static_cast<long>(*number));
}

namespace {

// The component that a name of a reference stands for: a coordinate, its rate, an output, or a component as such.
std::string component_of(const ConstrainedSystem& system, const std::string& name, const Place& place) {
  const ReportedNames& names = system.reported();
  const std::vector<std::string> outputs = output_names(system);
  if (holds(outputs, name)) return name;
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

}  // namespace

Reference resolve(const Reference& written, const std::vector<std::pair<std::string, Place>>& names,
                  const ConstrainedSystem& system) {
  Reference reference = written;
  reference.values.clear();
  std::map<std::string, std::string> components;
  for (const auto& [name, place] : names)
    if (!components.contains(name)) components[name] = component_of(system, name, place);
  for (const auto& [t, values] : written.values)
    for (const auto& [name, value] : values) reference.values[t][components.at(name)] = value;
  std::set<std::string> named;
  for (const auto& [t, values] : reference.values)
    for (const auto& [name, value] : values) named.insert(name);
  reference.scored.assign(named.begin(), named.end());
  reference.measured = reference.scored;
  return reference;
}

namespace {

// A file that cannot be read is wrong on the command line, what it holds is wrong in the file.
std::string text_of_table(const std::string& path) try { return read_text(path, {path}); } catch (const Error& error) {
  throw Error(ErrorKind::request, fmt::format("--against {}", error.what()));
}

}  // namespace

Reference read_history(const std::string& path, const ConstrainedSystem& system, double start, const Run& run) {
  HistoryFile file = parse_history(text_of_table(path), path);
  require_times_within(file, start, run.until, run.name);
  Reference written;
  written.kind = Reference::Kind::history;
  written.source = path;
  written.run = run.name;
  written.values = std::move(file.values);
  return resolve(written, file.names, system);
}

}  // namespace raak
