// Rows of numbers on their way to become columns: kept on disk and read back in blocks, so that a long run needs no
// more memory than a short one.
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

#include "output/tables/table_rows.h"

namespace raak {

class RowSpool final : public TableRows {
 public:
  // `beside`: the file whose folder holds the rows; they have no name there and vanish with the process.
  RowSpool(const std::filesystem::path& beside, std::vector<std::string> names, std::vector<std::string> units);
  ~RowSpool() override;

  // A row that does not fit on the disk throws a request error and is kept in memory.
  void add(const std::vector<double>& row);
  std::size_t rows() const override { return rows_; }
  // Only the first rows are kept.
  void cut(std::size_t rows);
  // Hands over what is in memory.
  void flush();
  std::vector<double> row(std::size_t index) const;

  // From the first row on again.
  void rewind() { next_ = 0; }
  void read_next(std::size_t count, std::vector<std::vector<double>>& values) override;

 private:
  std::size_t stored_rows() const { return rows_ - waiting_.size() / columns_; }
  void read(std::size_t first, std::size_t rows, double* to) const;

  std::filesystem::path path_;
  int descriptor_ = -1;
  std::size_t columns_, rows_ = 0;
  std::size_t next_ = 0;         // to be read
  std::vector<double> waiting_;  // the last rows, not yet on the disk
};

}  // namespace raak
