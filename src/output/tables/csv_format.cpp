// Tables as comma-separated values (csv.h).
#include <optional>
#include <utility>

#include "output/catalogue.h"
#include "output/formats/csv.h"

namespace raak {
namespace {

class CsvWriter final : public TableWriter {
 public:
  explicit CsvWriter(std::filesystem::path path) : path_(std::move(path)) {}

  void begin(const TableRows& table) override { file_.emplace(path_, table.names(), table.units()); }
  void rows(std::size_t, const std::vector<std::vector<double>>& columns) override {
    for (std::size_t row = 0; row < columns.front().size(); ++row) {
      for (const std::vector<double>& column : columns) file_->add(column[row]);
      file_->end_row();
    }
  }
  void finish(const Companions&) override { file_->seal(); }

 private:
  std::filesystem::path path_;
  std::optional<CsvFile> file_;
};

}  // namespace

FormatInfo csv_format() {
  return {.name = "csv",
          .summary =
              "a row per sample: t, q, v, a, lambda, outputs, units in a comment; with --trace also z, z', "
              "z'', V_I, singular values and every re-partition",
          .files = {"result.csv", "trace.csv", "partitions.csv"},
          .make = make_writer<CsvWriter>,
          .by_default = true,
          .least_bytes = 2.0,
          .usual_bytes = 19.0};
}

}  // namespace raak
