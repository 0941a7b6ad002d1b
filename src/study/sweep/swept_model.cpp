#include "study/sweep/swept_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "base/text/text.h"
#include "mechanism/mechanism.h"
#include "modelfile/load.h"
#include "output/column_choice.h"
#include "output/formats/csv.h"
#include "problems/catalogue.h"
#include "run/asked_start.h"
#include "run/run_request.h"

namespace raak {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_numbers = 1 << 20;  // of a case
constexpr double typical_share = 0.55;         // quantile of a typical value: near the middle, and not at its zero

ModelSource find_source(const SweepPlan& plan, Inputs& inputs) {
  const fs::path file = fs::path(plan.path).parent_path() / plan.model;
  if (inputs.has(file.string())) return load_model(file.string(), inputs.reader());
  std::vector<std::string> names;
  for (const ModelSource& source : problem_catalogue()) {
    if (source.name == plan.model) return source;
    names.push_back(source.name);
  }
  if (plan.model.ends_with(".toml"))
    refuse_at(plan.model_place,
              fmt::format("there is no model file \"{}\"; a model is named relative to the plan", file.string()));
  refuse_at(plan.model_place, unknown_name("model or file", plan.model, names));
}

// What a plan calls a velocity: "rod.omega" that of "rod.angle", "v.beta" that of "beta".
std::string velocity_word(const std::string& velocity, const ReportedNames& names) {
  for (const auto& [coordinate, ending] : {std::pair{".x", ".vx"}, {".y", ".vy"}, {".angle", ".omega"}}) {
    if (!velocity.ends_with(coordinate)) continue;
    std::string rate = velocity.substr(0, velocity.size() - std::string_view(coordinate).size()) + ending;
    if (velocity_of_rate(names, rate) == velocity) return rate;
  }
  return holds(names.positions, velocity) ? "v." + velocity : velocity;
}

Role role_of(const Factor& factor, const SweptModel& swept, const ReportedNames& names) {
  using Kind = Role::Kind;
  const std::vector<std::pair<std::string, Kind>> settings{{"rtol", Kind::rtol},
                                                           {"atol", Kind::atol},
                                                           {"until", Kind::until},
                                                           {"h0", Kind::first_step},
                                                           {"step", Kind::fixed_step}};
  std::vector<std::string> known;
  for (const Parameter& parameter : swept.base.all()) {
    if (parameter.name == factor.name) {
      if (!parameter.is_number())
        refuse_at(factor.place,
                  fmt::format("parameter \"{}\" is the word \"{}\" and no number: make a sweep for each of its words",
                              factor.name, parameter.value));
      return {.range = parameter.range};
    }
    known.push_back(parameter.name);
  }
  for (const auto& [name, kind] : settings) {
    if (name == factor.name) return {.kind = kind};
    known.push_back(name);
  }
  const auto place_among = [&](const std::vector<std::string>& all, const std::string& name) {
    return std::find(all.begin(), all.end(), name) - all.begin();
  };
  const auto found = [&](Kind kind, const std::vector<std::string>& all,
                         const std::string& name) -> std::optional<Role> {
    const auto place = place_among(all, name);
    if (place == static_cast<std::ptrdiff_t>(all.size())) return std::nullopt;
    return Role{.kind = kind, .place = place};
  };
  const bool is_rate = factor.name.starts_with("v."), is_position = factor.name.starts_with("q.");
  const std::string bare = is_rate || is_position ? factor.name.substr(2) : factor.name;
  if (!is_rate)
    if (const auto role = found(Kind::position, names.positions, bare)) return *role;
  if (!is_position)
    if (const auto role = found(Kind::velocity, names.velocities, velocity_of_rate(names, bare).value_or(bare)))
      return *role;
  known.insert(known.end(), names.positions.begin(), names.positions.end());
  for (const std::string& name : names.velocities) known.push_back(velocity_word(name, names));
  refuse_at(factor.place, unknown_name("parameter, start value or setting", factor.name, known));
}

void require_event(const KeptQuantity& kept, const Measure& measure, const Model& model) {
  std::vector<std::string> events;
  for (const ModelEvent& event : model.events) events.push_back(event.name);
  if (holds(events, measure.event)) return;
  refuse_at(kept.place, events.empty() ? fmt::format("the model has no events, and \"{}\" is kept", measure.text)
                                       : unknown_name("event", measure.event, events));
}

void add_kept(SweptModel& swept, const Model& model) {
  using Kind = Measure::Kind;
  const std::vector<std::string> columns = result_columns(*model.system), units = result_units(*model.system);
  const auto last = static_cast<std::ptrdiff_t>(columns.size());
  for (const KeptQuantity& kept : swept.plan.keep) {
    std::string name = kept.name;
    if (std::find(columns.begin(), columns.end(), name) == columns.end()) {
      if (const auto rate = velocity_of_rate(model.system->reported(), name)) name = "v." + *rate;
      else if (holds(columns, "q." + name)) name = "q." + name;
      else if (holds(columns, "v." + name)) name = "v." + name;
    }
    const auto found = std::find(columns.begin(), columns.end(), name) - columns.begin();
    if (found == last) refuse_at(kept.place, unknown_column(kept.name, columns));
    for (const Measure& measure : kept.measures) {
      KeptColumn column{kept.name + "." + measure.text,  kept.name,   {}, measure,
                        static_cast<std::size_t>(found), swept.width, 1};
      if (!units.empty()) column.unit = units[column.column];
      if (measure.kind == Kind::event || measure.kind == Kind::count) {
        require_event(kept, measure, model);
        column.unit = measure.kind == Kind::event ? "s" : "";
      }
      const bool is_balance = name == "energy.input" || name == "energy.dissipation" || name == "energy.balance";
      if (is_balance && measure.kind != Kind::end && measure.kind != Kind::min && measure.kind != Kind::max &&
          measure.kind != Kind::event && measure.kind != Kind::count)
        refuse_at(kept.place,
                  fmt::format("of \"{}\" the values at the ends of steps are known: keep end, min or max, found \"{}\"",
                              kept.name, measure.text));
      if (measure.kind == Kind::trajectory) column.width = swept.trajectory_times.size();
      swept.width += column.width;
      if (swept.width > most_numbers)
        refuse_at(
            kept.place,
            fmt::format("more than {} numbers of a case are kept; keep fewer, or trajectories with a larger every",
                        most_numbers));
      swept.kept.push_back(std::move(column));
    }
  }
}

bool keeps(const SweepPlan& plan, Measure::Kind kind) {
  for (const KeptQuantity& kept : plan.keep)
    for (const Measure& measure : kept.measures)
      if (measure.kind == kind) return true;
  return false;
}

void plan_times(SweptModel& swept, double start) {
  const SweepPlan& plan = swept.plan;
  const bool varies = std::any_of(swept.roles.begin(), swept.roles.end(),
                                  [](const Role& role) { return role.kind == Role::Kind::until; });
  const double until = swept.run.until;
  for (const KeptQuantity& kept : plan.keep)
    for (const Measure& measure : kept.measures)
      if (measure.kind == Measure::Kind::at && !varies &&
          !(measure.t >= std::min(start, until) && measure.t <= std::max(start, until)))
        refuse_at(kept.place, fmt::format("\"{}\" of \"{}\" is outside the run, which goes from {} to {} s",
                                          measure.text, kept.name, start, until));
  if (!keeps(plan, Measure::Kind::trajectory)) return;
  if (!plan.every)
    refuse_at(plan.keep.front().place, "a trajectory is kept, and the plan does not say how often: every = 0.001");
  if (varies)
    refuse_at(plan.keep.front().place,
              "trajectories have the same times in all cases, and until varies; leave one of them out");
  swept.trajectory_times = at_place(plan.every_place, [&] {
    return times_every(fmt::format("every = {}", exact_text(*plan.every)), *plan.every, start, until);
  });
}

std::vector<double> typical_numbers(const Design& design) {
  std::vector<double> numbers(design.factors().size());
  if (design.table_hash() != 0) {
    design.numbers(design.cases() / 2, numbers);
    return numbers;
  }
  for (std::size_t k = 0; k < numbers.size(); ++k)
    numbers[k] = design.factors()[k].distribution.quantile(typical_share);
  return numbers;
}

void set_fixed(const FixedParameter& fixed, Parameters& parameters) {
  at_place(fixed.place, [&] { parameters.set(fixed.name, fixed.value); });
}

// At typical values where the model can be built with them, else at its own.
Model first_build(SweptModel& swept) {
  try {
    return swept.source.build(swept.parameters_of(swept.typical), swept.form);
  } catch (const Error&) {
    swept.typical.clear();
    return swept.source.build(swept.base, swept.form);
  }
}

}  // namespace

Parameters SweptModel::parameters_of(std::span<const double> numbers) const {
  Parameters parameters = base;
  for (std::size_t k = 0; k < numbers.size(); ++k)
    if (roles[k].kind == Role::Kind::parameter) parameters.set(design.factors()[k].name, exact_text(numbers[k]));
  return parameters;
}

Run SweptModel::run_of(std::span<const double> numbers) const {
  Run asked = run;
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    const double value = numbers[k];
    if (roles[k].kind == Role::Kind::rtol) asked.rtol = value;
    if (roles[k].kind == Role::Kind::atol) asked.atol = value;
    if (roles[k].kind == Role::Kind::until) asked.until = value;
    if (roles[k].kind == Role::Kind::first_step) asked.first_step = {.seconds = value};
    if (roles[k].kind == Role::Kind::fixed_step) asked.fixed_step = value;
  }
  return asked;
}

bool SweptModel::varies_start() const {
  return std::any_of(roles.begin(), roles.end(), [](const Role& role) { return role.is_start(); });
}

bool SweptModel::varies_settings() const {
  return std::any_of(roles.begin(), roles.end(), [](const Role& role) { return role.is_setting(); });
}

void keep_references_of_start(const SweptModel& swept, const Parameters& parameters, Model& model) {
  if (model.references.empty() || !swept.varies_start()) return;
  try {
    keep_references_of_start(model, swept.source.build(parameters, swept.form).start);
  } catch (const Error&) {  // a start that there is none of is like no other
    model.references.clear();
  }
}

SweptModel read_swept_model(const std::string& plan_path, Inputs inputs) {
  SweepPlan plan = read_sweep_plan(plan_path, inputs.reader());
  Design design(plan, inputs.reader());
  ModelSource source = find_source(plan, inputs);
  SweptModel swept{
      .plan = std::move(plan), .design = std::move(design), .source = std::move(source), .run = {}, .base = {}};
  Run& run = swept.run =
      at_place(swept.plan.run_place, [&]() -> const Run& { return find_run(swept.source, swept.plan.run); });
  swept.base = swept.source.parameters;
  for (const auto& [name, value] : run.settings) swept.base.set(name, value);
  for (const FixedParameter& fixed : swept.plan.set) set_fixed(fixed, swept.base);
  if (swept.plan.rtol) {
    run.rtol = *swept.plan.rtol;
    run.atol.reset();
  }
  if (swept.plan.atol) run.atol = *swept.plan.atol;
  if (swept.plan.until) run.until = *swept.plan.until;
  if (swept.plan.method) run.method = *swept.plan.method;
  run.every = 0.0;
  run.at.clear();
  swept.form = run.form = find_method(method_of(run)).nearest(run.form);
  const Model own = swept.source.build(swept.base, swept.form);
  for (const Factor& factor : swept.design.factors())
    swept.roles.push_back(role_of(factor, swept, own.system->reported()));
  swept.typical = typical_numbers(swept.design);
  const Model model = first_build(swept);
  plan_times(swept, model.start.t);
  add_kept(swept, model);
  swept.files = inputs.files();
  return swept;
}

}  // namespace raak
