// `mpirun -n N raak-mpi sweep PLAN.toml --out DIR`: a sweep by several processes that share a folder. Rank 0 hands out
// blocks and computes some itself; a rank that is lost takes the job with it, and --resume goes on with what is
// missing.
#include <mpi.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <exception>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "base/error.h"
#include "cli/interrupt.h"
#include "cli/request/declare_option.h"
#include "cli/results/sweep_report.h"
#include "cli/terminal/terminal.h"

namespace raak::cli {
namespace {

enum Tag : int { asks, answers };
constexpr long none = -1;

int rank_of_this() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

int count_of_ranks() {
  int count = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &count);
  return count;
}

// The blocks that are missing, one after the other, to the threads of rank 0 and to other ranks.
class Counter {
 public:
  explicit Counter(std::vector<std::uint64_t> blocks) : blocks_(std::move(blocks)) {}
  std::optional<std::uint64_t> next() {
    const std::size_t i = next_++;
    if (i >= blocks_.size()) return std::nullopt;
    return blocks_[i];
  }

 private:
  std::vector<std::uint64_t> blocks_;
  std::atomic<std::size_t> next_ = 0;
};

// On rank 0 a second thread computes while this one, which alone calls MPI, answers the others.
SweepProgress hand_out(const SweptModel& swept, const SweepFolder& folder, const SweepRequest& request) {
  Counter counter(folder.missing([](const std::string& what) { complain(what + "; it is computed again"); }));
  SweepProgress progress;
  std::exception_ptr error;
  std::atomic<bool> computed = false;
  std::thread computing([&] {
    try {
      progress = run_blocks(swept, folder, request, [&] { return counter.next(); });
    } catch (...) {
      error = std::current_exception();
    }
    computed = true;
  });
  int working = count_of_ranks() - 1;
  while (working > 0 || !computed) {
    int is_there = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, asks, MPI_COMM_WORLD, &is_there, &status);
    if (is_there == 0) {
      if (error) break;
      std::this_thread::sleep_for(std::chrono::microseconds(200));
      continue;
    }
    MPI_Recv(nullptr, 0, MPI_LONG, status.MPI_SOURCE, asks, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    const auto block = request.stop->load() ? std::nullopt : counter.next();
    const long answer = block ? static_cast<long>(*block) : none;
    MPI_Send(&answer, 1, MPI_LONG, status.MPI_SOURCE, answers, MPI_COMM_WORLD);
    if (!block) --working;
  }
  computing.join();
  if (error) std::rethrow_exception(error);
  return progress;
}

SweepProgress ask_for_blocks(const SweptModel& swept, const SweepFolder& folder, const SweepRequest& request) {
  bool over = false;
  const auto ask = [&]() -> std::optional<std::uint64_t> {
    if (over) return std::nullopt;
    long answer = none;
    MPI_Send(nullptr, 0, MPI_LONG, 0, asks, MPI_COMM_WORLD);
    MPI_Recv(&answer, 1, MPI_LONG, 0, answers, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    over = answer == none;
    if (over) return std::nullopt;
    return static_cast<std::uint64_t>(answer);
  };
  const SweepProgress progress = run_blocks(swept, folder, request, ask);
  while (ask()) {
  }  // of one that was interrupted: rank 0 waits until everybody has asked in vain
  return progress;
}

void add_up(SweepProgress& progress) {
  std::uint64_t own[] = {progress.cases, progress.failed, progress.built_anew, progress.interrupted ? 1U : 0U},
                all[4] = {};
  MPI_Reduce(own, all, 4, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
  progress = {all[0], all[1], all[2], all[3] > 0};
}

SweepOptions read_options(int argc, char** argv) {
  CLI::App app{"Raak's sweeps by several processes.", "raak-mpi"};
  SweepOptions options;
  add_sweep(app, options);
  app.require_subcommand(1);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    if (rank_of_this() == 0) print_text(app.help());
    MPI_Finalize();
    std::exit(0);
  } catch (const CLI::ParseError& error) {
    refuse(std::string(error.what()) + "; usage: mpirun -n N raak-mpi sweep PLAN.toml --out DIR");
  }
  if (options.merge || options.shard || options.threads)
    refuse("raak-mpi sweep takes PLAN, --out, --resume, --exact and --json; the ranks are the threads and shards");
  if (options.plan.empty() || !options.out) refuse("usage: mpirun -n N raak-mpi sweep PLAN.toml --out DIR");
  return options;
}

int run_ranks(int argc, char** argv) {
  const SweepOptions options = read_options(argc, argv);
  const SweptModel swept = read_swept_model(options.plan);
  SweepRequest request{.exact = options.exact, .threads = 1, .stop = &listen_for_interrupt()};
  const auto began = std::chrono::steady_clock::now();
  if (rank_of_this() == 0) {
    const SweepFolder folder(*options.out, swept, options.exact, options.resume);
    MPI_Barrier(MPI_COMM_WORLD);
    SweepProgress progress = hand_out(swept, folder, request);
    add_up(progress);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    return report_sweep(swept, folder, options, progress, seconds, *request.stop);
  }
  MPI_Barrier(MPI_COMM_WORLD);  // the folder is there
  const SweepFolder folder(*options.out, swept, options.exact);
  SweepProgress progress = ask_for_blocks(swept, folder, request);
  add_up(progress);
  return progress.interrupted ? static_cast<int>(ErrorKind::interrupted) : 0;
}

}  // namespace
}  // namespace raak::cli

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  int code = 0;
  try {
    code = raak::cli::run_ranks(argc, argv);
  } catch (const raak::Error& error) {
    code = static_cast<int>(error.kind());
    // What is wrong with a request is so on every rank; what is wrong with one rank is said by that one.
    if (error.kind() == raak::ErrorKind::computation || raak::cli::rank_of_this() == 0)
      raak::cli::report_error(error, false);
    MPI_Abort(MPI_COMM_WORLD, code);
  }
  MPI_Finalize();
  return code;
}
