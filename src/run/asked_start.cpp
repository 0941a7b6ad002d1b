#include "run/asked_start.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/text/text.h"

namespace raak {
namespace {

struct StartEntry {
  bool velocity = false;
  std::string name;
  Eigen::Index index = 0;
  std::optional<double> value;
};

StartEntry find_entry(const std::string& word, const StartValue& asked, const ReportedNames& names) {
  StartEntry entry{.name = asked.name, .value = asked.value};
  if (!holds(names.positions, entry.name) && (entry.name.starts_with("q.") || entry.name.starts_with("v."))) {
    entry.velocity = entry.name.front() == 'v';
    entry.name.erase(0, 2);
  } else if (!holds(names.positions, entry.name)) {
    // The rates of a planar body have names of their own; those of a spatial one are velocities only.
    const std::optional<std::string> velocity = velocity_of_rate(names, entry.name);
    entry.velocity = velocity || holds(names.velocities, entry.name);
    if (velocity) entry.name = *velocity;
  }
  const std::vector<std::string>& coordinates = entry.velocity ? names.velocities : names.positions;
  const auto found = std::find(coordinates.begin(), coordinates.end(), entry.name);
  if (found == coordinates.end()) refuse(word + ": " + unknown_name("coordinate", entry.name, coordinates));
  entry.index = found - coordinates.begin();
  return entry;
}

}  // namespace

void apply_start(StartRequest& start, const ReportedNames& names, const std::vector<StartValue>& trust,
                 const std::vector<StartValue>& guess, const StartWords& words) {
  std::vector<std::string> positions;
  std::vector<std::string> velocities;
  for (const StartValue& value : trust) {
    const StartEntry entry = find_entry(words.trust, value, names);
    std::vector<std::string>& trusted = entry.velocity ? velocities : positions;
    if (holds(trusted, entry.name)) refuse(words.trust + " names " + value.name + " twice");
    trusted.push_back(entry.name);
    if (entry.value) (entry.velocity ? start.v : start.q)[entry.index] = *entry.value;
  }
  if (!positions.empty()) start.trusted_positions = positions;
  if (!velocities.empty()) start.trusted_velocities = velocities;
  for (const StartValue& value : guess) {
    const StartEntry entry = find_entry(words.guess, value, names);
    if (!entry.value) refuse(words.guess + " expects NAME=VALUE, found \"" + value.name + "\"");
    if (holds(entry.velocity ? start.trusted_velocities : start.trusted_positions, entry.name)) {
      refuse(fmt::format("{} {}={}: this coordinate is trusted; change its value with {} {}={}", words.guess,
                         value.name, exact_text(*value.value), words.trust, value.name, exact_text(*value.value)));
    }
    (entry.velocity ? start.v : start.q)[entry.index] = *entry.value;
  }
}

void restart(Model& model, const std::vector<StartValue>& trust, const std::vector<StartValue>& guess,
             const StartWords& words) {
  const StartRequest own = model.start;
  apply_start(model.start, model.system->reported(), trust, guess, words);
  keep_references_of_start(model, own);
}

void keep_references_of_start(Model& model, const StartRequest& own) {
  if (model.references.empty()) return;
  const State before = consistent_start(model, own);
  const State after = consistent_start(model);
  const double change = (after.q - before.q).norm() + (after.v - before.v).norm();
  if (change > 1e-14 * (1.0 + before.q.norm() + before.v.norm())) model.references.clear();
}

}  // namespace raak
