#include "study/sweep/design/case_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "base/text/text.h"
#include "base/text/visible_text.h"
#include "mechanism/mechanism.h"

namespace raak {
namespace {

std::string_view without_blanks(std::string_view cell) {
  while (!cell.empty() && (cell.front() == ' ' || cell.front() == '\t')) cell.remove_prefix(1);
  while (!cell.empty() && (cell.back() == ' ' || cell.back() == '\t' || cell.back() == '\r')) cell.remove_suffix(1);
  if (cell.size() > 1 && cell.front() == '"' && cell.back() == '"') cell = cell.substr(1, cell.size() - 2);
  return cell;
}

// The lines of a text that are neither empty nor comments.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}
  bool next() {
    while (!rest_.empty()) {
      ++number_;
      const std::size_t end = std::min(rest_.find('\n'), rest_.size());
      line_ = rest_.substr(0, end);
      rest_.remove_prefix(std::min(end + 1, rest_.size()));
      if (line_.ends_with('\r')) line_.remove_suffix(1);
      if (!line_.empty() && line_.front() != '#') return true;
    }
    return false;
  }
  std::string_view line() const { return line_; }
  int number() const { return number_; }

 private:
  std::string_view rest_, line_;
  int number_ = 0;
};

std::vector<std::string> header_of(std::string_view line) {
  std::vector<std::string> names;
  for (;;) {
    const std::size_t comma = line.find(',');
    names.emplace_back(without_blanks(line.substr(0, comma)));
    if (comma == std::string_view::npos) return names;
    line.remove_prefix(comma + 1);
  }
}

}  // namespace

std::uint64_t hash_of(std::string_view text, std::uint64_t so_far) {
  for (const char c : text) so_far = (so_far ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return so_far;
}

CaseTable::CaseTable(const std::string& file, const std::string& text, std::vector<Factor>& factors) {
  Lines lines(text);
  if (!lines.next())
    refuse_at({file, 1, 1},
              "the table of cases is empty: expected a header that names what varies, and a row for each case");
  const std::vector<std::string> header = header_of(lines.line());
  const Place top{file, lines.number(), 1};
  for (std::size_t i = 0; i < header.size(); ++i)
    if (std::find(header.begin(), header.begin() + static_cast<long>(i), header[i]) !=
        header.begin() + static_cast<long>(i))
      refuse_at(top, fmt::format("the column \"{}\" is there twice", visible_line(cut_short(header[i]))));
  if (factors.empty())
    for (const std::string& name : header)
      if (name != "case") factors.push_back({.name = name, .distribution = {}, .column = name, .place = top});
  std::vector<std::size_t> places(header.size(), factors.size());  // of each column among the factors
  for (std::size_t k = 0; k < factors.size(); ++k) {
    const auto found = std::find(header.begin(), header.end(), factors[k].column);
    if (found == header.end())
      refuse_at(factors[k].place, unknown_name("column of \"" + file + "\"", factors[k].column, header));
    places[static_cast<std::size_t>(found - header.begin())] = k;
  }
  width_ = factors.size();
  while (lines.next()) {
    std::string_view rest = lines.line();
    const std::size_t row = values_.size();
    values_.resize(row + width_);
    for (std::size_t i = 0; i < header.size(); ++i) {
      const std::size_t comma = rest.find(',');
      const auto column = static_cast<int>(rest.data() - lines.line().data()) + 1;
      const std::string_view cell = without_blanks(rest.substr(0, comma));
      const bool is_last = i + 1 == header.size();
      if ((comma == std::string_view::npos) != is_last)
        refuse_at({file, lines.number(), column}, fmt::format("the row has {} cells than the {} of the header",
                                                              is_last ? "more" : "fewer", header.size()));
      if (!is_last) rest.remove_prefix(comma + 1);
      if (places[i] == width_) continue;
      const std::optional<double> value = parse_number(cell);
      if (!value || !std::isfinite(*value))
        refuse_at({file, lines.number(), column}, fmt::format("expected a finite number for \"{}\", found \"{}\"",
                                                              header[i], visible_line(cut_short(std::string(cell)))));
      values_[row + places[i]] = *value;
    }
  }
  if (values_.empty()) refuse_at(top, "the table of cases has a header and no rows");
  hash_ = hash_of(text);
}

void CaseTable::read(std::uint64_t row, std::span<double> values) const {
  std::copy_n(values_.begin() + static_cast<std::ptrdiff_t>(row * width_), width_, values.begin());
}

}  // namespace raak
