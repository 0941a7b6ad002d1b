// Tables of numbers as comma-separated values: written row by row while a run goes on, every number exact to the bit.
// The first line names the columns; the second is a comment with their units: `# units: s,rad,rad/s`.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "output/partial_file.h"
#include "run/integrate.h"

namespace raak {

// Lives under a partial name until finish(); without it nothing stays behind.
class CsvFile {
 public:
  // `units`: one for each column, or none.
  CsvFile(std::filesystem::path path, const std::vector<std::string>& columns,
          const std::vector<std::string>& units = {});

  void add(double value);
  void add(const Vector& values);
  void end_row();

  // A note makes the last line `# partial: note`, the mark of a run that did not reach its end.
  void finish(std::string_view note = {});

 private:
  void flush();
  // Room for so many more characters.
  char* room(std::size_t count);
  void append(std::string_view text);

  PartialFile file_;
  std::vector<char> buffer_;
  std::size_t used_ = 0;  // of the buffer
  bool row_started_ = false;
};

// t, q.NAME, v.NAME, a.NAME, lambda.K (from 1), outputs.
std::vector<std::string> result_columns(const ConstrainedSystem& system);
// Of the same columns; empty where the system does not tell.
std::vector<std::string> result_units(const ConstrainedSystem& system);
void write_result_row(CsvFile& file, const ConstrainedSystem& system, const Sample& sample);

// t, z.I, zd.I, zdd.I, V.I.J (from 1): independent coordinates, their rates and the basis V_I they refer to.
std::vector<std::string> trace_columns(const IndependentCoordinates& independent);
void write_trace_row(CsvFile& file, double t, const IndependentCoordinates& independent);

}  // namespace raak
