// Runs the cases of a sweep that a folder, or memory, lacks, block by block on several threads.
#pragma once
#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "study/sweep/store/block_store.h"
#include "study/sweep/swept_model.h"

namespace raak {

struct Shard {
  std::uint64_t index = 1, count = 1;  // the index counts from 1
  bool has(std::uint64_t block) const { return block % count == index - 1; }
};

struct SweepRequest {
  bool exact = false;
  unsigned threads = 1;
  Shard shard = {};
  const std::atomic<bool>* stop = nullptr;
  // After each case, with whether it failed; called by any thread.
  std::function<void(bool failed)> case_done = {};
  std::function<void(const std::string&)> complain = {};
};

struct SweepProgress {
  std::uint64_t cases = 0, failed = 0;  // of this call
  std::uint64_t built_anew = 0;
  bool interrupted = false;
};

// Where the next block comes from; nothing: there is none left. Called by any thread.
using NextBlock = std::function<std::optional<std::uint64_t>()>;

// The blocks of `next`, each into the store. Throws the first error of a thread, such as a full disk, when the others
// have ended; blocks that are done stay.
SweepProgress run_blocks(const SweptModel& swept, const BlockStore& store, const SweepRequest& request,
                         const NextBlock& next);

// Those of the shard that are missing.
SweepProgress run_sweep(const SweptModel& swept, const BlockStore& store, const SweepRequest& request);

}  // namespace raak
