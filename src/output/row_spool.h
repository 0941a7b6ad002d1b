// Rows of numbers on their way to become columns: kept on disk, so that a long run needs no more memory than a short
// one.
#pragma once
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <vector>

namespace raak {

class RowSpool {
 public:
  // `beside`: the file whose folder holds the rows; they have no name there and vanish with the process.
  RowSpool(const std::filesystem::path& beside, std::size_t columns);

  void add(const std::vector<double>& row);
  std::size_t rows() const { return rows_; }
  // Calls use(column, values) for each column in turn.
  template <class Use>
  void each_column(const Use& use);

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::vector<double> column(std::size_t index);

  std::filesystem::path path_;
  std::unique_ptr<std::FILE, Close> file_;
  std::size_t columns_, rows_ = 0;
};

template <class Use>
void RowSpool::each_column(const Use& use) {
  for (std::size_t i = 0; i < columns_; ++i) use(i, column(i));
}

}  // namespace raak
