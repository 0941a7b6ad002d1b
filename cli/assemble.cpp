// `raak assemble`: the consistent start of a model, how it can move and how well its constraints are conditioned.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/text.h"
#include "cli/chosen_model.h"
#include "cli/commands.h"
#include "cli/terminal.h"
#include "output/json.h"
#include "system/consistent_start.h"

namespace raak::cli {
namespace {

constexpr double poor_condition = 1e-6;

std::string condition_note(const RankReport& rank) {
  const Vector& sigma = rank.singular_values;
  if (sigma.size() == 0 || sigma[sigma.size() - 1] >= poor_condition * sigma[0]) return "";
  return fmt::format(
      "the smallest singular value is {:.1e} of the largest: the mechanism is in or near a singular pose, or "
      "constraint "
      "rows repeat each other; multipliers are not reliable there",
      sigma[sigma.size() - 1] / sigma[0]);
}

Json document(const ChosenModel& chosen, const State& start, const RankReport& rank) {
  const ConstrainedSystem& system = *chosen.model.system;
  return {{"model", chosen.source->name},
          {"run", chosen.run->name},
          {"formulation", chosen.form},
          {"status", "ok"},
          {"message", condition_note(rank)},
          {"coordinates", system.coordinates()},
          {"position_rows", system.position_rows()},
          {"velocity_rows", system.velocity_rows()},
          {"rank", rank.rank},
          {"mobility", rank.mobility},
          {"singular_values", array_of(rank.singular_values)},
          {"names", system.description().coordinates},
          {"names_v", system.description().coordinates},
          {"constraints", system.description().constraints},
          {"trusted", {{"q", chosen.model.start.trusted_positions}, {"v", chosen.model.start.trusted_velocities}}},
          {"start",
           {{"t", start.t},
            {"q", array_of(start.q)},
            {"v", array_of(start.v)},
            {"a", array_of(start.a)},
            {"lambda", array_of(start.lambda)}}}};
}

std::string report(const ChosenModel& chosen, const State& start, const RankReport& rank) {
  const ConstrainedSystem& system = *chosen.model.system;
  const Description& names = system.description();
  const auto list = [](const std::vector<std::string>& words) { return words.empty() ? "none" : join(words); };
  std::string text = fmt::format("{}: {}\n", chosen.source->name, chosen.source->title);
  text += fmt::format("  coordinates  {}; constraint rows {} (position), {} (velocity)\n", system.coordinates(),
                      system.position_rows(), system.velocity_rows());
  text += fmt::format("  rank         {}: the mechanism can move in {} {}\n", rank.rank, rank.mobility,
                      rank.mobility == 1 ? "way" : "independent ways");
  text += fmt::format("  trusted      positions {}; velocities {}\n", list(chosen.model.start.trusted_positions),
                      list(chosen.model.start.trusted_velocities));
  text += fmt::format("  start at t = {} s\n    {:<10}{:>23}{:>23}{:>23}\n", exact_text(start.t), "", "position q",
                      "velocity v", "acceleration a");
  for (std::size_t i = 0; i < names.coordinates.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    text += fmt::format("    {:<10}{:>23.16g}{:>23.16g}{:>23.16g}\n", names.coordinates[i], start.q[k], start.v[k],
                        start.a[k]);
  }
  if (start.lambda.size() > 0) text += "  multipliers lambda\n";
  for (Eigen::Index k = 0; k < start.lambda.size(); ++k) {
    const auto i = static_cast<std::size_t>(k);
    text += fmt::format("    {:<33}{:>23.16g}\n", i < names.constraints.size() ? names.constraints[i] : "",
                        start.lambda[k]);
  }
  text += "  singular values of the scaled constraint Jacobian\n   ";
  for (const double sigma : rank.singular_values) text += fmt::format(" {:.4g}", sigma);
  text += "\n";
  const std::string note = condition_note(rank);
  return note.empty() ? text : text + "  note: " + note + "\n";
}

}  // namespace

int assemble(const AssembleOptions& options) {
  const ChosenModel chosen = choose_model(options.model, "auto");
  const State start = make_consistent(*chosen.model.system, chosen.model.start);
  const RankReport rank = constraint_rank(*chosen.model.system, start.t, start.q);
  print(options.json ? text_of(document(chosen, start, rank)) : report(chosen, start, rank));
  return 0;
}

}  // namespace raak::cli
