#include "modelfile/history_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string_view>

#include "base/text/text.h"
#include "base/text/visible_text.h"

namespace raak {
namespace {

constexpr const char* expected_header = "t,name,value (a row a value) or t,NAME,NAME,.. (a row a time)";

struct Cell {
  std::string text;
  int column = 1;  // of its first character
};

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blank = " \t\r";
  const std::size_t first = text.find_first_not_of(blank);
  return first == std::string_view::npos ? text.substr(0, 0)
                                         : text.substr(first, text.find_last_not_of(blank) - first + 1);
}

constexpr std::string_view separators = ",;\t";

const char* name_of(char separator) {
  return separator == ',' ? "commas" : separator == ';' ? "semicolons" : "tabs";
}

// Without the blanks around them and, as spreadsheets write them, without quotes.
std::vector<Cell> cells_of(std::string_view line, char separator) {
  std::vector<Cell> cells;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find(separator, begin), line.size());
    std::string_view text = trimmed(line.substr(begin, end - begin));
    const std::size_t at = text.empty() ? begin : static_cast<std::size_t>(text.data() - line.data());
    if (text.size() > 1 && text.front() == '"' && text.back() == '"') text = text.substr(1, text.size() - 2);
    cells.push_back({std::string(text), static_cast<int>(at) + 1});
    begin = end + 1;
  }
  return cells;
}

class HistoryReader {
 public:
  explicit HistoryReader(const std::string& path) : path_(path) {}

  void take_line(std::string_view text, int number) {
    line_ = number;
    if (trimmed(text).empty() || text.starts_with('#')) return;
    if (header_.empty()) return read_header(text);
    cells_ = cells_of(text, separator_);
    require_separator(text);
    if (found_.wide) read_wide_row();
    else read_long_row();
  }

  HistoryFile finish() {
    if (header_.empty()) refuse_at({path_, 0, 0}, fmt::format("found nothing, expected a header: {}", expected_header));
    if (found_.values.empty()) refuse_at({path_, line_, 1}, "found no values after the header");
    return std::move(found_);
  }

 private:
  // A row of one cell that holds another separator.
  void require_separator(std::string_view text) const {
    const std::size_t other = text.find_first_of(separators);
    if (cells_.size() > 1 || other == std::string_view::npos) return;
    refuse_at({path_, line_, static_cast<int>(other) + 1},
              fmt::format("found {} between the cells of this row, expected {} as in the header", name_of(text[other]),
                          name_of(separator_)));
  }

  Place place(std::size_t cell) const { return {path_, line_, cells_[cell].column}; }

  double number(std::size_t cell, const std::string& what) const {
    const std::string& text = cells_[cell].text;
    if (text.empty()) refuse_at(place(cell), fmt::format("found no value of {}, expected a number", what));
    const std::optional<double> value = parse_number(text);
    if (!value && separator_ != ',' && text.find(',') != std::string::npos)
      refuse_at(place(cell), fmt::format("expected a number with a decimal point for {}, found \"{}\" with a comma",
                                         what, cut_short(text)));
    if (!value || !std::isfinite(*value))
      refuse_at(place(cell), fmt::format("expected a number for {}, found \"{}\"", what, cut_short(text)));
    return *value;
  }

  void read_header(std::string_view text) {
    if (const std::size_t first = text.find_first_of(separators); first != std::string_view::npos)
      separator_ = text[first];
    header_ = cells_ = cells_of(text, separator_);
    const bool begins_with_time = header_[0].text == "t" || header_[0].text == "time";
    if (header_.size() < 2 && (text.starts_with("t ") || text.starts_with("time ")))
      refuse_at(place(0), fmt::format("found blanks between the columns, expected commas, semicolons or tabs: {}",
                                      expected_header));
    if (!begins_with_time || header_.size() < 2)
      refuse_at(place(0), fmt::format("expected a header that names the columns, {}; found \"{}\"", expected_header,
                                      cut_short(header_[0].text)));
    found_.wide = !(header_.size() == 3 && header_[1].text == "name" && header_[2].text == "value");
    if (!found_.wide) return;
    for (std::size_t i = 1; i < header_.size(); ++i) {
      const std::string& name = header_[i].text;
      if (name.empty()) refuse_at(place(i), "expected the name of a column, found none");
      if (!seen_.insert(name).second) refuse_at(place(i), fmt::format("there are two columns \"{}\"", cut_short(name)));
      found_.names.emplace_back(name, place(i));
    }
  }

  void read_wide_row() {
    const double t = number(0, "t");
    if (cells_.size() < header_.size())
      refuse_at({path_, line_, cells_.back().column + static_cast<int>(cells_.back().text.size())},
                fmt::format("found {} cells in this row, expected {}: {} has none", cells_.size(), header_.size(),
                            cut_short(header_[cells_.size()].text)));
    if (cells_.size() > header_.size())
      refuse_at(place(header_.size()), fmt::format("found {} cells in this row, expected {}, one for each name of the "
                                                   "header",
                                                   cells_.size(), header_.size()));
    require_next(t);
    found_.times.emplace_back(t, place(0));
    auto& values = found_.values[t];
    for (std::size_t i = 1; i < cells_.size(); ++i) values[header_[i].text] = number(i, cut_short(header_[i].text));
  }

  // A run backwards in time has a table with falling times.
  void require_next(double t) const {
    const auto& times = found_.times;
    if (times.empty()) return;
    const double last = times.back().first, before = times.size() > 1 ? times[times.size() - 2].first : last;
    const bool falling = last < before;
    if (t != last && (times.size() == 1 || (t < last) == falling)) return;
    refuse_at(place(0), fmt::format("t = {} follows t = {}: expected times that {}, each once", exact_text(t),
                                    exact_text(last), falling ? "fall" : "increase"));
  }

  void read_long_row() {
    if (cells_.size() != 3)
      refuse_at(place(0), fmt::format("found {} cells in this row, expected 3: t,name,value", cells_.size()));
    const double t = number(0, "t");
    const std::string& name = cells_[1].text;
    if (name.empty()) refuse_at(place(1), "expected the name of a coordinate or output, found none");
    const double value = number(2, cut_short(name));
    if (!found_.values[t].emplace(name, value).second)
      refuse_at(place(1), fmt::format("there is a value of {} at t = {} already", cut_short(name), exact_text(t)));
    if (seen_.insert(name).second) found_.names.emplace_back(name, place(1));
    found_.times.emplace_back(t, place(0));
  }

  const std::string& path_;
  int line_ = 0;
  char separator_ = ',';  // the first of them in the header
  std::vector<Cell> cells_, header_;
  std::set<std::string> seen_;  // names
  HistoryFile found_;
};

}  // namespace

HistoryFile parse_history(const std::string& text, const std::string& path) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  std::string_view rest = text;
  if (rest.starts_with(byte_order_mark)) rest.remove_prefix(byte_order_mark.size());
  HistoryReader reader(path);
  for (int line = 1; !rest.empty(); ++line) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    reader.take_line(rest.substr(0, end), line);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return reader.finish();
}

bool is_reached(double t, double start, double until) {
  const double direction = until >= start ? 1.0 : -1.0;
  return (t - start) * direction >= 0.0 && (until - t) * direction >= -1e-12 * std::abs(until);
}

void require_times_within(const HistoryFile& history, double start, double until, const std::string& run) {
  for (const auto& [t, place] : history.times)
    if (!is_reached(t, start, until))
      refuse_at(place, fmt::format("t = {} s lies outside run \"{}\", from {} to {} s. Times are in seconds; leave out "
                                   "what the run does not reach",
                                   exact_text(t), run, exact_text(start), exact_text(until)));
}

}  // namespace raak
