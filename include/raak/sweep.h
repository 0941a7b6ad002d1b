// Many runs of one model with varied numbers, of which a few numbers are kept: what `raak sweep` does (docs/sweeps.md),
// with the same bits.
#pragma once
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "raak/export.h"
#include "raak/model.h"
#include "raak/result.h"

namespace raak_v0 {

namespace detail {
class SweepData;
}

struct SweepOptions {
  std::string folder = {};  // as `raak sweep --out`: blocks, and what they come to; empty: in memory
  bool resume = false;      // go on with what is in the folder
  bool exact = false;       // each case is built anew
  unsigned threads = 0;     // 0: as many as the machine has
  std::uint64_t shard = 1, shards = 1;
  const std::atomic<bool>* stop = nullptr;               // when it is set, what is done by then comes back
  std::function<void(std::uint64_t cases)> begins = {};  // with how many cases the sweep, or the shard, has
  std::function<void(bool failed)> case_done = {};       // called by any thread
  std::function<void(const std::string&)> warning = {};  // a damaged block, that is computed again
};

// Why cases failed.
struct SweepCause {
  std::string cause, message;  // a word or two; of the first of them, what happened
  std::uint64_t cases = 0, first_case = 0;
};

// A column of a sweep: a number of each case, or of what is kept as a trajectory its samples.
struct SweepColumn {
  std::string name, unit;  // "k", "OF.angle.end"
  std::size_t width = 1;   // samples
};

// The cases that are done. A value; copies share what they show, which lives as long as one of them.
class RAAK_API Sweep {
 public:
  explicit Sweep(std::shared_ptr<const detail::SweepData> data);

  std::uint64_t planned() const;  // cases
  bool complete() const { return cases().size() == planned(); }
  std::span<const std::uint64_t> cases() const&;  // their numbers, from 0
  std::span<const std::uint64_t> cases() const&& = delete;
  const std::vector<SweepColumn>& varied() const;
  const std::vector<SweepColumn>& kept() const;
  // Case by case; not numbers where a case failed. Throws RequestError where there is no such column.
  std::span<const double> operator[](std::string_view column) const&;
  std::span<const double> operator[](std::string_view column) const&& = delete;
  // Of each case: 0 ok, else 1 + its place in causes().
  std::span<const std::uint8_t> outcomes() const&;
  std::span<const std::uint8_t> outcomes() const&& = delete;
  const std::vector<SweepCause>& causes() const;
  const std::vector<double>& times() const;         // s, of trajectories
  const std::vector<std::uint64_t>& shape() const;  // of a grid: how many values each name has; else how many cases

  // Moments, quantiles, histograms and indices: the text of summary.json. Throws RequestError where cases are missing.
  std::string summary() const;
  // The page of all cases, sweep.html of a folder, as one file. Throws RequestError as summary().
  std::string page() const;
  // The table of all cases: csv, npz, h5 or json by the ending; trajectories beside it. Throws RequestError as
  // summary().
  void table(const std::string& path) const;

  // A case once more with all that a run gives; throws what that throws. `progress`: see Options.
  Result run(std::uint64_t number, const std::function<bool(const Progress&)>& progress = {}) const;

  // The text of the plan file.
  const std::string& plan() const;
  // Writes the plan file, and beside it the model and the table of cases that it names.
  void save(const std::string& path) const;

  const detail::SweepData& data() const { return *data_; }

 private:
  std::shared_ptr<const detail::SweepData> data_;
};

// The sweep of a plan file.
RAAK_API Sweep sweep(const std::string& plan, const SweepOptions& options = {});

// A sweep of a model that comes from a file, a text, a mechanism or the catalogue. `plan`: the text of a plan file
// without format, model and [set], which are those of the model with its parameters as they are now. `table`: the text
// of the table of cases, of design "table", which the plan does not name either.
RAAK_API Sweep sweep(const Model& model, const std::string& plan, const SweepOptions& options = {},
                     const std::string& table = {});

// What is done of the sweep in a folder.
RAAK_API Sweep load_sweep(const std::string& folder);

}  // namespace raak_v0
