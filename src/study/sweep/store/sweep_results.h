// The rows of a sweep whose blocks are all there, read block by block.
#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "study/sweep/store/sweep_folder.h"

namespace raak {

class SweepResults {
 public:
  // Throws a request error where blocks are missing or damaged, with how many and what to do.
  SweepResults(const SweptModel& swept, const BlockStore& store);

  const SweptModel& swept() const { return swept_; }
  const BlockStore& store() const { return store_; }
  std::uint64_t cases() const { return store_.blocks().cases; }
  // Of each case: 0 ok, else 1 + the place of its cause.
  const std::vector<std::uint8_t>& outcomes() const { return outcomes_; }
  // In the order in which cases met them.
  const std::vector<BlockCause>& causes() const { return causes_; }
  // Processors that computed blocks.
  const std::vector<std::string>& processors() const { return processors_; }
  std::uint64_t failed() const;

  // Some numbers of each case, by their places among those of a case: one list for each place.
  std::vector<std::vector<double>> numbers(const std::vector<std::size_t>& places) const;
  // Each block in its order.
  void for_each_block(const std::function<void(const Block&)>& use) const;

 private:
  const SweptModel& swept_;
  const BlockStore& store_;
  std::vector<std::uint8_t> outcomes_;
  std::vector<BlockCause> causes_;
  std::vector<std::string> processors_;
};

// The table of all cases: case, what varies, what is kept, status and cause. The ending of the file chooses csv, npz,
// h5 or json; where cells are numbers, status is 0 or 1, and cause counts from 1 in the list that the file brings
// along. Trajectories go to an archive of arrays of their own beside it, which is returned; empty: none are kept.
std::filesystem::path write_sweep_table(const SweepResults& results, const std::filesystem::path& file);

}  // namespace raak
