// The folder of a sweep: sweep.json with the passport of the sweep, blocks/ with a file for each block that is done.
// Whoever finds the passport of the same sweep may go on: another process, another machine, tomorrow.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "output/formats/json.h"
#include "study/sweep/store/block_store.h"
#include "study/sweep/store/disk_thread.h"
#include "study/sweep/swept_model.h"

namespace raak {

// How the cases of a sweep are cut.
Blocks blocks_of(const SweptModel& swept);

// Everything the rows depend on: plan, model and the files it includes, version. `exact`: see CaseRunner.
Json passport_of(const SweptModel& swept, bool exact);
std::uint64_t hash_of_passport(const Json& passport);

class SweepFolder final : public BlockStore {
 public:
  // Makes the folder, or finds it with the same sweep: then `goes_on` says whether that is expected. Refuses a folder
  // of something else, and one of another sweep, with what is different.
  SweepFolder(std::filesystem::path path, const SweptModel& swept, bool exact, bool goes_on);
  // One that is there.
  SweepFolder(std::filesystem::path path, const SweptModel& swept, bool exact);

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path file_of(std::uint64_t block) const;
  std::filesystem::path begun_file_of(std::uint64_t block) const;
  // Of a sweep whose blocks are all there: removes what killed processes left.
  void remove_leftovers() const;

  std::string name() const override { return path_.string(); }
  std::string name_of(std::uint64_t block) const override { return file_of(block).string(); }
  std::string repeats_a_case() const override { return "raak run --case " + path_.string() + ":# --out DIR"; }
  ReadBlock read(std::uint64_t block) const override;
  ReadBlock read_begun(std::uint64_t block) const override;
  void write(const Block& block) const override;
  void write_begun(const Block& block) const override;
  void settle() const override;

 private:
  ReadBlock checked(ReadBlock read, std::uint64_t block, std::uint64_t least) const;
  void bring_to_disk(const std::filesystem::path& file) const;

  std::filesystem::path path_;
  mutable DiskThread disk_;
};

// Of a folder that holds a sweep. Throws a request error where it does not.
Json read_passport(const std::filesystem::path& folder);
// The sweep from the copies of its files in the folder.
SweptModel read_stored_sweep(const std::filesystem::path& folder);

}  // namespace raak
