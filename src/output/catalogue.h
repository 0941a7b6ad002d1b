// The formats in which a run's results are written. A table format is one file and one line in catalogue.cpp.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "output/tables/table_writer.h"

namespace raak {

struct FormatInfo {
  std::string name;
  std::string summary;
  std::vector<std::string> files;  // as they are called in the --out folder; the first is that of the table
  // For --format and convert; null: no table.
  std::unique_ptr<TableWriter> (*make)(const std::filesystem::path& file) = nullptr;
  bool by_default = false;
  double least_bytes = 0.0, usual_bytes = 0.0;  // of a number
  void (*require)() = nullptr;                  // refuses where a library is missing
};

template <class Writer>
std::unique_ptr<TableWriter> make_writer(const std::filesystem::path& file) {
  return std::make_unique<Writer>(file);
}

const std::vector<FormatInfo>& format_catalogue();

using Formats = std::vector<const FormatInfo*>;
const Formats& table_formats();
std::vector<std::string> table_format_names();
// `--format A,B,..`; no names: those that a run writes by default. Refuses unknown names and a missing library.
Formats chosen_formats(const std::vector<std::string>& names);

// A run writes its rows to this one as they come, whatever is chosen: they survive when the run is killed or the disk
// fills up, and a run is resumed from them.
const FormatInfo& journal_format();

}  // namespace raak
