#include "output/formats/csv.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "base/error.h"
#include "base/text/text.h"
#include "base/text/visible_text.h"
#include "output/formats/zip.h"

namespace raak {
namespace {

constexpr std::size_t buffer_size = 1 << 18, longest_number = 33;  // with the comma

}  // namespace

void append_numbered(std::vector<std::string>& names, const std::string& stem, Eigen::Index count) {
  for (Eigen::Index i = 1; i <= count; ++i) names.push_back(stem + "." + std::to_string(i));
}

CsvFile::CsvFile(std::filesystem::path path, const std::vector<std::string>& columns,
                 const std::vector<std::string>& units)
    : file_(std::move(path)), buffer_(buffer_size + longest_number) {
  append(csv_row(columns) + "\n");
  if (!units.empty()) append("# units: " + csv_row(units) + "\n");
}

std::string csv_cell(const std::string& text) {
  std::string safe = visible_line(text);
  if (begins_formula(safe)) safe.insert(0, 1, '\'');
  if (safe.find_first_of(",\"") == std::string::npos) return safe;
  std::string quoted = "\"";
  for (const char c : safe) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

std::string csv_row(const std::vector<std::string>& cells) {
  std::vector<std::string> safe;
  for (const std::string& cell : cells) safe.push_back(csv_cell(cell));
  return join(safe, ",");
}

CsvFile::CsvFile(std::filesystem::path path, const Extent& extent)
    : file_(std::move(path), extent.bytes),
      buffer_(buffer_size + longest_number),
      rows_(extent.rows),
      crc_(extent.crc) {}

char* CsvFile::room(std::size_t count) {
  if (buffer_.size() - used_ < count) buffer_.resize(2 * buffer_.size() + count);
  return buffer_.data() + used_;
}

void CsvFile::append(std::string_view text) {
  std::copy(text.begin(), text.end(), room(text.size()));
  used_ += text.size();
}

// A run spends most of its time here if it has many rows: the digits go to their place at once.
void CsvFile::add(double value) {
  char* const begin = room(longest_number);
  char* to = begin;
  if (row_started_) *to++ = ',';
  row_started_ = true;
  if (std::isnan(value)) value = std::abs(value);  // its sign means nothing
  if (value == 0.0 && !std::signbit(value)) *to++ = '0';
  else to = write_exactly(to, value);
  used_ += static_cast<std::size_t>(to - begin);
}

void CsvFile::add(const Vector& values) {
  for (const double value : values) add(value);
}

void CsvFile::add_text(const std::string& text) {
  if (row_started_) append(",");
  row_started_ = true;
  append(csv_cell(text));
}

// Only whole rows are handed over, so that what a killed run leaves can be read. (The kernel may break off at a page
// when the kill comes during the write: a last line without its newline is no row.)
void CsvFile::end_row() {
  append("\n");
  row_started_ = false;
  ++rows_;
  if (used_ >= buffer_size) flush();
}

// What has arrived of it is not handed over again, should it not fit.
void CsvFile::flush() {
  const std::uint64_t before = file_.size();
  try {
    file_.write({buffer_.data(), used_});
    crc_ = crc32({buffer_.data(), used_}, crc_);
    used_ = 0;
  } catch (const Error&) {
    const auto arrived = static_cast<std::ptrdiff_t>(file_.size() - before);
    std::copy(buffer_.begin() + arrived, buffer_.begin() + static_cast<std::ptrdiff_t>(used_), buffer_.begin());
    used_ -= static_cast<std::size_t>(arrived);
    throw;
  }
}

CsvFile::Extent CsvFile::sync() {
  flush();
  file_.sync();
  return {file_.size(), rows_, crc_};
}

namespace {

std::string partial_line(std::string_view note) {
  if (note.empty()) return "";
  std::string line(note);
  std::replace(line.begin(), line.end(), '\n', ' ');
  return "# partial: " + visible_line(line) + "\n";
}

}  // namespace

// Which nobody ends any more.
void CsvFile::drop_unfinished_row() {
  if (!row_started_) return;
  while (used_ > 0 && buffer_[used_ - 1] != '\n') --used_;
  row_started_ = false;
}

void CsvFile::seal(std::string_view note) {
  drop_unfinished_row();
  flush();
  file_.write(partial_line(note));
  file_.seal();
}

// The end of the file becomes that of the line before; false: there is none.
bool CsvFile::cut_last_row() {
  constexpr std::uint64_t piece = 65536;
  std::uint64_t end = file_.size();
  if (end == 0) return false;
  --end;  // its own newline, if it has one
  while (end > 0) {
    const std::uint64_t from = end > piece ? end - piece : 0;
    const std::string text = file_.read_at(from, static_cast<std::size_t>(end - from));
    const std::size_t newline = text.rfind('\n');
    if (newline != std::string::npos) {
      file_.cut(from + newline + 1);
      return true;
    }
    end = from;
  }
  return false;
}

std::size_t CsvFile::seal_what_fits(std::string_view note) {
  const std::string line = partial_line(note);
  drop_unfinished_row();
  try {
    flush();
  } catch (const Error&) {
    // The rows that wait are lost, and a row of which only a part has arrived. The header may wait with them.
    const auto lines = std::count(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(used_), '\n');
    rows_ -= std::min(rows_, static_cast<std::size_t>(lines));
    used_ = 0;
  }
  if (file_.size() > 0 && file_.read_at(file_.size() - 1, 1) != "\n") cut_last_row();
  const std::uint64_t rows_end = file_.size();
  std::uint64_t made = 0;
  while (true) {
    const std::uint64_t before = file_.size();
    try {
      file_.write(line);
      break;
    } catch (const Error&) {
      file_.cut(before);
      if (rows_ == 0 || made > line.size() || !cut_last_row()) break;
      --rows_;
      made = rows_end - file_.size();
    }
  }
  try {
    file_.seal();
  } catch (const Error&) {
    file_.leave();  // what has arrived is better than nothing
  }
  return rows_;
}

std::vector<std::string> result_columns(const ConstrainedSystem& system) {
  std::vector<std::string> names{"t"};
  const ReportedNames& shown = system.reported();
  for (const std::string& name : shown.positions) names.push_back("q." + name);
  for (const char* kind : {"v.", "a."})
    for (const std::string& name : shown.velocities) names.push_back(kind + name);
  append_numbered(names, "lambda", static_cast<Eigen::Index>(shown.rows.size()));
  for (const std::string& output : output_names(system)) names.push_back(output);
  return names;
}

namespace {

// Of the multiplier of a row, whose work with the row is an energy; blank where it is unknown what the row is.
std::string multiplier_unit(const std::string& row) {
  return row == "m" ? "N" : row == "rad" ? "N m" : row == "m^2" ? "N/m" : row == "1" ? "J" : "";
}

// Of the norm of all rows; blank where they have several.
std::string violation_unit(const ReportedNames& names) {
  const std::vector<Row>& rows = names.rows;
  const bool one = !rows.empty() &&
                   std::all_of(rows.begin(), rows.end(), [&](const Row& row) { return row.unit == rows.front().unit; });
  return one ? rows.front().unit : "";
}

}  // namespace

std::vector<std::string> result_units(const ConstrainedSystem& system) {
  const ReportedNames& shown = system.reported();
  std::vector<std::string> units{"s"};
  const auto add = [&](const std::vector<std::string>& known, std::size_t count, const char* more = "") {
    for (std::size_t i = 0; i < count; ++i)
      units.push_back(known.size() == count && !known[i].empty() ? known[i] + more : "");
  };
  add(shown.position_units, shown.positions.size());
  add(shown.velocity_units, shown.velocities.size());
  add(shown.velocity_units, shown.velocities.size(), "^2");  // rad/s becomes rad/s^2
  for (const Row& row : shown.rows) units.push_back(multiplier_unit(row.unit));
  add(system.description().output_units, system.description().outputs.size());
  units.insert(units.end(), energy_outputs, "J");
  const std::string violation = violation_unit(shown);
  units.insert(units.end(), {violation, violation.empty() ? "" : violation + "/s"});
  return units;
}

}  // namespace raak
