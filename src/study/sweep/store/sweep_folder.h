// The folder of a sweep: sweep.json with the passport of the sweep, blocks/ with a file for each block that is done.
// Whoever finds the passport of the same sweep may go on: another process, another machine, tomorrow.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "output/formats/json.h"
#include "study/sweep/store/block.h"
#include "study/sweep/swept_model.h"

namespace raak {

// How the cases of a sweep are cut into blocks.
struct Blocks {
  std::uint64_t cases = 0, size = 1;
  std::uint64_t count() const { return (cases + size - 1) / size; }
  std::uint64_t first(std::uint64_t block) const { return block * size; }
  std::uint64_t cases_of(std::uint64_t block) const { return std::min(size, cases - first(block)); }
};
Blocks blocks_of(const SweptModel& swept);

// Everything the rows depend on: plan, model and the files it includes, version. `exact`: see CaseRunner.
Json passport_of(const SweptModel& swept, bool exact);
std::uint64_t hash_of_passport(const Json& passport);

class SweepFolder {
 public:
  // Makes the folder, or finds it with the same sweep: then `goes_on` says whether that is expected. Refuses a folder
  // of something else, and one of another sweep, with what is different.
  SweepFolder(std::filesystem::path path, const SweptModel& swept, bool exact, bool goes_on);
  // One that is there.
  SweepFolder(std::filesystem::path path, const SweptModel& swept, bool exact);

  const std::filesystem::path& path() const { return path_; }
  std::uint64_t hash() const { return hash_; }
  const Blocks& blocks() const { return blocks_; }

  std::filesystem::path file_of(std::uint64_t block) const;
  // Of a block that was interrupted: its first cases.
  std::filesystem::path begun_file_of(std::uint64_t block) const;
  // A block of this sweep that is whole; else why not (empty: it is not there).
  ReadBlock read(std::uint64_t block) const;
  ReadBlock read_begun(std::uint64_t block) const;
  void write(const Block& block) const;
  void write_begun(const Block& block) const;

  // Blocks that are missing or damaged; `complain` is called with what is wrong of each damaged one.
  template <class Complain>
  std::vector<std::uint64_t> missing(const Complain& complain) const {
    std::vector<std::uint64_t> found;
    for (std::uint64_t b = 0; b < blocks_.count(); ++b) {
      const ReadBlock read_one = read(b);
      if (read_one.block) continue;
      found.push_back(b);
      if (!read_one.flaw.empty()) complain("\"" + file_of(b).string() + "\" is damaged: " + read_one.flaw);
    }
    return found;
  }

 private:
  ReadBlock checked(ReadBlock read, std::uint64_t block, std::uint64_t least) const;

  std::filesystem::path path_;
  std::uint64_t hash_;
  Blocks blocks_;
};

// Of a folder that holds a sweep. Throws a request error where it does not.
Json read_passport(const std::filesystem::path& folder);
// The sweep from the copies of its files in the folder.
SweptModel read_stored_sweep(const std::filesystem::path& folder);

}  // namespace raak
