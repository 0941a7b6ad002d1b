// `raak sweep`: many runs of one model, with a few numbers kept of each, in a folder that can be gone on with.
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/error.h"
#include "base/text/text.h"
#include "cli/commands/commands.h"
#include "cli/interrupt.h"
#include "cli/request/arguments.h"
#include "cli/results/sweep_report.h"
#include "cli/terminal/progress.h"
#include "cli/terminal/terminal.h"
#include "output/page_data.h"
#include "study/sweep/run_sweep.h"
#include "study/sweep/store/sweep_results.h"
#include "study/sweep/sweep_files.h"

namespace raak::cli {
namespace {

namespace fs = std::filesystem;

unsigned read_threads(const std::optional<std::string>& text) {
  if (!text) return std::max(1U, std::thread::hardware_concurrency());
  const double threads = read_number("--threads", *text);
  if (!(threads >= 1.0 && threads <= 1024.0) || threads != std::floor(threads))
    refuse(fmt::format("--threads {}: expected a whole number from 1 to 1024", *text));
  return static_cast<unsigned>(threads);
}

Shard read_shard(const std::optional<std::string>& text) {
  if (!text) return {};
  const std::size_t slash = text->find('/');
  if (slash != std::string::npos) {
    const auto index = parse_number(text->substr(0, slash)), count = parse_number(text->substr(slash + 1));
    if (index && count && *index == std::floor(*index) && *count == std::floor(*count) && *index >= 1.0 &&
        *index <= *count && *count <= 1e6)
      return {static_cast<std::uint64_t>(*index), static_cast<std::uint64_t>(*count)};
  }
  refuse(fmt::format("--shard {}: expected I/N, a part from 1 to N of N, such as 2/4", *text));
}

// Cases a second, failures and the time that is left, where a person watches.
class SweepBar {
 public:
  SweepBar(std::uint64_t cases, bool shown)
      : bar_(shown ? std::make_unique<RowProgress>(cases) : nullptr), began_(Clock::now()) {}

  void case_done(bool failed) {
    const std::uint64_t done = ++done_;
    if (failed) ++failed_;
    if (!bar_) return;
    const std::scoped_lock lock(mutex_);
    const double seconds = std::chrono::duration<double>(Clock::now() - began_).count();
    bar_->row_done(
        fmt::format("{:.3g} runs/s, {} failed", static_cast<double>(done) / std::max(seconds, 1e-9), failed_.load()));
  }

 private:
  using Clock = std::chrono::steady_clock;
  std::unique_ptr<RowProgress> bar_;
  Clock::time_point began_;
  std::atomic<std::uint64_t> done_ = 0, failed_ = 0;
  std::mutex mutex_;
};

int merge(const SweepOptions& options) {
  const fs::path path = *options.merge;
  const Json passport = read_passport(path);
  const SweptModel swept = read_stored_sweep(path);
  const bool exact = passport.value("exact", false);
  const SweepFolder folder(path, swept, exact);
  const SweepResults results(swept, folder);
  Json summary = write_summary(results, folder, exact, options.json);
  Json document{{"cases", results.cases()}, {"failed", results.failed()}};
  std::vector<fs::path> files{path / "summary.json"};
  if (has_page()) files.push_back(page_path(folder));
  if (options.out) {
    files.emplace_back(*options.out);
    if (const fs::path more = write_sweep_table(results, *options.out); !more.empty()) files.push_back(more);
  }
  document["files"] = Json::array();
  for (const fs::path& file : files) document["files"].push_back(file.string());
  document["summary"] = std::move(summary);
  if (options.json) {
    print_data(text_of(document));
    return 0;
  }
  print_summary(document["summary"], fmt::format("{} cases, {} failed\n", results.cases(), results.failed()));
  for (const fs::path& file : files) print_path(file.string());
  return 0;
}

void check_options(const SweepOptions& options) {
  if (options.merge) {
    if (!options.plan.empty())
      refuse("--merge DIR takes the plan that the folder keeps; leave out \"" + options.plan + "\"");
    if (options.resume || options.exact || options.shard || options.threads)
      refuse("--merge goes with --out and --json only");
    return;
  }
  if (options.plan.empty()) refuse("name a plan (docs/sweeps.md has one): raak sweep PLAN.toml");
  std::error_code unreadable;
  if (!fs::exists(options.plan, unreadable)) refuse(fmt::format("there is no plan \"{}\"", options.plan));
}

}  // namespace

int sweep(const SweepOptions& options) {
  check_options(options);
  if (options.merge) return merge(options);
  const unsigned threads = read_threads(options.threads);
  const Shard shard = read_shard(options.shard);
  const SweptModel swept = read_swept_model(options.plan);
  const fs::path path = options.out ? fs::path(*options.out) : fs::path(options.plan).stem();
  const SweepFolder folder(path, swept, options.exact, options.resume || options.shard);

  SweepRequest request{.exact = options.exact, .threads = threads, .shard = shard, .stop = &listen_for_interrupt()};
  request.complain = [](const std::string& text) { complain(text); };
  const auto began = std::chrono::steady_clock::now();
  SweepProgress progress;
  {
    SweepBar bar(swept.design.cases() / shard.count, error_is_watched() && !options.json);
    request.case_done = [&](bool failed) { bar.case_done(failed); };
    progress = run_sweep(swept, folder, request);
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return report_sweep(swept, folder, options, progress, seconds, *request.stop);
}

}  // namespace raak::cli
