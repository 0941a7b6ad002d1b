// A format of result tables is a writer, begin, rows, finish, and a line in the catalogue (output/catalogue.cpp). What
// a run computes and what `raak convert` reads pass through the same writers.
#pragma once
#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "output/formats/json.h"
#include "output/tables/table_rows.h"

namespace raak {

struct Recording;

// What belongs to the rows, for a format that has a place for it.
struct Companions {
  std::string run = {};                  // text of run.json; empty: unknown
  const Recording* recording = nullptr;  // for the report, with
  const Json* about = nullptr;           // report.json; both or neither
  const Json* more = nullptr;            // beside names and units, of a table that no run wrote
};

// Writes under the partial name of its file. Without finish() nothing stays behind. Throws a request error where the
// file cannot be written.
class TableWriter {
 public:
  TableWriter() = default;
  TableWriter(const TableWriter&) = delete;
  TableWriter& operator=(const TableWriter&) = delete;
  virtual ~TableWriter() = default;

  // The names, units and number of rows are known; no row has been read.
  virtual void begin(const TableRows& table) = 0;
  // The rows from `first` on, by column, in blocks.
  virtual void rows(std::size_t first, const std::vector<std::vector<double>>& columns) = 0;
  // Complete and on the disk, still under the partial name.
  virtual void finish(const Companions& companions) = 0;
};

// Block by block: the table may be larger than the memory.
void write_table(TableRows& table, TableWriter& writer, const Companions& companions);

}  // namespace raak
