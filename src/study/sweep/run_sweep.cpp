#include "study/sweep/run_sweep.h"

#include <exception>
#include <mutex>
#include <thread>

#include "study/sweep/case_runner.h"
#include "study/sweep/store/processor.h"

namespace raak {
namespace {

// What one thread does: its cases back to back, with a model of its own.
class Worker {
 public:
  Worker(const SweptModel& swept, const BlockStore& store, const SweepRequest& request)
      : swept_(swept), store_(store), request_(request), runner_(swept, request.exact, request.stop) {}

  // False: it was interrupted, and what is done of it is kept.
  bool run(std::uint64_t index) {
    Block block = begun(index);
    const std::uint64_t cases = store_.blocks().cases_of(index);
    while (block.cases() < cases) {
      const bool stopped = request_.stop != nullptr && request_.stop->load(std::memory_order_relaxed);
      CaseOutcome outcome{.interrupted = true};
      if (!stopped) outcome = runner_.run(block.first + block.cases(), block.add_case());
      if (outcome.interrupted) {
        block.values.resize(block.cases() * block.width);
        if (block.cases() > 0) store_.write_begun(block);
        return false;
      }
      block.end_case(outcome.cause, outcome.message);
      ++progress.cases;
      if (!outcome.cause.empty()) ++progress.failed;
      if (request_.case_done) request_.case_done(!outcome.cause.empty());
    }
    store_.write(block);
    return true;
  }
  std::uint64_t built_anew() const { return runner_.built_anew(); }

  SweepProgress progress;

 private:
  Block begun(std::uint64_t index) const {
    if (ReadBlock read = store_.read_begun(index); read.block) return std::move(*read.block);
    Block block{.plan = store_.hash(), .index = index, .first = store_.blocks().first(index), .width = swept_.width};
    block.processor = processor_name();
    block.values.reserve(store_.blocks().cases_of(index) * swept_.width);
    block.outcome.reserve(store_.blocks().cases_of(index));
    return block;
  }

  const SweptModel& swept_;
  const BlockStore& store_;
  const SweepRequest& request_;
  CaseRunner runner_;
};

}  // namespace

SweepProgress run_blocks(const SweptModel& swept, const BlockStore& store, const SweepRequest& request,
                         const NextBlock& next) {
  SweepProgress total;
  std::mutex mutex;
  std::exception_ptr first_error;
  std::atomic<bool> over = false;
  const auto work = [&] {
    try {
      std::optional<Worker> worker;  // no model is built where there is no block for it
      while (!over) {
        const std::optional<std::uint64_t> block = next();
        if (!block) break;
        if (!worker) worker.emplace(swept, store, request);
        if (!worker->run(*block)) worker->progress.interrupted = over = true;
      }
      if (!worker) return;
      const std::scoped_lock lock(mutex);
      total.cases += worker->progress.cases;
      total.failed += worker->progress.failed;
      total.built_anew += worker->built_anew();
      total.interrupted |= worker->progress.interrupted;
    } catch (...) {
      const std::scoped_lock lock(mutex);
      if (!first_error) first_error = std::current_exception();
      over = true;
    }
  };
  std::vector<std::thread> threads;
  for (unsigned i = 1; i < request.threads; ++i) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  if (first_error) std::rethrow_exception(first_error);
  store.settle();
  return total;
}

SweepProgress run_sweep(const SweptModel& swept, const BlockStore& store, const SweepRequest& request) {
  std::vector<std::uint64_t> missing = store.missing([&](const std::string& what) {
    if (request.complain) request.complain(what + "; it is computed again");
  });
  std::erase_if(missing, [&](std::uint64_t block) { return !request.shard.has(block); });
  std::atomic<std::size_t> place = 0;
  return run_blocks(swept, store, request, [&]() -> std::optional<std::uint64_t> {
    const std::size_t i = place++;
    if (i >= missing.size()) return std::nullopt;
    return missing[i];
  });
}

}  // namespace raak
