// Tables of numbers as comma-separated values: written row by row while a run goes on, every number exact to the bit.
// The first line names the columns; the second is a comment with their units: `# units: s,rad,rad/s`.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "output/folder/partial_file.h"
#include "run/integrate.h"

namespace raak {

// Words as cells: quoted where they hold commas or quotes, without controls, and never a formula of a spreadsheet.
std::string csv_cell(const std::string& text);
std::string csv_row(const std::vector<std::string>& cells);

// Lives under a partial name; without seal() nothing stays behind.
class CsvFile {
 public:
  // `units`: one for each column, or none.
  CsvFile(std::filesystem::path path, const std::vector<std::string>& columns,
          const std::vector<std::string>& units = {});
  // What a table holds at some moment, whole rows all.
  struct Extent {
    std::uint64_t bytes = 0, rows = 0;
    std::uint32_t crc = 0;  // of the bytes
  };
  // Goes on with the first part of a table that an interrupted run left under the partial name (restored_table.h).
  CsvFile(std::filesystem::path path, const Extent& extent);

  void add(double value);
  void add(const Vector& values);
  void add_text(const std::string& text);
  void end_row();

  std::size_t rows() const { return rows_; }
  // Hands over what is in memory.
  void flush();
  // The same, and brings it to the disk; returns what is there.
  Extent sync();

  // A note makes the last line `# partial: note`, the mark of a run that did not reach its end. Complete under the
  // partial name.
  void seal(std::string_view note = {});
  // As many whole rows as fit where no more can be written, then the note, under the partial name. Returns how many
  // rows there are.
  std::size_t seal_what_fits(std::string_view note);
  // Whatever happens, what was handed over stays under the partial name.
  void leave() { file_.leave(); }

 private:
  void drop_unfinished_row();
  bool cut_last_row();
  // Room for so many more characters.
  char* room(std::size_t count);
  void append(std::string_view text);

  PartialFile file_;
  std::vector<char> buffer_;
  std::size_t used_ = 0;  // of the buffer
  std::size_t rows_ = 0;
  std::uint32_t crc_ = 0;  // of what was handed over
  bool row_started_ = false;
};

// t, q.NAME, v.NAME, a.NAME, lambda.K (from 1), outputs, energies, violations.
std::vector<std::string> result_columns(const ConstrainedSystem& system);
// Of the same columns; empty where they are unknown.
std::vector<std::string> result_units(const ConstrainedSystem& system);

// stem.1, stem.2, ..
void append_numbered(std::vector<std::string>& names, const std::string& stem, Eigen::Index count);

}  // namespace raak
