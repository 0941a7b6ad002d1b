#include "cli/terminal/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/text/text.h"
#include "base/text/visible_text.h"

namespace raak::cli {

std::string digits_text(const std::optional<double>& digits) {
  return digits ? fmt::format("{:.2f}", *digits) : "-";
}

void Table::add(const std::vector<std::string>& cells) {
  Row row;
  for (const std::string& cell : cells) row.cells.push_back(visible_line(cell));
  rows_.push_back(std::move(row));
}

void Table::add_remark(const std::string& text) {
  if (!rows_.empty()) rows_.back().remark = visible_line(text);
}

std::string Table::text(std::size_t room) const {
  std::vector<std::size_t> widths(columns_.size()), shown(columns_.size());
  std::iota(shown.begin(), shown.end(), 0U);
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    widths[i] = columns_[i].title.size();
    for (const Row& row : rows_) widths[i] = std::max(widths[i], row.cells[i].size());
  }
  std::vector<std::string> left_out;
  while (true) {
    std::size_t width = indent_.size();
    for (const std::size_t i : shown) width += widths[i] + 2;
    if (width <= room + 2) break;  // there is no gap after the last
    const auto least = std::max_element(shown.begin(), shown.end(), [&](std::size_t a, std::size_t b) {
      return columns_[a].importance < columns_[b].importance;
    });
    if (columns_[*least].importance == 0) return listed(room);
    left_out.push_back(columns_[*least].title);
    shown.erase(least);
  }
  const std::string note =
      left_out.empty() ? ""
                       : fmt::format("{}not shown for want of room: {} (--json has all)\n", indent_, join(left_out));
  return aligned(shown, widths) + note;
}

std::string Table::aligned(const std::vector<std::size_t>& shown, const std::vector<std::size_t>& widths) const {
  std::string text;
  const auto line = [&](auto&& cell) {
    std::string made = indent_;
    for (const std::size_t i : shown)
      made +=
          columns_[i].left ? fmt::format("{:<{}}  ", cell(i), widths[i]) : fmt::format("{:>{}}  ", cell(i), widths[i]);
    text += made.substr(0, made.find_last_not_of(' ') + 1) + "\n";
  };
  line([&](std::size_t i) { return columns_[i].title; });
  for (const Row& row : rows_) {
    line([&](std::size_t i) { return row.cells[i]; });
    if (!row.remark.empty()) text += indent_ + "    " + row.remark + "\n";
  }
  return text;
}

std::string Table::listed(std::size_t room) const {
  std::string text;
  for (const Row& row : rows_) {
    std::vector<std::string> words;
    for (std::size_t i = 1; i < columns_.size(); ++i)
      if (!row.cells[i].empty() && row.cells[i] != "-")
        words.push_back(columns_[i].title.empty() ? row.cells[i] : columns_[i].title + " " + row.cells[i]);
    const std::string separator = room < 40 ? "\n" + indent_ + "  " : ", ";
    text += fmt::format("{}{}\n{}  {}\n", indent_, row.cells.front(), indent_, join(words, separator));
    if (!row.remark.empty()) text += indent_ + "  " + row.remark + "\n";
  }
  return text;
}

}  // namespace raak::cli
