// Rows of numbers on their way to become columns: kept on disk and read back in blocks, so that a long run needs no
// more memory than a short one.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

namespace raak {

class RowSpool {
 public:
  // `beside`: the file whose folder holds the rows; they have no name there and vanish with the process.
  RowSpool(const std::filesystem::path& beside, std::size_t columns);
  ~RowSpool();
  RowSpool(const RowSpool&) = delete;
  RowSpool& operator=(const RowSpool&) = delete;

  // A row that does not fit on the disk throws a request error and is kept in memory.
  void add(const std::vector<double>& row);
  std::size_t rows() const { return rows_; }
  // Only the first rows are kept.
  void cut(std::size_t rows);
  // Hands over what is in memory.
  void flush();
  std::vector<double> row(std::size_t index) const;

  // Calls use(column, first row, values) for pieces of columns, block by block of rows: the pieces of one column come
  // in their order.
  template <class Use>
  void each_piece(const Use& use) const;

 private:
  std::size_t stored_rows() const { return rows_ - waiting_.size() / columns_; }
  void read(std::size_t first, std::size_t rows, double* to) const;

  std::filesystem::path path_;
  int descriptor_ = -1;
  std::size_t columns_, rows_ = 0;
  std::vector<double> waiting_;  // the last rows, not yet on the disk
};

template <class Use>
void RowSpool::each_piece(const Use& use) const {
  constexpr std::size_t numbers_of_a_block = std::size_t{1} << 21;  // 16 MB
  const std::size_t most = std::max<std::size_t>(1, numbers_of_a_block / columns_);
  std::vector<double> block(std::min(rows_, most) * columns_), piece(std::min(rows_, most));
  for (std::size_t first = 0; first < rows_; first += most) {
    const std::size_t count = std::min(most, rows_ - first);
    read(first, count, block.data());
    for (std::size_t column = 0; column < columns_; ++column) {
      for (std::size_t i = 0; i < count; ++i) piece[i] = block[i * columns_ + column];
      use(column, first, std::span<const double>(piece.data(), count));
    }
  }
}

}  // namespace raak
