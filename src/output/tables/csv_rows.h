// The rows of a result.csv (csv.h), where the arrays of the same run are missing.
#pragma once
#include <filesystem>
#include <fstream>
#include <string>

#include "output/tables/table_rows.h"

namespace raak {

class CsvRows final : public TableRows {
 public:
  // Throws a request error, with the line, where the file is none that raak run writes: no header that begins with t.
  explicit CsvRows(const std::filesystem::path& path);

  std::size_t rows() const override { return rows_; }
  // Throws a request error, with the line, for a row of another length or what is no number.
  void read_next(std::size_t count, std::vector<std::vector<double>>& values) override;

 private:
  [[noreturn]] void refuse(const std::string& why) const;
  bool next_line();
  // The next line that is no comment.
  bool next_row();

  std::filesystem::path path_;
  std::ifstream stream_;
  std::string line_;
  std::size_t number_ = 0;  // of the line
  std::size_t rows_ = 0;
};

}  // namespace raak
