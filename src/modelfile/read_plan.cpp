#include "modelfile/read_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "base/text/text.h"
#include "base/text/visible_text.h"
#include "methods/method.h"
#include "modelfile/history_file.h"

namespace raak {
namespace {

double positive(const toml::node& node, const std::string& what) {
  const double value = as_number(node, what);
  if (!(value > 0.0 && std::isfinite(value))) refuse_type(node, "a number above 0 for " + what);
  return value;
}

FirstStep read_first_step(const toml::node& node) {
  if (!node.is_string()) return {.seconds = positive(node, "h0")};
  if (const auto step = parse_first_step(as_text(node, "h0"))) return *step;
  refuse_type(node, "a first step in s above 0, \"rtol\", or a multiple of it such as \"0.01*rtol\", for h0");
}

std::vector<double> read_times(const toml::node& node) {
  std::vector<double> times;
  if (!node.is_array()) refuse_type(node, "an array of times in s for at");
  for (const toml::node& time : *node.as_array()) times.push_back(as_number(time, "at"));
  if (times.empty()) refuse_type(node, "at least one time in s for at");
  return times;
}

// The motion of a file begins at 0.
void refuse_outside(const toml::array& times, const Run& run) {
  for (std::size_t i = 0; i < run.at.size(); ++i)
    if (run.at[i] < std::min(0.0, run.until) || run.at[i] > std::max(0.0, run.until))
      refuse_at(place_of(times[i]), fmt::format("at has t = {} s, which is outside the run, from 0 to {} s",
                                                exact_text(run.at[i]), exact_text(run.until)));
}

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const MethodInfo& method : method_catalogue()) names.push_back(method.name);
  return names;
}

// Two keys that say different things about one.
void refuse_both(const toml::table& table, const std::string& what, const char* one, const char* other) {
  if (table.get(one) != nullptr && table.get(other) != nullptr)
    refuse_at(place_of(*table.get(other)), fmt::format("{} has {} and {}; give one of them", what, one, other));
}

// How it is integrated and sampled.
void read_option(const Member& entry, Run& run) {
  const toml::node& value = *entry.value;
  if (entry.name == "form") run.form = *form_named(as_choice(value, "form", form_names()));
  if (entry.name == "method") run.method = as_choice(value, "method", method_names());
  if (entry.name == "rtol") {
    run.rtol = as_number(value, "rtol");
    if (!(run.rtol > 0.0 && run.rtol <= 1.0)) refuse_type(value, "a tolerance above 0, up to 1, for rtol");
  }
  if (entry.name == "atol") run.atol = positive(value, "atol");
  if (entry.name == "every") run.every = positive(value, "every");
  if (entry.name == "at") run.at = read_times(value);
  if (entry.name == "step") run.fixed_step = positive(value, "step");
  if (entry.name == "h0") run.first_step = read_first_step(value);
}

Run read_run(const Member& member, const Parameters& parameters) {
  check_name(member.name, member.place, "run", true);
  const std::string what = "run \"" + member.name + "\"";
  Run run;
  run.name = member.name;
  bool has_until = false;
  const toml::table& table = as_table(*member.value, what);
  refuse_both(table, what, "every", "at");
  refuse_both(table, what, "step", "h0");
  for (const Member& entry : known_members(
           table, what, {"title", "until", "rtol", "atol", "method", "form", "every", "at", "step", "h0", "set"})) {
    if (entry.name == "title") run.title = as_text(*entry.value, "title");
    if (entry.name == "until") run.until = as_number(*entry.value, "until"), has_until = true;
    read_option(entry, run);
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
  if (const toml::node* const at = table.get("at"); at != nullptr && has_until) refuse_outside(*at->as_array(), run);
  if (!has_until) refuse_at(member.place, what + " has no \"until\", the time in seconds at which it ends");
  return run;
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
  if (const toml::node* file = table.get("file"); file != nullptr) {
    if (const toml::node* values = table.get("values"))
      refuse_at(place_of(*values),
                what + " has values and a file; give one of them, and another reference for the other");
    if (const toml::node* at = table.get("at"))
      refuse_at(place_of(*at), what + " has a file, whose rows have times of their own; leave at out");
  }
  std::vector<std::string> names;
  for (const Run& run : runs) names.push_back(run.name);
  if (const toml::node* run = table.get("run")) planned.run = as_choice(*run, "run", names);
  reference.run = planned.run;
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
      const auto file = (std::filesystem::path(path).parent_path() / as_text(*entry.value, "file")).string();
      HistoryFile history = parse_history(read(file, place_of(*entry.value)), file);
      if (history.wide) require_times_within(history, 0.0, until, planned.run);
      for (auto& [t, values] : history.values) reference.values[t].merge(values);
      planned.names.insert(planned.names.end(), history.names.begin(), history.names.end());
    }
  }
  if (reference.values.empty()) refuse_at(member.place, what + " has no values; give values or a file");
  // What lies beyond the end may serve a longer run, as long as there is something to compare with.
  if (std::none_of(reference.values.begin(), reference.values.end(),
                   [&](const auto& values) { return is_reached(values.first, 0.0, until); }))
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
  if (plan.runs.empty()) plan.runs.push_back({.name = "default", .title = "one second", .settings = {}, .until = 1.0});
  if (const toml::node* node = document.get("references"))
    for (const Member& member : members_of(as_table(*node, "references")))
      plan.references.push_back(read_reference(member, path, plan.runs, read));
  return plan;
}

}  // namespace raak
