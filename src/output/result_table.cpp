#include "output/result_table.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "output/csv.h"
#include "output/file_marks.h"
#include "output/hdf5.h"
#include "output/json.h"
#include "output/npy.h"
#include "output/zip.h"

namespace raak {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const fs::path& file, const std::string& why) {
  throw Error(ErrorKind::request, fmt::format("\"{}\" {}", file.string(), why));
}

std::vector<std::string> words_at(const Json& about, const char* key) {
  const auto found = about.find(key);
  return found != about.end() && found->is_array() ? found->get<std::vector<std::string>>()
                                                   : std::vector<std::string>();
}

}  // namespace

ResultTable read_result_table(const fs::path& path) {
  std::error_code unreadable;
  const bool is_folder = fs::is_directory(path, unreadable);
  const fs::path file = is_folder ? path / "result.npz" : path;
  if (!fs::exists(file, unreadable)) refuse(file, "is missing; name the --out folder of an earlier raak run");
  const Json document_of_run = is_folder ? read_run_document(path) : Json();
  const auto blocks = read_zip(file);
  if (is_folder) require_one_run(path, document_of_run);
  const auto entry = blocks.find("report.json");
  const Json about = entry == blocks.end() ? Json() : Json::parse(entry->second, nullptr, false);
  if (!about.is_object()) refuse(file, "was not written by raak run");
  ResultTable table;
  try {
    table.columns = words_at(about, "columns");
    table.units = words_at(about, "units");
  } catch (const Json::exception&) {
    refuse(file, "is damaged: report.json in it lacks entries");
  }
  for (const std::string& column : table.columns) {
    const auto block = blocks.find(column + ".npy");
    std::vector<double> values;
    if (block == blocks.end() || !read_npy(block->second, values) ||
        (!table.values.empty() && values.size() != table.values.front().size()))
      refuse(file, fmt::format("is damaged: the array \"{}\" is missing or broken", column));
    table.values.push_back(std::move(values));
  }
  if (table.columns.empty()) refuse(file, "has no columns");
  if (table.units.size() != table.columns.size()) table.units.assign(table.columns.size(), "");
  std::ifstream document(file.parent_path() / "run.json", std::ios::binary);
  table.document.assign(std::istreambuf_iterator<char>(document), {});
  return table;
}

void write_result_table(const ResultTable& table, const fs::path& file) {
  if (file.extension() == ".csv") {
    CsvFile csv(file, table.columns, table.units);
    for (std::size_t row = 0; row < table.values.front().size(); ++row) {
      for (const std::vector<double>& column : table.values) csv.add(column[row]);
      csv.end_row();
    }
    csv.finish();
  } else if (file.extension() == ".h5" || file.extension() == ".hdf5") {
    Hdf5File hdf5(file);
    for (std::size_t i = 0; i < table.columns.size(); ++i) hdf5.add(table.columns[i], table.values[i], table.units[i]);
    if (!table.document.empty()) hdf5.add("run.json", table.document);
    hdf5.finish();
  } else {
    refuse(file, "is no name of a format that results can be converted to: expected *.csv or *.h5");
  }
}

}  // namespace raak
