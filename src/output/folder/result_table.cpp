#include "output/folder/result_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "output/folder/file_marks.h"
#include "output/folder/table_rows.h"
#include "output/formats/csv.h"
#include "output/formats/csv_rows.h"
#include "output/formats/hdf5.h"
#include "output/formats/json.h"
#include "output/formats/npy.h"
#include "output/formats/zip.h"
#include "output/formats/zip_reader.h"

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

// One column of the table in the archive. The checksum of what was read is kept up to date.
class Column {
 public:
  Column(const ZipReader& archive, std::string name, const fs::path& file)
      : archive_(archive), name_(std::move(name)), block_(archive.find(name_)) {
    constexpr std::size_t longest_header = 1024;
    if (block_ == nullptr) broken(file);
    const std::string begin = archive_.read(*block_, 0, std::min<std::uint64_t>(block_->size, longest_header));
    at_ = start_of_doubles(begin);
    if (at_ == 0 || (block_->size - at_) % sizeof(double) != 0) broken(file);
    crc_ = crc32(std::string_view(begin).substr(0, at_));
    rows_ = (block_->size - at_) / sizeof(double);
  }

  std::size_t rows() const { return rows_; }
  void read_next(std::size_t count, std::vector<double>& values) {
    const std::string bytes = archive_.read(*block_, at_, count * sizeof(double));
    at_ += bytes.size();
    crc_ = crc32(bytes, crc_);
    values.resize(count);
    if (count > 0) std::memcpy(values.data(), bytes.data(), bytes.size());
    if (at_ == block_->size && crc_ != block_->crc) archive_.refuse_checksum(name_);
  }

  [[noreturn]] void broken(const fs::path& file) const {
    refuse(file, fmt::format("is damaged: the array \"{}\" is missing or broken", name_));
  }

 private:
  const ZipReader& archive_;
  std::string name_;
  const ZipReader::Block* block_;
  std::uint64_t at_ = 0;
  std::size_t rows_ = 0;
  std::uint32_t crc_ = 0;
};

class ArrayRows final : public TableRows {
 public:
  explicit ArrayRows(const fs::path& file) : archive_(file) {
    const Json about =
        archive_.find("report.json") == nullptr ? Json() : Json::parse(archive_.read("report.json"), nullptr, false);
    if (!about.is_object()) refuse(file, "was not written by raak run");
    try {
      const std::vector<std::string> all = words_at(about, "columns"), units = words_at(about, "units");
      names_ = about.contains("table") ? words_at(about, "table") : all;
      for (const std::string& name : names_) {
        const auto place = static_cast<std::size_t>(std::find(all.begin(), all.end(), name) - all.begin());
        units_.push_back(place < units.size() ? units[place] : "");
      }
    } catch (const Json::exception&) {
      refuse(file, "is damaged: report.json in it lacks entries");
    }
    for (const std::string& name : names_) {
      columns_.emplace_back(archive_, name + ".npy", file);
      if (columns_.back().rows() != rows()) columns_.back().broken(file);
    }
    if (columns_.empty()) refuse(file, "has no columns");
  }

  std::size_t rows() const override { return columns_.front().rows(); }
  void read_next(std::size_t count, std::vector<std::vector<double>>& values) override {
    for (std::size_t i = 0; i < columns_.size(); ++i) columns_[i].read_next(count, values[i]);
  }

 private:
  ZipReader archive_;
  std::vector<Column> columns_;
};

// Calls use(first row, rows, values by column).
template <class Use>
void each_block(TableRows& table, const Use& use) {
  constexpr std::size_t numbers_of_a_block = std::size_t{1} << 21;  // 16 MB
  const std::size_t columns = table.names().size();
  const std::size_t most = std::max<std::size_t>(1, numbers_of_a_block / columns);
  std::vector<std::vector<double>> values(columns);
  std::size_t first = 0;
  do {
    const std::size_t count = std::min(most, table.rows() - first);
    table.read_next(count, values);
    use(first, count, std::as_const(values));
    first += count;
  } while (first < table.rows());
}

void write_csv(TableRows& table, const fs::path& file) {
  CsvFile csv(file, table.names(), table.units());
  each_block(table, [&](std::size_t, std::size_t count, const std::vector<std::vector<double>>& values) {
    for (std::size_t row = 0; row < count; ++row) {
      for (const std::vector<double>& column : values) csv.add(column[row]);
      csv.end_row();
    }
  });
  csv.finish();
}

// `folder`: whose run.json goes with it, if it is there.
void write_hdf5(TableRows& table, const fs::path& folder, const fs::path& file) {
  const std::vector<std::string>& names = table.names();
  Hdf5File hdf5(file);
  for (std::size_t i = 0; i < names.size(); ++i) hdf5.begin(names[i], table.rows(), table.units()[i]);
  each_block(table, [&](std::size_t first, std::size_t, const std::vector<std::vector<double>>& values) {
    for (std::size_t i = 0; i < values.size(); ++i) hdf5.put(names[i], first, values[i]);
  });
  std::ifstream stream(folder / "run.json", std::ios::binary);
  const std::string document{std::istreambuf_iterator<char>(stream), {}};
  if (!document.empty()) hdf5.add("run.json", document);
  hdf5.finish();
}

}  // namespace

void convert_results(const fs::path& path, const fs::path& file) {
  const bool to_csv = file.extension() == ".csv";
  if (!to_csv && file.extension() != ".h5" && file.extension() != ".hdf5")
    refuse(file, "is no name of a format that results can be converted to: expected *.csv or *.h5");
  std::error_code unreadable;
  const bool is_folder = fs::is_directory(path, unreadable);
  const Json document = is_folder ? read_run_document(path) : Json();
  const fs::path source = is_folder ? path / rows_file(path, document) : path;
  if (!fs::exists(source, unreadable)) refuse(source, "is missing; name the --out folder of an earlier raak run");
  // Which is not read any more once it is written.
  if (to_csv && fs::equivalent(source, file, unreadable)) refuse(source, "is what --out names; name another file");
  std::unique_ptr<TableRows> table;
  if (source.extension() == ".csv") table = std::make_unique<CsvRows>(source);
  else table = std::make_unique<ArrayRows>(source);
  if (is_folder) require_one_run(path, document);
  if (to_csv) write_csv(*table, file);
  else write_hdf5(*table, source.parent_path(), file);
}

}  // namespace raak
