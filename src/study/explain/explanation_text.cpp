#include "study/explain/explanation_text.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/text/text.h"
#include "run/run_request.h"

namespace raak {
namespace {

constexpr std::size_t most_names = 6;

Json stiffness_document(const Stiffness& stiffness) {
  return {{"ratio", number_or_null(stiffness.ratio)},
          {"time_scale", number_or_null(stiffness.time_scale)},
          {"mode", mode_document(stiffness.mode)}};
}

}  // namespace

Json explanation_document(const std::string& model, const std::string& run, const ConstrainedSystem& system,
                          const Explanation& found) {
  const bool failed = !found.assembled || found.result.termination != Termination::ok;
  Json energies = Json::object();
  const std::vector<std::string> names = output_names(system);
  for (std::size_t i = 0; i < names.size() && found.assembled; ++i) {
    if (names[i].starts_with("energy."))
      energies[names[i]] = number_or_null(found.result.outputs[static_cast<Eigen::Index>(i)]);
  }
  return {
      {"model", model},
      {"run", run},
      {"status", failed ? "failed" : "ok"},
      {"cause", cause_name(found.cause)},
      {"message", found.finding},
      {"advice", found.advice},
      {"coordinates", found.coordinates},
      {"rows", found.rows},
      {"rank", found.assembled ? Json(found.rank) : Json(nullptr)},
      {"mobility", found.assembled ? Json(found.mobility) : Json(nullptr)},
      {"method_used", found.result.method},
      {"t_end", found.assembled ? number_or_null(found.result.end.t) : Json(nullptr)},
      {"conditioning", {{"start", conditioning_document(found.start)}, {"worst", conditioning_document(found.worst)}}},
      {"violation",
       {{"constraint", found.worst_constraint}, {"largest", found.worst_violation}, {"t", found.violation_time}}},
      {"shortest_step", {{"h", found.shortest_step}, {"t", found.shortest_step_time}}},
      {"stiffness", stiffness_document(found.stiffness)},
      {"diagnosis", diagnosis_document(found.diagnosis)},
      {"energy", std::move(energies)},
      {"energy_drift", number_or_null(found.result.quality.energy_drift)}};
}

namespace {

std::string conditioning_text(const Conditioning& c) {
  std::vector<std::string> names;
  for (const auto& [row, weight] : c.rows)
    if (names.size() < most_names)
      names.push_back(std::isfinite(weight) ? fmt::format("{} ({:.2f})", row.name(), weight) : row.name());
  if (c.rows.size() > most_names) names.push_back(fmt::format("and {} more", c.rows.size() - most_names));
  return fmt::format("{:.2e} at t = {:.6g} s: {}", c.ratio, c.t, names.empty() ? "no constraints" : join(names, ", "));
}

// Where it happened, beside what, and what grew: the facts that every finding has.
std::string facts(const Explanation& found) {
  std::string text;
  if (found.diagnosis) {
    const Diagnosis& d = *found.diagnosis;
    text += fmt::format("  where        t = {:.9g} s, {}\n", d.t,
                        d.step > 0.0 ? fmt::format("steps down to {:.2e} s", d.step) : "before the first step");
    if (!d.growing.empty() && d.growth >= worth_a_name)
      text += fmt::format("  growing      {}, to {:.3g}\n", d.growing, d.grown_to);
  }
  if (!found.worst_constraint.empty() && !found.assembled)
    text += fmt::format("  violation    {:.1e}, of \"{}\", in the configuration nearest to satisfying all\n",
                        found.worst_violation, found.worst_constraint);
  else if (!found.worst_constraint.empty())
    text += fmt::format("  violation    at most {:.1e}, of \"{}\" at t = {:.6g} s\n", found.worst_violation,
                        found.worst_constraint, found.violation_time);
  if (const FastestMode& mode = found.stiffness.mode;
      mode.speed() > 0.0 && found.cause != Explanation::Cause::stiffness)
    text += fmt::format("  fastest      {}, at t = {:.6g} s\n", text_of(mode), mode.t);
  return text;
}

}  // namespace

std::string text_of(const Explanation& found, const ConstrainedSystem& system) {
  std::string text = fmt::format("  finding      {}: {}\n", cause_name(found.cause), found.finding);
  if (!found.advice.empty()) text += fmt::format("  try          {}\n", found.advice);
  text += fmt::format("  motion       {} coordinates, {} constraint rows", found.coordinates, found.rows);
  if (!found.assembled) return text + "\n" + facts(found) + "  singular     " + conditioning_text(found.start) + "\n";
  text += fmt::format(" of rank {}: {} {} of freedom\n", found.rank, found.mobility,
                      found.mobility == 1 ? "degree" : "degrees");
  text += facts(found);
  text += "  singular     smallest over largest singular value of the constraints, and the constraints involved\n";
  text += "               start  " + conditioning_text(found.start) + "\n";
  text += "               worst  " + conditioning_text(found.worst) + "\n";
  if (found.result.statistics.steps == 0) return text;
  text +=
      fmt::format("  steps        {} with {}, the shortest {:.2e} s before t = {:.6g} s\n",
                  found.result.statistics.steps, found.result.method, found.shortest_step, found.shortest_step_time);
  const Vector& outputs = found.result.outputs;
  if (outputs.size() > 0 && system.accounts_for_energy()) {
    const auto energy = energies_of(outputs);
    text += fmt::format(
        "  energy       kinetic {:.6g} J, potential {:.6g} J, work input {:.6g} J, dissipated {:.6g} J; "
        "integration error {:.2e} J\n",
        energy[0], energy[1] + 0.0, energy[2] + 0.0, energy[3] + 0.0, energy[4]);  // no -0
  }
  return text;
}

}  // namespace raak
