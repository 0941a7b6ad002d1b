// Tables that fit: where a terminal is too narrow the columns that matter least are left out, and where even the others
// do not fit each row becomes a short list.
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace raak::cli {

// The cell of a count of digits, such as 9.53.
std::string digits_text(const std::optional<double>& digits);

struct Column {
  std::string title;
  bool left = false;   // aligned; numbers stand on the right
  int importance = 0;  // 0: stays; the largest goes first
};

class Table {
 public:
  explicit Table(std::vector<Column> columns, std::string indent = "")
      : columns_(std::move(columns)), indent_(std::move(indent)) {}

  // As many cells as columns; what a terminal would obey in them is made visible.
  void add(const std::vector<std::string>& cells);
  // A line of its own below the last row.
  void add_remark(const std::string& text);

  std::string text(std::size_t room) const;

 private:
  struct Row {
    std::vector<std::string> cells;
    std::string remark;
  };
  std::string aligned(const std::vector<std::size_t>& shown, const std::vector<std::size_t>& widths) const;
  std::string listed(std::size_t room) const;

  std::vector<Column> columns_;
  std::string indent_;
  std::vector<Row> rows_;
};

}  // namespace raak::cli
