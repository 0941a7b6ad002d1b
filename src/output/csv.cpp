#include "output/csv.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "base/text.h"

namespace raak {
namespace {

constexpr std::size_t buffer_size = 1 << 16;

void append_numbered(std::vector<std::string>& names, const std::string& stem, Eigen::Index count) {
  for (Eigen::Index i = 1; i <= count; ++i) names.push_back(stem + "." + std::to_string(i));
}

}  // namespace

CsvFile::CsvFile(std::filesystem::path path, const std::vector<std::string>& columns,
                 const std::vector<std::string>& units)
    : file_(std::move(path)) {
  buffer_.reserve(buffer_size + 64);
  buffer_ = join(columns, ",");
  buffer_ += '\n';
  if (!units.empty()) buffer_ += "# units: " + join(units, ",") + "\n";
}

void CsvFile::add(double value) {
  if (row_started_) buffer_ += ',';
  row_started_ = true;
  if (std::isnan(value)) {  // to_chars tells its sign, which means nothing
    buffer_ += "nan";
    return;
  }
  std::array<char, 32> digits{};
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), value);
  buffer_.append(digits.data(), end);
}

void CsvFile::add(const Vector& values) {
  for (const double value : values) add(value);
}

// Only whole rows reach the disk, so that what a killed run leaves can be read.
void CsvFile::end_row() {
  buffer_ += '\n';
  row_started_ = false;
  if (buffer_.size() >= buffer_size) flush();
}

void CsvFile::flush() {
  file_.write(buffer_);
  buffer_.clear();
}

void CsvFile::finish(std::string_view note) {
  if (!note.empty()) {
    buffer_ += "# partial: ";
    buffer_ += note;
    std::replace(buffer_.end() - static_cast<std::ptrdiff_t>(note.size()), buffer_.end(), '\n', ' ');
    buffer_ += '\n';
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

// Of the multiplier of a row, from what the row holds: a length, whose multiplier is a force, or an angle (or a product
// of directions), whose multiplier is a moment.
std::string multiplier_unit(const std::string& row) {
  static const std::array<const char*, 11> lengths{"x",      "y",    "z",      "across", "across 1", "across 2",
                                                   "length", "roll", "height", "slip 1", "slip 2"};
  static const std::array<const char*, 8> angles{"angle",  "turn x", "turn y", "turn z",
                                                 "axis 1", "axis 2", "twist",  "cross"};
  const std::size_t comma = row.rfind(", ");
  if (comma == std::string::npos) return "SI";
  const std::string held = row.substr(comma + 2);
  if (std::find(lengths.begin(), lengths.end(), held) != lengths.end()) return "N";
  return std::find(angles.begin(), angles.end(), held) != angles.end() ? "N m" : "SI";
}

}  // namespace

std::vector<std::string> result_units(const ConstrainedSystem& system) {
  const ReportedNames& shown = system.reported();
  std::vector<std::string> units{"s"};
  const auto add = [&](const std::vector<std::string>& known, std::size_t count, const char* more = "") {
    for (std::size_t i = 0; i < count; ++i) units.push_back(known.size() == count ? known[i] + more : "SI");
  };
  add(shown.position_units, shown.positions.size());
  add(shown.velocity_units, shown.velocities.size());
  add(shown.velocity_units, shown.velocities.size(), "^2");  // rad/s becomes rad/s^2
  for (const std::string& row : shown.rows) units.push_back(multiplier_unit(row));
  add(system.description().output_units, system.description().outputs.size());
  units.insert(units.end(), 4, "J");
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
