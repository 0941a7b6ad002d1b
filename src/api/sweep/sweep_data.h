// What stands behind raak::Sweep: the plan with its model, where its blocks are, and the rows column by column.
#pragma once
#include <raak/sweep.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "api/core.h"
#include "study/sweep/run_sweep.h"
#include "study/sweep/store/sweep_folder.h"

namespace raak_v0::detail {

class SweepData {
 public:
  // `files`: that belong together and can be saved, the plan first; none: they lie where they were read.
  SweepData(core::SweptModel swept, std::vector<core::Inputs::File> files)
      : files_(std::move(files)), swept_(std::move(swept)) {}
  SweepData(const SweepData&) = delete;
  SweepData& operator=(const SweepData&) = delete;

  void run(const SweepOptions& options);
  // What the folder has of it.
  void find(const std::filesystem::path& folder, bool exact);

  const core::SweptModel& swept() const { return swept_; }
  bool exact() const { return exact_; }
  const core::BlockStore& store() const { return *store_; }
  const std::vector<core::Inputs::File>& files() const { return files_; }

  std::vector<std::uint64_t> cases;
  std::vector<std::uint8_t> outcomes;
  std::vector<SweepCause> causes;
  std::vector<SweepColumn> varied, kept;
  std::vector<std::vector<double>> values;  // of what varies, then of what is kept
  std::vector<std::uint64_t> shape;

 private:
  void gather();
  void add(const core::Block& block);
  std::uint8_t outcome_of(const core::Block& block, std::uint64_t i);

  std::vector<core::Inputs::File> files_;
  core::SweptModel swept_;
  std::unique_ptr<core::BlockStore> store_;
  bool exact_ = false;
};

}  // namespace raak_v0::detail
