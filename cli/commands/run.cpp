// `raak run`: from a model's name to results, the walk through the whole library.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/archive.h"
#include "base/error.h"
#include "cli/commands/commands.h"
#include "cli/request/arguments.h"
#include "cli/request/chosen_model.h"
#include "cli/request/run_plan.h"
#include "cli/request/sweep_case.h"
#include "cli/results/checkpoint.h"
#include "cli/results/run_plots.h"
#include "cli/terminal/open_file.h"
#include "cli/terminal/printed_table.h"
#include "cli/terminal/progress.h"
#include "cli/terminal/row_printer.h"
#include "cli/terminal/terminal.h"
#include "modelfile/known_values.h"
#include "output/folder/room.h"
#include "output/folder/run_files.h"
#include "output/formats/json.h"
#include "run/integrate.h"
#include "run/plan_checks.h"
#include "study/explain/explain.h"
#include "study/explain/failed_start.h"
#include "study/model_run.h"
#include "study/summary.h"

namespace raak::cli {
namespace {

// None where the mechanism cannot be assembled: then the reason has been printed.
std::optional<State> find_start(const RunOptions& options, const ChosenModel& chosen, const Plan& plan) {
  try {
    return consistent_start(chosen.model);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::computation) throw;
    report_refused_start(error, explain_model(chosen.model, plan), options.json);
    return std::nullopt;
  }
}

// Anything unusual about the mechanism, such as a free body; often nothing.
std::vector<Note> notes_on(const Model& model) {
  if (!model.mobility || model.mobility->notes.empty()) return {};
  const std::vector<std::string>& notes = model.mobility->notes;
  const std::string more = notes.size() > 1 ? fmt::format(", and {} more", notes.size() - 1) : "";
  return {{.severity = Note::Severity::note, .text = notes.front() + more}};
}

// With a progress bar for a person who waits; it is gone when this returns.
Result integrate_watched(const ConstrainedSystem& system, const State& start, Plan& plan, const Observer& observer,
                         bool watched) {
  if (!watched) return integrate(system, start, plan, observer);
  ProgressBar bar(start.t, plan.until);
  const StepObserver inner = plan.step_taken;
  plan.step_taken = [&](const StepReport& step) {
    if (inner) inner(step);
    bar.step(step);
  };
  Result result = integrate(system, start, plan, observer);
  plan.step_taken = inner;
  return result;
}

RunRecord make_record(const RunOptions& options, const ChosenModel& chosen, const Plan& plan, const Result& result) {
  RunRecord record = record_of(*chosen.source, chosen.model, chosen.run->name, plan, result);
  record.command = options.command;
  return record;
}

// Files that could not be written make a failed run of one that came to its end.
void take_over_missing(const Json& document, Result& result) {
  if (!document.contains("missing")) return;
  result.message = document.at("message").get<std::string>();
  if (result.termination == Termination::ok) result.termination = Termination::failed;
}

// Completes the files of the run with its plots, and the document by what they lack.
void finish_with_plots(RunFiles& files, const ChosenModel& chosen, const RunRecord& record, Result& result,
                       const std::vector<std::string>& plots, Json& document) {
  gather_frames(files, result);
  for (std::string& warning : empty_plots(plots, files.recording(), document["reactions"]))
    result.warn(std::move(warning));
  document["warnings"] = result.warnings();
  finish_files(files, *chosen.source, chosen.parameters, chosen.model, record, result, document,
               draw_plots(plots, chosen.source->name, files.recording()));
}

// The report of a huge model shows fewer moments, unless --frames asks for more.
std::vector<Note> notes_on_frames(const RunOptions& options, const Plan& plan, std::size_t columns) {
  const std::size_t moments = plan.frame_times.size();
  if (!options.out || options.frames || moments <= 1 || static_cast<long>(moments) > default_frames) return {};
  return {
      {.severity = Note::Severity::note,
       .text = fmt::format("the report shows {} moments instead of {}, since each takes {} numbers; --frames sets it",
                           moments - 1, default_frames, columns)}};
}

// How large the files will be, where the number of their rows is known.
void foresee_files(const RunOptions& options, const Model& model, const Plan& plan, std::size_t chosen_columns,
                   std::vector<std::string>& complaints) {
  const std::size_t all = result_columns(*model.system).size();
  const std::size_t columns = chosen_columns > 0 ? 1 + chosen_columns : all;
  const ResultSize size{plan.sample_times.size(), columns, plan.frame_times.size(), model.drawing.numbers(),
                        read_formats(options),    all};
  const std::string remark = foresee_room(*options.out, size);
  if (remark.empty()) return;
  if (!options.json) complain(remark);
  complaints.push_back(remark);
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

void require_printed_table(const ChosenModel& chosen) {
  if (find_printed_table(chosen.model) != nullptr) return;
  throw Error(
      ErrorKind::request,
      fmt::format("--printed compares with a table of the model's document, and there is none for {} run {} with "
                  "these parameters. There is one for: raak run pendulum --run printed",
                  chosen.source->name, chosen.run->name));
}

Trace trace_of(const RunOptions& options) {
  return options.trace_matrices ? Trace::matrices : options.trace ? Trace::coordinates : Trace::none;
}

// What can be said of the method and the tolerances before a run that may take long for them.
void foresee_warnings(const ConstrainedSystem& system, const Plan& plan, std::vector<Note>& notes) {
  usable(serving_method(system, find_method(plan.method)), plan.tolerances, notes);
}

}  // namespace

namespace {

// Known values of the user's own beside the references of the model, which alone count digits.
void add_history(const RunOptions& options, const Plan& plan, ChosenModel& chosen) {
  if (!options.against) return;
  Run run = *chosen.run;
  run.until = plan.until;
  Model& model = chosen.model;
  model.references.push_back(read_history(*options.against, *model.system, model.start.t, run));
}

// Has the state of the run and of its files written now and then.
void plan_checkpoints(const RunOptions& options, RunFiles& files, const Checkpoint* saved, Plan& plan) {
  if (saved != nullptr) plan.checkpoints.state = saved->run;
  if (!options.checkpoint) return;
  plan.checkpoints.seconds = read_positive("--checkpoint", *options.checkpoint);
  plan.checkpoints.write =
      [&files, next = saved != nullptr ? *saved : begin_checkpoint(options)](const std::string& state) mutable {
        try {
          Archive archive;
          files.visit_state(archive);
          next.files = archive.bytes();
          next.run = state;
          files.write_checkpoint(next.bytes());
        } catch (const Error& error) {
          end_recording(error);
        }
      };
}

int run_from(const RunOptions& options, ChosenModel chosen, const Checkpoint* saved) {
  const ConstrainedSystem& system = *chosen.model.system;
  Plan plan = make_plan(options, chosen);
  add_history(options, plan, chosen);
  const std::vector<std::string> plots = read_plots(options, system), columns = read_columns(options, system);
  if (options.printed) require_printed_table(chosen);
  std::optional<RowPrinter> printer;
  if (options.print) printer.emplace(*options.print, system, find_method(chosen.method));
  const std::optional<State> start = find_start(options, chosen, plan);
  if (!start) return static_cast<int>(ErrorKind::computation);
  refuse_structure(chosen.model, *start, "raak assemble " + chosen.source->name);

  std::vector<Note> notes = notes_on(chosen.model);
  if (!options.json) foresee_warnings(system, plan, notes);
  std::vector<std::string> complaints;
  const auto complain_of = [&](const Note& note) { complain(complaints.emplace_back(line_of(note))); };
  for (const Note& note : notes) complain_of(note);  // before a run that may take long
  std::unique_ptr<RunFiles> files;
  Observer observer;
  if (options.out) {
    if (saved == nullptr) foresee_files(options, chosen.model, plan, columns.size(), complaints);
    files = std::make_unique<RunFiles>(*options.out, chosen.model, trace_of(options), read_formats(options),
                                       saved != nullptr ? saved->files : std::string(), columns);
    plan_checkpoints(options, *files, saved, plan);
    observer = write_to(*files, plan);
  }
  if (printer) {
    observer = [&, keep = std::move(observer)](const Sample& sample) {
      printer->add(sample);
      if (keep) keep(sample);
    };
  }
  const bool watched = !options.quiet && !printer && error_is_watched();
  Result result = integrate_watched(system, *start, plan, observer, watched);
  name_sharing(result, chosen.model);

  const RunRecord record = make_record(options, chosen, plan, result);
  Json document;  // empty where nobody sees it
  if (files || options.json) document = run_document(record, system, result);
  std::optional<PrintedTable> beside_print;
  if (result.termination == Termination::ok) beside_print = compare_with_print(chosen.model, *start, plan);
  if (beside_print && (files || options.json)) document["printed"] = printed_document(*beside_print);
  if (files) finish_with_plots(*files, chosen, record, result, plots, document);
  take_over_missing(document, result);
  if (options.json) {
    print_data(text_of(document));
    if (files && options.open) open_file(files->main_path());
    return exit_code(result.termination);
  }

  for (const Note& note : result.notes)
    if (note.when == Note::When::after) complain_of(note);
  for (const Note& note : notes_on_frames(options, plan, result_columns(system).size())) complain_of(note);
  if (!result.message.empty()) complaints.push_back(result.message);
  if (!options.quiet) {
    std::string beside = files ? files->main_path() + "\n" : "";
    for (const std::string& complaint : complaints) beside += fmt::format("raak: {}\n", complaint);
    print_styled(summarize(chosen.model, record, plan.until, result, screen_lines_of(beside)));
  }
  if (beside_print && options.printed) print_text(rows_text(*beside_print));
  if (beside_print && !options.quiet) print_text(columns_text(*beside_print));
  if (!result.message.empty()) complain(result.message);
  if (files && !options.quiet) print_path(files->main_path());
  if (files && options.open) open_file(files->main_path());
  return exit_code(result.termination);
}

}  // namespace

namespace {

int run_named(const RunOptions& options, const Checkpoint* saved) {
  check_request(options, choose_method(options.model, options.method));
  return run_from(options, choose_model(options.model, options.method), saved);
}

int run_case(const RunOptions& options) {
  const SweepCase found(options);
  check_request(options, found.chosen().method);
  const int code = run_from(options, found.chosen(), nullptr);
  if (!options.json && !options.quiet) complain("note: " + found.remark());
  return code;
}

}  // namespace

int run(const RunOptions& options) {
  if (options.sweep_case) return run_case(options);
  if (!options.resume) return run_named(options, nullptr);
  if (options.resume->empty()) throw Error(ErrorKind::request, "--resume expects the --out folder of a raak run");
  const Checkpoint saved = Checkpoint::read(*options.resume);
  const RunOptions resumed = resumed_options(options, saved);
  require_same_model(saved);
  return run_named(resumed, &saved);
}

}  // namespace raak::cli
