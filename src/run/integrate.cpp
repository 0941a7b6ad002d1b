#include "run/integrate.h"

#include "kinematics/start/consistent_start.h"
#include "run/plan_checks.h"
#include "run/run_loop.h"

namespace raak {

std::string line_of(const Note& note) {
  return (note.severity == Note::Severity::warning ? "warning: " : "note: ") + note.text;
}

void Result::warn(std::string text, Diagnosis::Cause cause) {
  notes.push_back({Note::Severity::warning, Note::When::after, std::move(text), cause});
}

std::vector<std::string> Result::warnings() const {
  std::vector<std::string> texts;
  for (const Note& note : notes)
    if (note.severity == Note::Severity::warning) texts.push_back(note.text);
  return texts;
}

Result integrate(const ConstrainedSystem& system, const State& start, const Plan& plan, const Observer& observer) {
  require_plan(system, start, plan);
  return RunLoop(system, completed_start(system, start), plan, observer).run();
}

}  // namespace raak
