#include "modelfile/read_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "base/text.h"
#include "base/visible_text.h"

namespace raak {
namespace {

Run read_run(const Member& member, const Parameters& parameters) {
  check_name(member.name, member.place, "run", true);
  const std::string what = "run \"" + member.name + "\"";
  Run run;
  run.name = member.name;
  bool has_until = false;
  for (const Member& entry :
       known_members(as_table(*member.value, what), what, {"title", "until", "rtol", "form", "set"})) {
    if (entry.name == "title") run.title = as_text(*entry.value, "title");
    if (entry.name == "form") run.form = as_choice(*entry.value, "form", form_names());
    if (entry.name == "until") run.until = as_number(*entry.value, "until"), has_until = true;
    if (entry.name == "rtol") {
      run.rtol = as_number(*entry.value, "rtol");
      if (!(run.rtol > 0.0 && run.rtol <= 1.0)) refuse_type(*entry.value, "a tolerance above 0, up to 1, for rtol");
    }
    if (entry.name == "set") {
      Parameters trial = parameters;
      for (const Member& setting : members_of(as_table(*entry.value, "set"))) {
        const std::string value = exact_text(as_number(*setting.value, "\"" + setting.name + "\""));
        try {
          trial.set(setting.name, value);
        } catch (const Error& error) {
          refuse_at(setting.place, error.what());
        }
        run.settings.emplace_back(setting.name, value);
      }
    }
  }
  if (!has_until) refuse_at(member.place, what + " has no \"until\", the time in seconds at which it ends");
  return run;
}

// t, name, value after a line of headings.
void read_values_file(const std::string& path, const Place& asked, const FileReader& read, PlannedReference& to) {
  const std::string text = read(path, asked);
  std::size_t begin = text.find('\n');
  for (int line = 2; begin != std::string::npos && begin + 1 < text.size(); ++line) {
    const std::size_t end = text.find('\n', begin + 1);
    std::string row = text.substr(begin + 1, end == std::string::npos ? std::string::npos : end - begin - 1);
    begin = end;
    if (!row.empty() && row.back() == '\r') row.pop_back();
    if (row.empty()) continue;
    const std::size_t first = row.find(',');
    const std::size_t last = row.rfind(',');
    const auto t = parse_number(row.substr(0, first));
    const auto value = last == std::string::npos ? std::nullopt : parse_number(row.substr(last + 1));
    const Place place{path, line, 1};
    if (!t || !value || first == last) refuse_at(place, "expected time,name,value, found \"" + cut_short(row) + "\"");
    const std::string name = row.substr(first + 1, last - first - 1);
    to.reference.values[*t][name] = *value;
    to.names.emplace_back(name, place);
  }
}

void read_values(const toml::table& table, const std::string& prefix, double at, PlannedReference& to) {
  for (const Member& entry : members_of(table)) {
    if (entry.value->is_table()) {
      read_values(*entry.value->as_table(), prefix + entry.name + ".", at, to);
      continue;
    }
    const std::string name = prefix + entry.name;
    to.reference.values[at][name] = as_number(*entry.value, "\"" + name + "\"");
    to.names.emplace_back(name, entry.place);
  }
}

PlannedReference read_reference(const Member& member, const std::string& path, const std::vector<Run>& runs,
                                const FileReader& read) {
  const std::string what = "reference \"" + cut_short(member.name) + "\"";
  PlannedReference planned;
  planned.place = member.place;
  planned.run = runs.front().name;
  Reference& reference = planned.reference;
  reference.source = member.name;
  const toml::table& table = as_table(*member.value, what);
  const auto members =
      known_members(table, what, {"run", "at", "kind", "source", "scd", "drift", "tolerance", "values", "file"});
  std::vector<std::string> names;
  for (const Run& run : runs) names.push_back(run.name);
  if (const toml::node* run = table.get("run")) planned.run = as_choice(*run, "run", names);
  double at = std::find_if(runs.begin(), runs.end(), [&](const Run& r) { return r.name == planned.run; })->until;
  const double until = at;
  Place place_of_at = member.place;
  if (const toml::node* node = table.get("at")) at = as_number(*node, "at"), place_of_at = place_of(*node);
  for (const Member& entry : members) {
    if (entry.name == "kind" && as_choice(*entry.value, "kind", {"trusted", "published"}) == "published")
      reference.kind = Reference::Kind::published;
    if (entry.name == "source") reference.source = as_text(*entry.value, "source");
    if (entry.name == "scd") reference.required_scd = as_number(*entry.value, "scd");
    if (entry.name == "drift") reference.largest_drift = as_number(*entry.value, "drift");
    if (entry.name == "tolerance") {
      reference.tolerance = as_number(*entry.value, "tolerance");
      if (!(reference.tolerance > 0.0 && reference.tolerance < std::numeric_limits<double>::infinity()))
        refuse_type(*entry.value, "a number above 0 for tolerance");
    }
    if (entry.name == "values") read_values(as_table(*entry.value, "values"), "", at, planned);
    if (entry.name == "file") {
      const std::string file = as_text(*entry.value, "file");
      read_values_file((std::filesystem::path(path).parent_path() / file).string(), place_of(*entry.value), read,
                       planned);
    }
  }
  if (reference.values.empty()) refuse_at(member.place, what + " has no values; give values or a file");
  // What lies beyond the end may serve a longer run, as long as there is something to compare with.
  const auto is_reached = [&](const auto& values) {
    return std::abs(values.first) <= std::abs(until) * (1.0 + 1e-12) && values.first * until >= 0.0;
  };
  if (std::none_of(reference.values.begin(), reference.values.end(), is_reached))
    refuse_at(place_of_at,
              fmt::format("{} is at t = {} s, which run \"{}\" from 0 to {} s does not reach. Give the run a "
                          "later until, or the reference a time within it",
                          what, reference.values.begin()->first, planned.run, until));
  return planned;
}

}  // namespace

FilePlan read_plan(const toml::table& document, const std::string& path, const Parameters& parameters,
                   const FileReader& read) {
  FilePlan plan;
  if (const toml::node* node = document.get("runs"))
    for (const Member& member : members_of(as_table(*node, "runs"))) plan.runs.push_back(read_run(member, parameters));
  if (plan.runs.empty()) plan.runs.push_back({"default", "one second", {}, 1.0, 1e-6, "index1"});
  if (const toml::node* node = document.get("references"))
    for (const Member& member : members_of(as_table(*node, "references")))
      plan.references.push_back(read_reference(member, path, plan.runs, read));
  return plan;
}

}  // namespace raak
