// `raak explain`: what is remarkable about a model and, if it goes wrong, why and what to try.
#include "study/explain/explain.h"

#include "cli/commands/commands.h"
#include "cli/interrupt.h"
#include "cli/request/arguments.h"
#include "cli/request/chosen_model.h"
#include "cli/request/run_plan.h"
#include "cli/terminal/terminal.h"
#include "run/run_request.h"
#include "study/explain/explanation_text.h"

namespace raak::cli {

int explain(const ExplainOptions& options) {
  const ChosenModel chosen = choose_model(options.model, options.method);
  Plan plan;
  plan.until = options.until ? read_number("--until", *options.until) : chosen.run->until;
  plan.method = chosen.method;
  plan.form = chosen.form;
  plan.tolerances = read_tolerances(options.rtol, {}, *chosen.run);
  plan.events = events_of(chosen.model);
  plan.estimate_sensitivity = true;
  plan.stop = &listen_for_interrupt();
  const Explanation found = explain_model(chosen.model, plan);
  const ConstrainedSystem& system = *chosen.model.system;
  if (options.json) print_data(text_of(explanation_document(chosen.source->name, chosen.run->name, system, found)));
  else print_styled(heading(chosen.source->name, chosen.source->title) + text_of(found, system));
  return found.assembled && found.result.termination == Termination::interrupted ? 130 : 0;
}

}  // namespace raak::cli
