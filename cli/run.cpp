// `raak run`: from a model's name to results, the walk through the whole library.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/text.h"
#include "cli/arguments.h"
#include "cli/chosen_model.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/progress.h"
#include "cli/summary.h"
#include "cli/terminal.h"
#include "output/about.h"
#include "output/hdf5.h"
#include "output/json.h"
#include "output/run_files.h"
#include "output/time_plot.h"
#include "run/integrate.h"
#include "run/plan_checks.h"
#include "study/accuracy.h"
#include "study/explain.h"
#include "study/failed_start.h"

namespace raak::cli {
namespace {

constexpr long default_frames = 500, fewest_frames = 50, most_frames = 20000;

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

// Of a huge model fewer, so that they stay in memory.
long read_frames(const RunOptions& options, std::size_t columns) {
  constexpr std::size_t most_numbers = 4'000'000;
  if (!options.frames) return std::clamp(static_cast<long>(most_numbers / columns), fewest_frames, default_frames);
  const double frames = read_positive("--frames", *options.frames);
  if (frames != std::floor(frames) || frames > most_frames) {
    throw Error(ErrorKind::request, fmt::format("--frames expects a whole number from 1 to {}, found \"{}\"",
                                                most_frames, *options.frames));
  }
  return std::lround(frames);
}

// Known before the run, so that a wrong name costs no time.
std::vector<std::string> read_plots(const RunOptions& options, const ConstrainedSystem& system) {
  if (!options.plot) return {};
  if (!options.out) throw Error(ErrorKind::request, "--plot writes pictures: name a folder for them with --out");
  std::vector<std::string> names = read_words("--plot", *options.plot);
  for (const std::string& name : names) plotted_columns(name, result_columns(system));
  return names;
}

RunFiles::Pictures draw_plots(const std::vector<std::string>& names, const std::string& model,
                              const Recording& recording) {
  RunFiles::Pictures pictures;
  for (const std::string& name : names) {
    const Picture picture = time_plot(name, model, recording);
    pictures.emplace_back(plot_file_name(name) + ".svg", svg_of(picture));
    if (can_write_png()) pictures.emplace_back(plot_file_name(name) + ".png", png_of(picture));
  }
  if (!names.empty() && !can_write_png()) complain("warning: built without Cairo, so --plot wrote SVG and no PNG");
  return pictures;
}

// A picture without a curve needs a word: which multipliers have no value at all, and why. Outputs have a warning of
// their own.
std::vector<std::string> empty_plots(const std::vector<std::string>& names, const Recording& recording,
                                     const Json& reactions) {
  std::vector<std::string> empty;
  for (const std::string& name : names) {
    const bool reaction = plotted_columns(name, recording.columns).front().starts_with("lambda.");
    if (reaction && !has_values(name, recording)) empty.push_back(name);
  }
  if (empty.empty()) return {};
  const std::string reason = reactions.is_object() ? reactions.value("reason", "") : "";
  const Json joints = reason.empty() ? Json::array() : reactions.value("indeterminate", Json::array());
  const std::string which = joints.empty() ? "" : fmt::format(" in {}", join(joints.get<std::vector<std::string>>()));
  const std::string why = reason.empty() ? "not a finite number at any moment" : reason;
  return {fmt::format("nothing to plot of {}{}: {}", join(empty), which, why)};
}

// The model as the user wrote it; nothing of a built-in one.
std::string text_of_file(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return path.ends_with(".toml") ? std::string{std::istreambuf_iterator<char>(stream), {}} : std::string();
}

Plan make_plan(const RunOptions& options, const ChosenModel& chosen) {
  const double start = chosen.model.start.t;
  Plan plan;
  plan.until = options.until ? read_number("--until", *options.until) : chosen.run->until;
  plan.method = options.method;
  plan.form = chosen.form;
  plan.left_out_gap = chosen.model.left_out_gap;
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
  const long frames = read_frames(options, result_columns(*chosen.model.system).size());
  if (options.out) plan.frame_times = frame_times(start, plan.until, frames);
  plan.stop = &listen_for_interrupt();
  return plan;
}

RunRecord make_record(const RunOptions& options, const ChosenModel& chosen, const Plan& plan, const Result& result) {
  RunRecord record{program_name(),       chosen.source->name,
                   chosen.run->name,     options.method,
                   plan.tolerances,      {},
                   chosen.source->title, {},
                   options.command};
  record.mobility = chosen.model.mobility;
  if (result.termination == Termination::ok) {
    const Tolerance& tolerance = plan.tolerances.q;
    const Accuracy accuracy = measure_accuracy(chosen.model, result.form, result, tolerance.rtol, tolerance.atol);
    record.digits = {accuracy.scd, accuracy.mescd, accuracy.scd_published, accuracy.mescd_published};
  }
  return record;
}

std::string partial_note(const Result& result) {
  if (result.termination == Termination::ok) return "";
  return fmt::format("{} at t = {:.9g} s: {}", status_name(result.termination), result.end.t, result.message);
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

// Something moves in time, if not yet at the start.
bool is_driven(const ConstrainedSystem& system) {
  const EnergyAccounts* const accounts = system.energy_accounts();
  if (accounts == nullptr) return false;
  return std::any_of(accounts->works().begin(), accounts->works().end(),
                     [](const EnergyAccount& account) { return account.kind == EnergyAccount::Kind::driver; });
}

// What can be told of the method and the tolerances before a run that may take long for them.
std::vector<std::string> warnings_before(const ConstrainedSystem& system, const Plan& plan) {
  std::vector<std::string> warnings;
  usable(serving_method(system, find_method(plan.method)), plan.tolerances, warnings);
  return warnings;
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

}  // namespace

int run(const RunOptions& options) {
  const MethodInfo& method = find_method(options.method);
  if (options.trace) require_trace(options, method);
  if (options.hdf5) {
    if (!options.out) throw Error(ErrorKind::request, "--hdf5 writes result.h5: name a folder for it with --out");
    require_hdf5();
  }
  const ChosenModel chosen = choose_model(options.model, options.method);
  const ConstrainedSystem& system = *chosen.model.system;
  Plan plan = make_plan(options, chosen);
  const std::vector<std::string> plots = read_plots(options, system);
  State start;
  try {
    start = consistent_start(chosen.model);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::computation) throw;
    report_refused_start(error, explain_model(chosen.model, plan), options.json);
    return static_cast<int>(error.kind());
  }
  const bool at_rest = start.v.norm() == 0.0 && start.a.norm() <= 1e-9 && !is_driven(system);
  if (chosen.model.mobility && chosen.model.mobility->mobility == 0 && at_rest) {
    throw Error(ErrorKind::computation,
                "nothing can move: the mechanism is a structure. Its reactions: raak assemble " + chosen.source->name);
  }

  std::vector<std::string> complaints;
  if (chosen.model.mobility && !chosen.model.mobility->notes.empty()) {
    const std::vector<std::string>& notes = chosen.model.mobility->notes;
    const std::string more = notes.size() > 1 ? fmt::format(", and {} more", notes.size() - 1) : "";
    complaints.push_back("note: " + notes.front() + more);
    complain(complaints.back());  // before a run that may take long
  }
  const std::vector<std::string> foreseen = warnings_before(system, plan);
  if (!options.json) {
    for (const std::string& warning : foreseen) {
      complaints.push_back("warning: " + warning);
      complain(complaints.back());
    }
  }
  std::unique_ptr<RunFiles> files;
  Observer observer;
  if (options.out) {
    files = std::make_unique<RunFiles>(*options.out, chosen.model, options.trace, options.hdf5);
    observer = [&](const Sample& sample) { files->add(sample); };
    plan.frame = [&](const Sample& sample) { files->add_frame(sample); };
    plan.step_taken = [&](const StepReport& step) { files->add_step(step); };
  }
  Result result = integrate_watched(system, start, plan, observer, !options.quiet && error_is_watched());
  name_sharing(result, chosen.model);

  const RunRecord record = make_record(options, chosen, plan, result);
  Json document = run_document(record, system, result);
  std::vector<std::string> warnings = result.warnings;
  if (files) {
    const Json about = about_document(record, chosen.parameters, chosen.source->parameters, chosen.model, result,
                                      text_of_file(chosen.source->name));
    const std::string note = partial_note(result);
    if (!note.empty()) files->take_frames_from_rows();
    for (std::string& warning : empty_plots(plots, files->recording(), document["reactions"])) {
      document["warnings"].push_back(warning);
      warnings.push_back(std::move(warning));
    }
    files->finish(document, about, note, draw_plots(plots, chosen.source->name, files->recording()));
  }

  if (options.json) {
    print(text_of(document));
    return exit_code(result.termination);
  }
  const std::size_t told = complaints.size();
  for (const std::string& warning : warnings)
    if (std::find(foreseen.begin(), foreseen.end(), warning) == foreseen.end())
      complaints.push_back("warning: " + warning);
  if (files && !options.frames && static_cast<long>(plan.frame_times.size()) <= default_frames &&
      plan.frame_times.size() > 1)
    complaints.push_back(
        fmt::format("note: the report shows {} moments instead of {}, since each takes {} numbers; --frames sets it",
                    plan.frame_times.size() - 1, default_frames, result_columns(system).size()));
  for (std::size_t i = told; i < complaints.size(); ++i) complain(complaints[i]);
  if (!options.quiet) {
    std::string beside = files ? files->main_path() + "\n" : "";
    if (!result.message.empty()) complaints.push_back(result.message);
    for (const std::string& complaint : complaints) beside += fmt::format("raak: {}\n", complaint);
    print_styled(summarize(chosen, record, plan.until, result, screen_lines_of(beside)));
  }
  if (!result.message.empty()) complain(result.message);
  if (files && !options.quiet) print(files->main_path() + "\n");
  return exit_code(result.termination);
}

}  // namespace raak::cli
