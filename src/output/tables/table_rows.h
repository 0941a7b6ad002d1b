// The rows of a table of results that is read from a file, block by block: it may be larger than the memory.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace raak {

class TableRows {
 public:
  TableRows() = default;
  TableRows(const TableRows&) = delete;
  TableRows& operator=(const TableRows&) = delete;
  virtual ~TableRows() = default;

  const std::vector<std::string>& names() const { return names_; }
  const std::vector<std::string>& units() const { return units_; }  // one for each name
  virtual std::size_t rows() const = 0;
  // The next `count` rows, which there are, by column.
  virtual void read_next(std::size_t count, std::vector<std::vector<double>>& values) = 0;

 protected:
  std::vector<std::string> names_, units_;
};

}  // namespace raak
