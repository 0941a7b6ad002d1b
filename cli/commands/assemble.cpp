// `raak assemble`: the consistent start of a model, how it can move and how well its constraints are conditioned.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/text/text.h"
#include "cli/commands/commands.h"
#include "cli/request/chosen_model.h"
#include "cli/terminal/terminal.h"
#include "kinematics/start/consistent_start.h"
#include "output/formats/json.h"
#include "system/turn_gauge.h"

namespace raak::cli {
namespace {

constexpr double poor_condition = 1e-6;

std::string condition_note(const RankReport& rank) {
  const Vector& sigma = rank.singular_values;
  if (sigma.size() == 0 || sigma[sigma.size() - 1] >= poor_condition * sigma[0]) return "";
  return fmt::format(
      "the smallest singular value is {:.1e} of the largest: the mechanism is in or near a singular configuration, or "
      "constraint rows repeat each other; multipliers are not reliable there",
      sigma[sigma.size() - 1] / sigma[0]);
}

// Of a large mechanism the first ones stand for all.
std::size_t shown_of(std::size_t count) {
  constexpr std::size_t few = 300, first = 12;
  return count > few ? first : count;
}
std::string rest_of(std::size_t count) {
  return shown_of(count) < count ? fmt::format("    and {} more (--json lists them all)\n", count - shown_of(count))
                                 : "";
}
std::string list_of(const std::vector<std::string>& words) {
  if (words.empty()) return "none";
  if (shown_of(words.size()) == words.size()) return join(words);
  const auto end = words.begin() + static_cast<std::ptrdiff_t>(shown_of(words.size()));
  return join({words.begin(), end}) + fmt::format(" and {} more", words.size() - shown_of(words.size()));
}

// "low (force.y, force.z)" of "low.force.y" and "low.force.z".
std::vector<std::string> by_joint(const std::vector<std::string>& components) {
  std::vector<std::string> texts;
  std::string joint;
  for (const std::string& name : components) {
    const std::size_t dot = std::min(name.find('.'), name.size());
    const std::string component = dot < name.size() ? name.substr(dot + 1) : "";
    if (!texts.empty() && name.substr(0, dot) == joint && !component.empty()) {
      texts.back().insert(texts.back().size() - 1, ", " + component);
      continue;
    }
    joint = name.substr(0, dot);
    texts.push_back(component.empty() ? joint : fmt::format("{} ({})", joint, component));
  }
  return texts;
}

Json mobility_document(const MobilityReport* report) {
  if (report == nullptr) return nullptr;
  return {{"bodies", report->bodies},
          {"coordinates", report->coordinates},
          {"rows", report->rows},
          {"rank", report->rank},
          {"mobility", report->mobility},
          {"gruebler", report->gruebler},
          {"drivers", report->drivers},
          {"redundant", report->rows - report->rank},
          {"momentary", report->momentary},
          {"sharing", report->sharing},
          {"indeterminate", report->sharing},
          {"indeterminate_components", report->indeterminate},
          {"infinitesimal", report->infinitesimal()},
          {"notes", report->notes}};
}

std::string mobility_text(const MobilityReport& report) {
  std::string text = fmt::format("  bodies       {} with {} coordinates, {} joint rows\n", report.bodies,
                                 report.coordinates, report.rows);
  text += fmt::format("  mobility     {} (Gruebler formula: {})\n", report.mobility, report.gruebler);
  if (report.rows > report.rank) {
    text += fmt::format("  redundant    {} of the rows, shared by: {}\n", report.rows - report.rank,
                        list_of(report.sharing));
    text += fmt::format("  reactions    not unique in: {}\n", list_of(by_joint(report.indeterminate)));
  } else {
    text += "  reactions    unique in every joint\n";
  }
  if (report.momentary > 0)
    text += fmt::format("  singular     {} more of the rows are dependent at the start only\n", report.momentary);
  if (report.mobility == 0 && report.drivers > 0)
    text += fmt::format("  driven       fully: {} {} every motion\n", report.drivers,
                        report.drivers == 1 ? "driver prescribes" : "drivers prescribe");
  else if (report.mobility == 0) text += "  note         this is a structure: nothing can move\n";
  for (std::size_t i = 0; i < shown_of(report.notes.size()); ++i)
    text += fmt::format("  note         {}\n", report.notes[i]);
  return text + rest_of(report.notes.size());
}

// Of the start: all that there is to say about a structure.
Vector outputs_at(const ConstrainedSystem& system, const State& start) {
  Vector values(system.outputs());
  if (values.size() > 0) system.evaluate_outputs(start, values);
  return values;
}

Json outputs_document(const ConstrainedSystem& system, const State& start) {
  Json outputs = Json::object();
  const Vector values = outputs_at(system, start);
  for (Eigen::Index i = 0; i < values.size(); ++i)
    outputs[system.description().outputs[static_cast<std::size_t>(i)]] = number_or_null(values[i]);
  return outputs;
}

std::string outputs_text(const ConstrainedSystem& system, const State& start) {
  const Vector values = outputs_at(system, start);
  const auto count = static_cast<std::size_t>(values.size());
  std::string text = count > 0 ? "  outputs at the start\n" : "";
  for (std::size_t i = 0; i < shown_of(count); ++i) {
    const double value = values[static_cast<Eigen::Index>(i)];
    text += fmt::format("    {:<33}{:>23}\n", system.description().outputs[i],
                        std::isfinite(value) ? fmt::format("{:.16g}", value) : "has no value");
  }
  return text + rest_of(count);
}

// A structure in a singular configuration stays where it is, whatever its joints leave open at first order, and what
// holds it there has no finite value.
State shown_start(const ChosenModel& chosen, const State& inner) {
  State start;
  chosen.model.system->report(inner, start);
  const MobilityReport* const mobility = chosen.model.mobility.get();
  if (mobility != nullptr && mobility->mobility == 0 && mobility->infinitesimal() > 0) {
    start.a.setZero();
    start.lambda.setConstant(std::numeric_limits<double>::quiet_NaN());
  }
  return start;
}

Json document(const ChosenModel& chosen, const State& inner, const RankReport& rank) {
  const ConstrainedSystem& system = *chosen.model.system;
  const State start = shown_start(chosen, inner);
  return {{"model", chosen.source->name},
          {"run", chosen.run->name},
          {"formulation", name_of(chosen.form)},
          {"status", "ok"},
          {"message", condition_note(rank)},
          {"coordinates", coordinates_without_centres(system)},
          {"position_rows", system.position_rows()},
          {"velocity_rows", system.velocity_rows()},
          {"rank", rank.rank},
          {"mobility", rank.mobility},
          {"singular_values", array_of(rank.singular_values)},
          {"names", system.reported().positions},
          {"names_v", system.reported().velocities},
          {"constraints", names_of(system.reported().rows)},
          {"mechanism", mobility_document(chosen.model.mobility.get())},
          {"outputs", outputs_document(system, inner)},
          {"trusted", {{"q", chosen.model.start.trusted_positions}, {"v", chosen.model.start.trusted_velocities}}},
          {"start",
           {{"t", start.t},
            {"q", array_of(start.q)},
            {"v", array_of(start.v)},
            {"a", array_of(start.a)},
            {"lambda", array_of(start.lambda)}}}};
}

std::string report(const ChosenModel& chosen, const State& inner, const RankReport& rank) {
  const ConstrainedSystem& system = *chosen.model.system;
  const ReportedNames& names = system.reported();
  const State start = shown_start(chosen, inner);
  std::string text = heading(chosen.source->name, chosen.source->title);
  if (chosen.model.mobility) text += mobility_text(*chosen.model.mobility);
  text += fmt::format("  coordinates  {}; constraint rows {} (position), {} (velocity)\n",
                      coordinates_without_centres(system), system.position_rows(), system.velocity_rows());
  // Motions that exist at first order only are none.
  const MobilityReport* const mobility = chosen.model.mobility.get();
  const int ways = rank.mobility - (mobility != nullptr ? mobility->infinitesimal() : 0);
  text += fmt::format("  rank         {}: {} {} of freedom\n", rank.rank, ways, ways == 1 ? "degree" : "degrees");
  text += fmt::format("  trusted      positions {}; velocities {}\n", list_of(chosen.model.start.trusted_positions),
                      list_of(chosen.model.start.trusted_velocities));
  text += fmt::format("  start at t = {} s\n", exact_text(start.t));
  std::size_t width = 10;
  for (const auto* list : {&names.positions, &names.velocities})
    for (const std::string& name : *list) width = std::max(width, name.size() + 2);
  const bool same = names.positions == names.velocities;
  text += fmt::format("    {:<{}}{:>23}", "", width, "position q") +
          (same ? fmt::format("{:>23}{:>23}\n", "velocity v", "acceleration a") : "\n");
  for (std::size_t i = 0; i < shown_of(names.positions.size()); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    text += fmt::format("    {:<{}}{:>23.16g}", names.positions[i], width, start.q[k]) +
            (same ? fmt::format("{:>23.16g}{:>23.16g}\n", start.v[k], start.a[k]) : "\n");
  }
  text += rest_of(names.positions.size());
  if (!same) text += fmt::format("    {:<{}}{:>23}{:>23}\n", "", width, "velocity v", "acceleration a");
  for (std::size_t i = 0; !same && i < shown_of(names.velocities.size()); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    text += fmt::format("    {:<{}}{:>23.16g}{:>23.16g}\n", names.velocities[i], width, start.v[k], start.a[k]);
  }
  if (!same) text += rest_of(names.velocities.size());
  if (start.lambda.size() > 0) text += "  multipliers lambda\n";
  const auto multipliers = static_cast<std::size_t>(start.lambda.size());
  for (std::size_t i = 0; i < shown_of(multipliers); ++i) {
    const double lambda = start.lambda[static_cast<Eigen::Index>(i)];
    const std::string value = std::isfinite(lambda) ? fmt::format("{:.16g}", lambda) : "not unique";
    text += fmt::format("    {:<33}{:>23}\n", i < names.rows.size() ? names.rows[i].name() : "", value);
  }
  text += rest_of(multipliers);
  text += outputs_text(system, inner);
  if (rank.singular_values.size() > 0) {
    text += "  singular values of the scaled constraint Jacobian\n   ";
    for (const double sigma : rank.singular_values) text += fmt::format(" {:.4g}", sigma);
    text += "\n";
  }
  const std::string note = condition_note(rank);
  return note.empty() ? text : text + "  note: " + note + "\n";
}

// What a run would refuse: outputs and events that speak of unknown things.
void require_meaning(const Model& model, const State& start) {
  Vector values(model.system->outputs());
  if (model.system->outputs() > 0) model.system->evaluate_outputs(start, values);
  for (std::size_t i = 0; i < model.events.size(); ++i) event_value(*model.event_functions, i, start);
}

}  // namespace

int assemble(const AssembleOptions& options) {
  const ChosenModel chosen = choose_model(options.model, default_method);
  const State start = consistent_start(chosen.model);
  require_meaning(chosen.model, start);
  const RankReport rank = constraint_rank(*chosen.model.system, start.t, start.q);
  if (options.json) print_data(text_of(document(chosen, start, rank)));
  else print_styled(report(chosen, start, rank));
  return 0;
}

}  // namespace raak::cli
