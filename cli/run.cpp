// `raak run`: from a model's name to results, the walk through the whole library.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/text.h"
#include "cli/arguments.h"
#include "cli/chosen_model.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/summary.h"
#include "cli/terminal.h"
#include "output/csv.h"
#include "output/folder.h"
#include "output/json.h"
#include "run/integrate.h"
#include "study/accuracy.h"

namespace raak::cli {
namespace {

// The files of --out: rows arrive while the run goes on; nothing stays behind unless finish() is reached.
class RunFiles {
 public:
  RunFiles(const std::string& path, const ConstrainedSystem& system, bool trace)
      : system_(system), folder_(path), rows_(folder_.path() / "result.csv", result_columns(system)), trace_(trace) {}

  void add(const Sample& sample) {
    write_result_row(rows_, system_, sample);
    if (!trace_ || sample.independent == nullptr || sample.independent->z.size() == 0) return;
    if (!trace_rows_) {
      trace_rows_ = std::make_unique<CsvFile>(folder_.path() / "trace.csv", trace_columns(*sample.independent));
    }
    write_trace_row(*trace_rows_, sample.state.t, *sample.independent);
  }

  void finish(const std::string& document, const std::string& note) {
    rows_.finish(note);
    if (trace_rows_) trace_rows_->finish(note);
    else folder_.remove("trace.csv");
    folder_.write("run.json", document);
  }

  std::string document_path() const { return (folder_.path() / "run.json").string(); }

 private:
  const ConstrainedSystem& system_;
  OutputFolder folder_;
  CsvFile rows_;
  bool trace_;
  std::unique_ptr<CsvFile> trace_rows_;
};

void require_trace(const RunOptions& options, const MethodInfo& asked) {
  if (!asked.has_trace) {
    std::vector<std::string> able;
    for (const MethodInfo& method : method_catalogue()) {
      if (method.has_trace) able.push_back(method.name);
    }
    throw Error(ErrorKind::request,
                fmt::format("--trace needs a method with independent coordinates, and \"{}\" has none. There are: {}",
                            asked.name, join(able)));
  }
  if (!options.out) throw Error(ErrorKind::request, "--trace writes trace.csv: name a folder for it with --out");
}

Plan make_plan(const RunOptions& options, const ChosenModel& chosen) {
  const double start = chosen.model.start.t;
  Plan plan;
  plan.until = options.until ? read_number("--until", *options.until) : chosen.run->until;
  plan.method = options.method;
  plan.form = chosen.form;
  plan.tolerances = read_tolerances(options.rtol, options.atol, chosen.run->rtol);
  if (options.first_step) plan.first_step = read_positive("--h0", *options.first_step);
  if (options.fixed_step) plan.fixed_step = read_positive("--step", *options.fixed_step);
  if (options.fixed_step && options.first_step) throw Error(ErrorKind::request, "give --h0 or --step, not both");
  if (options.every && options.at) throw Error(ErrorKind::request, "give --every or --at, not both");
  if (options.every) plan.sample_times = read_every(*options.every, start, plan.until);
  if (options.at) plan.sample_times = read_at(*options.at, start, plan.until);
  for (const ModelEvent& event : chosen.model.events) {
    plan.events.push_back({event.name, event.value,
                           event.direction == "up"     ? Event::Direction::up
                           : event.direction == "down" ? Event::Direction::down
                                                       : Event::Direction::any,
                           event.stop ? Event::Action::stop : Event::Action::record});
  }
  plan.stop = &listen_for_interrupt();
  return plan;
}

RunRecord make_record(const RunOptions& options, const ChosenModel& chosen, const Plan& plan, const Result& result) {
  RunRecord record{program_name(), chosen.source->name, chosen.run->name, options.method, plan.tolerances, {}};
  if (result.termination == Termination::ok) {
    const Tolerance& tolerance = plan.tolerances.q;
    const Accuracy accuracy = measure_accuracy(chosen.model, result.form, result, tolerance.rtol, tolerance.atol);
    record.digits = {accuracy.scd, accuracy.mescd, accuracy.scd_published, accuracy.mescd_published};
  }
  return record;
}

std::string partial_note(const Result& result) {
  if (result.termination == Termination::ok) return "";
  return fmt::format("{} at t = {} s: {}", status_name(result.termination), exact_text(result.end.t), result.message);
}

int exit_code(Termination termination) {
  switch (termination) {
    case Termination::ok:
      return 0;
    case Termination::failed:
      return static_cast<int>(ErrorKind::computation);
    case Termination::interrupted:
      return static_cast<int>(ErrorKind::interrupted);
  }
  return static_cast<int>(ErrorKind::internal);
}

}  // namespace

int run(const RunOptions& options) {
  const MethodInfo& method = find_method(options.method);
  if (options.trace) require_trace(options, method);
  const ChosenModel chosen = choose_model(options.model, options.method);
  const ConstrainedSystem& system = *chosen.model.system;
  const Plan plan = make_plan(options, chosen);
  const State start = consistent_start(chosen.model);
  const bool at_rest = start.v.norm() == 0.0 && start.a.norm() <= 1e-9;
  if (chosen.model.mobility && chosen.model.mobility->mobility == 0 && at_rest) {
    throw Error(ErrorKind::computation,
                "nothing can move: the mechanism is a structure. Its reactions: raak assemble " + chosen.source->name);
  }

  std::unique_ptr<RunFiles> files;
  if (options.out) files = std::make_unique<RunFiles>(*options.out, system, options.trace);
  const Observer observer = files ? Observer([&](const Sample& sample) { files->add(sample); }) : Observer();
  const Result result = integrate(system, start, plan, observer);

  const RunRecord record = make_record(options, chosen, plan, result);
  const std::string document = text_of(run_document(record, system, result));
  if (files) files->finish(document, partial_note(result));

  if (options.json) {
    print(document);
    return exit_code(result.termination);
  }
  for (const std::string& warning : result.warnings) complain("warning: " + warning);
  if (!options.quiet) print(summarize(chosen, record, plan.until, result));
  if (!result.message.empty()) complain(result.message);
  if (files && !options.quiet) print(files->document_path() + "\n");
  return exit_code(result.termination);
}

}  // namespace raak::cli
