#include "output/tables/csv_rows.h"

#include <fmt/format.h>

#include <optional>
#include <string_view>

#include "base/error.h"
#include "base/text/text.h"
#include "base/text/visible_text.h"
#include "output/folder/stored_file.h"

namespace raak {
namespace {

constexpr std::string_view units_mark = "# units: ";

// Cells with commas or quotes are quoted, with each quote twice.
std::vector<std::string> cells_of(std::string_view line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"') cells.back() += line[++i];
    else if (c == '"') quoted = !quoted;
    else if (c == ',' && !quoted) cells.emplace_back();
    else cells.back() += c;
  }
  return cells;
}

}  // namespace

CsvRows::CsvRows(const std::filesystem::path& path) : path_(path), stream_(open_stored(path)) {
  if (!stream_) refuse("cannot be read");
  if (!next_line()) refuse("is empty");
  names_ = cells_of(line_);
  if (names_.front() != "t")
    refuse(fmt::format("is no table of raak run: its header begins with \"{}\", expected t",
                       visible_line(cut_short(names_.front()))));
  if (next_line() && line_.starts_with(units_mark))
    units_ = cells_of(std::string_view(line_).substr(units_mark.size()));
  units_.resize(names_.size());
  stream_.clear();
  stream_.seekg(0);
  while (next_row()) ++rows_;
  --rows_;  // the header
  stream_.clear();
  stream_.seekg(0);
  number_ = 0;
  next_row();
}

void CsvRows::read_next(std::size_t count, std::vector<std::vector<double>>& values) {
  for (std::vector<double>& column : values) column.resize(count);
  for (std::size_t row = 0; row < count; ++row) {
    if (!next_row()) refuse("became shorter while it was read");
    std::string_view rest = line_;
    for (std::size_t i = 0; i < names_.size(); ++i) {
      const std::size_t end = rest.find(',');
      const std::string_view cell = rest.substr(0, end);
      const std::optional<double> value = parse_number(cell);
      if (!value)
        refuse(fmt::format("is damaged: line {} has \"{}\" for {}, expected a number", number_,
                           visible_line(cut_short(std::string(cell))), names_[i]));
      values[i][row] = *value;
      if ((end == std::string_view::npos) != (i + 1 == names_.size()))
        refuse(fmt::format("is damaged: line {} has {} than the {} cells of the header", number_,
                           end == std::string_view::npos ? "fewer" : "more", names_.size()));
      rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    }
  }
}

void CsvRows::refuse(const std::string& why) const {
  throw Error(ErrorKind::request, fmt::format("\"{}\" {}", path_.string(), why));
}

bool CsvRows::next_line() {
  ++number_;
  if (!std::getline(stream_, line_)) return false;
  if (line_.ends_with('\r')) line_.pop_back();
  return true;
}

bool CsvRows::next_row() {
  while (next_line())
    if (!line_.empty() && !line_.starts_with('#')) return true;
  return false;
}

}  // namespace raak
