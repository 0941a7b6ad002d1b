#include "cli/request/run_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/text/text.h"
#include "cli/interrupt.h"
#include "cli/request/arguments.h"
#include "output/folder/run_files.h"
#include "run/run_request.h"

namespace raak::cli {
namespace {

constexpr long fewest_frames = 50, most_frames = 20000;

void require_basis(const char* option, const MethodInfo& asked) {
  if (asked.has_trace) return;
  std::vector<std::string> able;
  for (const MethodInfo& method : method_catalogue()) {
    if (method.has_trace) able.push_back(method.name);
  }
  throw Error(ErrorKind::request,
              fmt::format("{} needs a method with independent coordinates, and \"{}\" has none. There are: {}", option,
                          asked.name, join(able)));
}

void require_trace(const RunOptions& options, const MethodInfo& asked) {
  const char* const option = options.trace ? "--trace" : "--trace-matrices";
  require_basis(option, asked);
  if (!options.out)
    throw Error(ErrorKind::request, fmt::format("{} writes trace.csv: name a folder for it with --out", option));
}

double read_threshold(const std::string& text) {
  const double threshold = read_number("--partition-threshold", text);
  if (threshold > 0.0 && threshold < 1.0) return threshold;
  throw Error(ErrorKind::request,
              fmt::format("--partition-threshold expects a share of the velocity, above 0 and below 1, found \"{}\". "
                          "The smaller it is, the more often the basis is renewed",
                          text));
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

}  // namespace

void check_request(const RunOptions& options, const std::string& method) {
  const MethodInfo& info = find_method(method);
  if (options.trace || options.trace_matrices) require_trace(options, info);
  if (options.partition_threshold) require_basis("--partition-threshold", info);
  if (options.print && options.json)
    throw Error(ErrorKind::request,
                "--json prints one JSON document and nothing else: leave out --print, or print rows with --print and "
                "write the document with --out");
  if (options.checkpoint && !options.out)
    throw Error(ErrorKind::request, "--checkpoint writes to the folder of the results: name it with --out");
  if (options.against && !options.out)
    throw Error(ErrorKind::request, "--against draws known values in the report: name a folder for it with --out");
  if (options.open && !options.out)
    throw Error(ErrorKind::request, "--open shows the report: name a folder for it with --out");
  read_formats(options);
}

Formats read_formats(const RunOptions& options) {
  const char* const option = options.format ? "--format" : options.hdf5 ? "--hdf5" : nullptr;
  if (option == nullptr) return chosen_formats({});
  if (!options.out)
    throw Error(ErrorKind::request,
                fmt::format("{} chooses the files of the results: name a folder for them with --out", option));
  std::vector<std::string> names;
  if (options.format) names = read_words("--format", *options.format);
  else
    for (const FormatInfo* format : chosen_formats({})) names.push_back(format->name);
  if (options.hdf5) names.emplace_back("h5");
  return chosen_formats(names);
}

namespace {

// What is typed takes the place of what the run says.
Run asked_run(const RunOptions& options, const ChosenModel& chosen) {
  if (options.fixed_step && options.first_step) throw Error(ErrorKind::request, "give --h0 or --step, not both");
  if (options.every && options.at) throw Error(ErrorKind::request, "give --every or --at, not both");
  Run run = *chosen.run;
  if (options.until) run.until = read_number("--until", *options.until);
  run.method = chosen.method;
  run.form = chosen.form;
  if (options.first_step) run.first_step = read_first_step(*options.first_step), run.fixed_step = 0.0;
  if (options.fixed_step) run.fixed_step = read_positive("--step", *options.fixed_step), run.first_step = {};
  if (options.every || options.at) run.every = 0.0, run.at.clear();
  return run;
}

}  // namespace

Plan make_plan(const RunOptions& options, const ChosenModel& chosen) {
  const double start = chosen.model.start.t;
  const Run run = asked_run(options, chosen);
  Plan plan = plan_of(run, chosen.model);
  plan.tolerances = read_tolerances(options.rtol, options.atol, run);
  plan.first_step = run.first_step.at(plan.tolerances.q.rtol);
  if (options.partition_threshold) plan.partitions.threshold = read_threshold(*options.partition_threshold);
  if (options.every) plan.sample_times = read_every(*options.every, start, plan.until);
  if (options.at) plan.sample_times = read_at(*options.at, start, plan.until);
  plan.estimate_sensitivity = true;
  const long frames = read_frames(options, result_columns(*chosen.model.system).size());
  if (options.out) plan.frame_times = frame_times(start, plan.until, frames);
  plan.stop = &listen_for_interrupt();
  return plan;
}

}  // namespace raak::cli
