#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "output/catalogue.h"
#include "output/folder/own_name.h"
#include "output/formats/csv.h"
#include "output/formats/npy.h"
#include "output/formats/zip.h"
#include "output/tables/result_table.h"
#include "study/sweep/store/sweep_results.h"

namespace raak {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> column_names(const SweptModel& swept) {
  std::vector<std::string> names{"case"};
  for (const Factor& factor : swept.design.factors()) names.push_back(factor.name);
  for (const KeptColumn& kept : swept.kept)
    if (kept.measure.kind != Measure::Kind::trajectory) names.push_back(kept.name);
  names.insert(names.end(), {"status", "cause"});
  return names;
}

std::vector<std::string> column_units(const SweptModel& swept) {
  std::vector<std::string> units(1 + swept.design.factors().size());
  for (const KeptColumn& kept : swept.kept)
    if (kept.measure.kind != Measure::Kind::trajectory) units.push_back(kept.unit);
  units.resize(units.size() + 2);
  return units;
}

// Cases, what varies and what is kept, row by row.
void append_numbers(const SweptModel& swept, const Block& block, std::uint64_t i, std::vector<double>& row) {
  const std::size_t factors = swept.roles.size();
  row.assign(1 + factors, static_cast<double>(block.first + i));
  swept.design.numbers(block.first + i, std::span(row).subspan(1));
  for (const KeptColumn& kept : swept.kept)
    if (kept.measure.kind != Measure::Kind::trajectory) row.push_back(block.values[i * block.width + kept.first]);
}

void write_csv(const SweepResults& results, const fs::path& file) {
  CsvFile table(file, column_names(results.swept()), column_units(results.swept()));
  std::vector<double> row;
  results.for_each_block([&](const Block& block) {
    for (std::uint64_t i = 0; i < block.cases(); ++i) {
      append_numbers(results.swept(), block, i, row);
      for (const double value : row) table.add(value);
      const BlockCause* const cause = block.cause_of(i);
      table.add_text(cause == nullptr ? "ok" : "failed");
      table.add_text(cause == nullptr ? "" : cause->cause);
      table.end_row();
    }
  });
  table.seal();
}

// The rows for the writers of arrays, in the order of their blocks.
class SweepRows final : public TableRows {
 public:
  explicit SweepRows(const SweepResults& results) : results_(results), store_(results.store()) {
    names_ = column_names(results.swept());
    units_ = column_units(results.swept());
  }
  std::size_t rows() const override { return results_.cases(); }
  void read_next(std::size_t count, std::vector<std::vector<double>>& values) override {
    for (std::vector<double>& column : values) column.resize(count);
    std::vector<double> row;
    for (std::size_t k = 0; k < count; ++k, ++next_) {
      const std::uint64_t index = next_ / store_.blocks().size;
      if (!block_ || block_->index != index) block_ = store_.read(index).block;
      if (!block_) refuse("\"" + store_.name_of(index) + "\" has changed while it was read");
      append_numbers(results_.swept(), *block_, next_ - block_->first, row);
      const std::uint8_t outcome = results_.outcomes()[next_];
      row.push_back(outcome == 0 ? 0.0 : 1.0);
      row.push_back(outcome);
      for (std::size_t i = 0; i < row.size(); ++i) values[i][k] = row[i];
    }
  }

 private:
  const SweepResults& results_;
  const BlockStore& store_;
  std::optional<Block> block_;
  std::uint64_t next_ = 0;
};

fs::path write_trajectories(const SweepResults& results, const fs::path& file) {
  const SweptModel& swept = results.swept();
  if (swept.trajectory_times.empty()) return {};
  fs::path beside = file;
  beside.replace_filename(file.stem().string() + ".trajectories.npz");
  OwnName own(beside);
  ZipFile archive(own.path());
  archive.add("t.npy", npy_of(swept.trajectory_times));
  const auto samples = swept.trajectory_times.size();
  const std::string header = npy_header(results.cases(), samples);
  std::vector<std::size_t> entries;
  for (const KeptColumn& kept : swept.kept)
    if (kept.measure.kind == Measure::Kind::trajectory) {
      entries.push_back(
          archive.begin(kept.quantity + ".npy", header.size() + results.cases() * samples * sizeof(double)));
      archive.append(entries.back(), header);
    }
  results.for_each_block([&](const Block& block) {
    std::size_t next = 0;
    for (const KeptColumn& kept : swept.kept) {
      if (kept.measure.kind != Measure::Kind::trajectory) continue;
      for (std::uint64_t i = 0; i < block.cases(); ++i)
        archive.append(entries[next], {reinterpret_cast<const char*>(&block.values[i * block.width + kept.first]),
                                       samples * sizeof(double)});
      ++next;
    }
  });
  archive.seal();
  own.keep();
  return beside;
}

}  // namespace

fs::path write_sweep_table(const SweepResults& results, const fs::path& file) {
  const std::string ending = file.extension() == ".hdf5" ? ".h5" : file.extension().string();
  OwnName own(file);
  if (ending == ".csv") {
    write_csv(results, own.path());
  } else {
    const FormatInfo* found = nullptr;
    for (const FormatInfo* format : table_formats())
      if (ending == "." + format->name) found = format;
    if (found == nullptr) refuse_file(file, "is no name of a table: expected " + table_endings());
    if (found->require != nullptr) found->require();
    Json more{{"causes", Json::array()}};
    for (const BlockCause& each : results.causes())
      more["causes"].push_back({{"cause", each.cause}, {"first_case", each.first_case}, {"message", each.message}});
    SweepRows rows(results);
    write_table(rows, *found->make(own.path()), {.run = text_of(more), .more = &more});
  }
  own.keep();
  return write_trajectories(results, file);
}

}  // namespace raak
