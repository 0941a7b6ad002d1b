#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/text/text.h"
#include "methods/method.h"
#include "modelfile/text/node.h"
#include "study/sweep/design/sobol_sequence.h"
#include "study/sweep/sweep_plan.h"

namespace raak {
namespace {

constexpr std::array design_names{"grid", "random", "latin-hypercube", "sobol", "table"};
constexpr double most_cases = 1e12;

std::uint64_t whole_number(const toml::node& node, const std::string& what, double least, double most) {
  const double value = node.is_integer() ? static_cast<double>(node.as_integer()->get()) : as_number(node, what);
  if (!(value >= least && value <= most) || value != std::floor(value))
    refuse_type(node, fmt::format("a whole number from {:.0f} to {:.0f} for {}", least, most, what));
  return static_cast<std::uint64_t>(value);
}

double positive(const toml::node& node, const std::string& what) {
  const double value = as_number(node, what);
  if (!(value > 0.0)) refuse_type(node, "a number above 0 for " + what);
  return value;
}

std::vector<double> numbers_of(const toml::node& node, const std::string& what, std::size_t count = 0) {
  const toml::array* const array = node.as_array();
  if (array == nullptr || (count != 0 && array->size() != count))
    refuse_type(node, count == 0 ? "an array of numbers for " + what
                                 : fmt::format("an array of {} numbers for {}", count, what));
  std::vector<double> numbers;
  for (const toml::node& each : *array) numbers.push_back(as_number(each, what));
  return numbers;
}

Distribution read_distribution(const toml::table& table, const std::string& what) {
  using Kind = Distribution::Kind;
  constexpr std::array kinds{Kind::uniform, Kind::normal, Kind::triangular, Kind::lognormal};
  constexpr std::array<std::size_t, 4> counts{2, 2, 3, 2};
  for (std::size_t i = 0; i < kinds.size(); ++i)
    if (const toml::node* const node = table.get(name_of(kinds[i])))
      return {kinds[i], numbers_of(*node, name_of(kinds[i]) + " of " + what, counts[i])};
  const toml::node *const from = table.get("from"), *const to = table.get("to");
  if (from == nullptr || to == nullptr)
    refuse_type(table, "from and to, normal, uniform, triangular or lognormal for " + what);
  return {Kind::uniform, {as_number(*from, "from"), as_number(*to, "to")}};
}

Factor read_factor(const Member& member, DesignKind design) {
  const std::string what = "\"" + member.name + "\"";
  const toml::node& value = *member.value;
  Factor factor{.name = member.name, .distribution = {}, .place = member.place};
  if (design == DesignKind::table) {
    if (!value.is_string()) refuse_type(value, "the name of a column of the table for " + what);
    factor.column = as_text(value, what);
    return factor;
  }
  if (value.is_array()) {
    factor.distribution = {Distribution::Kind::list, numbers_of(value, what)};
    factor.levels = factor.distribution.numbers.size();
  } else {
    if (!value.is_table())
      refuse_type(
          value, "a list of values, { from, to } or a distribution such as { normal = [mean, deviation] } for " + what);
    const toml::table& table = *value.as_table();
    const auto members =
        known_members(table, what, {"from", "to", "count", "uniform", "normal", "triangular", "lognormal"});
    const auto kinds = std::count_if(members.begin(), members.end(), [](const Member& each) {
      return each.name != "from" && each.name != "to" && each.name != "count";
    });
    if (kinds > 1 || (kinds == 1 && table.get("from") != nullptr))
      refuse_at(member.place, what + " has two distributions; give one");
    factor.distribution = read_distribution(table, what);
    const toml::node* const count = table.get("count");
    if (design == DesignKind::grid) {
      if (count == nullptr || factor.distribution.kind != Distribution::Kind::uniform)
        refuse_type(value, "a list of values, or { from, to, count }, for " + what + " on a grid");
      factor.levels = static_cast<std::size_t>(whole_number(*count, "count", 2, most_cases));
    } else if (count != nullptr) {
      refuse_at(place_of(*count),
                fmt::format("count belongs to a grid, and the design is \"{}\"; leave it out, or set design = \"grid\"",
                            name_of(design)));
    }
  }
  if (const std::string flaw = flaw_of(factor.distribution); !flaw.empty())
    refuse_at(place_of(value), what + ": " + flaw);
  return factor;
}

FixedParameter read_fixed(const Member& member, const toml::table& document) {
  const std::string what = "\"" + member.name + "\"";
  if (const toml::node* const vary = document.get("vary"); vary != nullptr && as_table(*vary, "vary").get(member.name))
    refuse_at(member.place, what + " is set and varies as well; leave one of them out");
  const toml::node& value = *member.value;
  return {member.name, value.is_string() ? as_text(value, what) : exact_text(as_number(value, what)), member.place};
}

Measure read_measure(const toml::node& node, const std::string& of) {
  using Kind = Measure::Kind;
  static const std::vector<std::string> names{"end", "min", "max", "mean", "rms", "trajectory"};
  constexpr std::array kinds{Kind::end, Kind::min, Kind::max, Kind::mean, Kind::rms, Kind::trajectory};
  const std::string text = as_text(node, "what is kept of \"" + of + "\"");
  Measure measure{.text = text};
  const std::size_t colon = text.find(':');
  const std::string word = text.substr(0, colon), rest = colon == std::string::npos ? "" : text.substr(colon + 1);
  if (word == "at" && colon != std::string::npos) {
    const std::optional<double> t = parse_number(rest);
    if (!t || !std::isfinite(*t)) refuse_type(node, "at: with a time in s, such as \"at:0.01\"");
    measure.kind = Kind::at;
    measure.t = *t;
  } else if ((word == "event" || word == "count") && colon != std::string::npos) {
    measure.kind = word == "event" ? Kind::event : Kind::count;
    measure.event = rest;
  } else {
    const auto found = std::find(names.begin(), names.end(), text);
    if (found == names.end()) {
      std::vector<std::string> all = names;
      all.insert(all.end(), {"at:TIME", "event:NAME", "count:NAME"});
      refuse_at(place_of(node), unknown_name("kept value", text, all));
    }
    measure.kind = kinds[static_cast<std::size_t>(found - names.begin())];
  }
  return measure;
}

KeptQuantity read_kept(const Member& member) {
  KeptQuantity kept{member.name, {}, member.place};
  if (const toml::array* const array = member.value->as_array())
    for (const toml::node& each : *array) kept.measures.push_back(read_measure(each, member.name));
  else kept.measures.push_back(read_measure(*member.value, member.name));
  for (std::size_t i = 0; i < kept.measures.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      if (kept.measures[i].text == kept.measures[k].text)
        refuse_at(place_of(*member.value),
                  fmt::format("\"{}\" of \"{}\" is kept twice", kept.measures[i].text, member.name));
  if (kept.measures.empty())
    refuse_type(*member.value, "what to keep, such as [\"end\", \"max\"], for \"" + member.name + "\"");
  return kept;
}

void read_summary(const toml::table& table, SweepPlan& plan) {
  for (const Member& entry : known_members(table, "summary", {"quantiles", "bins", "sobol-indices"})) {
    if (entry.name == "quantiles") {
      plan.quantiles = numbers_of(*entry.value, "quantiles");
      for (std::size_t i = 0; i < plan.quantiles.size(); ++i)
        if (!(plan.quantiles[i] >= 0.0 && plan.quantiles[i] <= 1.0))
          refuse_type((*entry.value->as_array())[i], "numbers from 0 to 1 for quantiles");
    }
    if (entry.name == "bins") plan.bins = whole_number(*entry.value, "bins", 1, 10000);
    if (entry.name != "sobol-indices") continue;
    if (!entry.value->is_boolean()) refuse_type(*entry.value, "true or false for sobol-indices");
    plan.sobol_indices = entry.value->as_boolean()->get();
  }
}

void read_key(const Member& entry, SweepPlan& plan) {
  const toml::node& value = *entry.value;
  if (entry.name == "model") plan.model = as_text(value, "model");
  if (entry.name == "run") plan.run = as_text(value, "run");
  if (entry.name == "samples") plan.samples = whole_number(value, "samples", 1, most_cases);
  if (entry.name == "seed") plan.seed = whole_number(value, "seed", 0, 0x1p53);
  if (entry.name == "table") plan.table = as_text(value, "table");
  if (entry.name == "block") plan.block = whole_number(value, "block", 1, 1e6);
  if (entry.name == "rtol") plan.rtol = positive(value, "rtol");
  if (entry.name == "atol") plan.atol = positive(value, "atol");
  if (entry.name == "until") plan.until = as_number(value, "until");
  if (entry.name == "every") plan.every = positive(value, "every");
  if (entry.name == "method")
    plan.method = at_place(place_of(value), [&] { return find_method(as_text(value, "method")).name; });
  using Named = std::pair<const char*, Place*>;
  for (const auto& [name, place] : std::initializer_list<Named>{{"model", &plan.model_place},
                                                                {"run", &plan.run_place},
                                                                {"design", &plan.design_place},
                                                                {"table", &plan.table_place},
                                                                {"every", &plan.every_place}})
    if (entry.name == name) *place = place_of(value);
}

void require_whole(const toml::table& document, const Place& file, const SweepPlan& plan) {
  const auto refuse_key = [&](const char* key, const std::string& why) {
    const toml::node* const node = document.get(key);
    refuse_at(node != nullptr ? place_of(*node) : file, why);
  };
  if (plan.model.empty())
    refuse_at(file, "the plan has no model: model = \"FILE.toml\", or the name of a built-in model");
  if (plan.keep.empty())
    refuse_at(file, "the plan keeps nothing: [keep] with a quantity and what to keep of it, such as x = [\"end\"]");
  const bool is_table = plan.design == DesignKind::table, is_grid = plan.design == DesignKind::grid;
  if (is_table && plan.table.empty()) refuse_key("design", "design \"table\" has no table: table = \"FILE.csv\"");
  if (!is_table && !plan.table.empty())
    refuse_key("table", fmt::format("a table of cases belongs to design \"table\", and the design is \"{}\"",
                                    name_of(plan.design)));
  if (!is_table && plan.vary.empty())
    refuse_at(file, "nothing varies: [vary] with a parameter, a start value or a setting");
  if (is_grid || is_table) {
    if (plan.samples > 0)
      refuse_key("samples",
                 fmt::format("samples belongs to designs of random numbers and sequences; a {} has its own size",
                             is_grid ? "grid" : "table"));
  } else if (plan.samples == 0) {
    refuse_at(file, fmt::format("design \"{}\" has no number of samples: samples = 1000", name_of(plan.design)));
  }
  if (plan.sobol_indices && (is_grid || is_table || plan.design == DesignKind::latin_hypercube))
    refuse_key("summary", fmt::format("Sobol indices need design \"random\" or \"sobol\", and the design is \"{}\"",
                                      name_of(plan.design)));
  const std::size_t dimensions = plan.vary.size() * (plan.sobol_indices ? 2 : 1);
  if (plan.design == DesignKind::sobol && dimensions > SobolSequence::most_dimensions)
    refuse_key("design", fmt::format("the sequence of Sobol has {} dimensions here{}, found {}; use design \"random\"",
                                     SobolSequence::most_dimensions,
                                     plan.sobol_indices ? ", two for each varied number where indices are wanted" : "",
                                     dimensions));
  if (plan.design == DesignKind::sobol && plan.samples > 0xffffffff)
    refuse_key("samples", "the sequence of Sobol has 4294967295 points here; use design \"random\" for more");
}

}  // namespace

std::string name_of(DesignKind kind) {
  return design_names[static_cast<std::size_t>(kind)];
}

SweepPlan read_sweep_plan(const std::string& path, const FileReader& read) {
  const toml::table document = read_document(path, nullptr, read);
  const Place file{path, 1, 1};
  SweepPlan plan{.path = path, .model = {}};
  plan.model_place = plan.run_place = plan.design_place = plan.table_place = plan.every_place = file;
  const toml::node* const format = document.get("format");
  if (format == nullptr) refuse_at(file, "expected format = \"raak-sweep/1\" in a plan of a sweep");
  as_choice(*format, "format", {"raak-sweep/1"});
  if (const toml::node* const design = document.get("design")) {
    const std::string name = as_choice(*design, "design", {design_names.begin(), design_names.end()});
    while (name_of(plan.design) != name) plan.design = static_cast<DesignKind>(static_cast<int>(plan.design) + 1);
  }
  for (const Member& entry :
       known_members(document, "the plan",
                     {"format", "title", "model", "run", "samples", "seed", "design", "table", "block", "rtol", "atol",
                      "until", "every", "method", "set", "vary", "keep", "summary"})) {
    read_key(entry, plan);
    if (entry.name == "set")
      for (const Member& member : members_of(as_table(*entry.value, "set")))
        plan.set.push_back(read_fixed(member, document));
    if (entry.name == "vary")
      for (const Member& member : members_of(as_table(*entry.value, "vary")))
        plan.vary.push_back(read_factor(member, plan.design));
    if (entry.name == "keep")
      for (const Member& member : members_of(as_table(*entry.value, "keep"))) plan.keep.push_back(read_kept(member));
    if (entry.name == "summary") read_summary(as_table(*entry.value, "summary"), plan);
  }
  require_whole(document, file, plan);
  return plan;
}

Json plan_document(const SweepPlan& plan) {
  Json document{{"model", plan.model}, {"run", plan.run ? Json(*plan.run) : Json()}, {"design", name_of(plan.design)}};
  if (plan.design != DesignKind::grid && plan.design != DesignKind::table) {
    document["samples"] = plan.samples;
    document["seed"] = plan.seed;
  }
  if (!plan.table.empty()) document["table"] = plan.table;
  const auto add = [&](const char* key, const auto& value) {
    if (value) document[key] = *value;
  };
  add("rtol", plan.rtol);
  add("atol", plan.atol);
  add("until", plan.until);
  add("every", plan.every);
  add("method", plan.method);
  add("block", plan.block);
  document["sobol-indices"] = plan.sobol_indices;
  for (const FixedParameter& fixed : plan.set) document["set." + fixed.name] = fixed.value;
  for (const Factor& factor : plan.vary) {
    Json& entry = document["vary." + factor.name];
    if (plan.design == DesignKind::table) entry = factor.column;
    else entry = {{name_of(factor.distribution.kind), factor.distribution.numbers}};
    if (plan.design == DesignKind::grid) entry["count"] = factor.levels;
  }
  for (const KeptQuantity& kept : plan.keep) {
    Json& list = document["keep." + kept.name] = Json::array();
    for (const Measure& measure : kept.measures) list.push_back(measure.text);
  }
  return document;
}

}  // namespace raak
