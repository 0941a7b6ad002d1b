#include "output/csv.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "base/text.h"

namespace raak {
namespace {

constexpr std::size_t buffer_size = 1 << 18, longest_number = 32;

void append_numbered(std::vector<std::string>& names, const std::string& stem, Eigen::Index count) {
  for (Eigen::Index i = 1; i <= count; ++i) names.push_back(stem + "." + std::to_string(i));
}

}  // namespace

CsvFile::CsvFile(std::filesystem::path path, const std::vector<std::string>& columns,
                 const std::vector<std::string>& units)
    : file_(std::move(path)), buffer_(buffer_size + longest_number) {
  append(join(columns, ","));
  append("\n");
  if (!units.empty()) append("# units: " + join(units, ",") + "\n");
}

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
  else to = std::to_chars(to, begin + longest_number, value).ptr;
  used_ += static_cast<std::size_t>(to - begin);
}

void CsvFile::add(const Vector& values) {
  for (const double value : values) add(value);
}

// Only whole rows are handed over, so that what a killed run leaves can be read. (The kernel may break off at a page
// when the kill comes during the write: a last line without its newline is no row.)
void CsvFile::end_row() {
  append("\n");
  row_started_ = false;
  if (used_ >= buffer_size) flush();
}

void CsvFile::flush() {
  file_.write({buffer_.data(), used_});
  used_ = 0;
}

void CsvFile::finish(std::string_view note) {
  if (!note.empty()) {
    std::string line = "# partial: " + std::string(note);
    std::replace(line.begin(), line.end(), '\n', ' ');
    append(line + "\n");
  }
  flush();
  file_.keep();
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

// Of the multiplier of a row, whose work with the row is an energy; blank where nobody tells what the row is.
std::string multiplier_unit(const std::string& row) {
  return row == "m" ? "N" : row == "rad" ? "N m" : row == "m^2" ? "N/m" : row == "1" ? "J" : "";
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
  for (std::size_t i = 0; i < shown.rows.size(); ++i)
    units.push_back(i < shown.row_units.size() ? multiplier_unit(shown.row_units[i]) : "");
  add(system.description().output_units, system.description().outputs.size());
  units.insert(units.end(), energy_outputs, "J");
  return units;
}

void write_result_row(CsvFile& file, const ConstrainedSystem& system, const Sample& sample) {
  State shown;
  system.report(sample.state, shown);
  file.add(shown.t);
  file.add(shown.q);
  file.add(shown.v);
  file.add(shown.a);
  file.add(shown.lambda);
  file.add(sample.outputs);
  file.end_row();
}

std::vector<std::string> trace_columns(const IndependentCoordinates& independent) {
  std::vector<std::string> names{"t"};
  for (const char* kind : {"z", "zd", "zdd"}) append_numbered(names, kind, independent.z.size());
  for (Eigen::Index i = 1; i <= independent.VI.rows(); ++i) {
    append_numbered(names, "V." + std::to_string(i), independent.VI.cols());
  }
  return names;
}

void write_trace_row(CsvFile& file, double t, const IndependentCoordinates& independent) {
  file.add(t);
  file.add(independent.z);
  file.add(independent.z1);
  file.add(independent.z2);
  for (Eigen::Index i = 0; i < independent.VI.rows(); ++i) {
    for (Eigen::Index j = 0; j < independent.VI.cols(); ++j) file.add(independent.VI(i, j));
  }
  file.end_row();
}

}  // namespace raak
