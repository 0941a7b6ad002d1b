#include "output/tables/result_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/text/text.h"
#include "output/catalogue.h"
#include "output/folder/file_marks.h"
#include "output/folder/own_name.h"
#include "output/folder/partial_file.h"
#include "output/formats/json.h"
#include "output/formats/npy.h"
#include "output/formats/zip.h"
#include "output/formats/zip_reader.h"
#include "output/tables/csv_rows.h"
#include "output/tables/table_rows.h"

namespace raak {
namespace {

namespace fs = std::filesystem;

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
    refuse_file(file, fmt::format("is damaged: the array \"{}\" is missing or broken", name_));
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
    const Json about = archive_.find("report.json") == nullptr ? Json() : parsed_json(archive_.read("report.json"));
    if (!about.is_object()) refuse_file(file, "was not written by raak run");
    try {
      const std::vector<std::string> all = words_at(about, "columns"), units = words_at(about, "units");
      names_ = about.contains("table") ? words_at(about, "table") : all;
      for (const std::string& name : names_) {
        const auto place = static_cast<std::size_t>(std::find(all.begin(), all.end(), name) - all.begin());
        units_.push_back(place < units.size() ? units[place] : "");
      }
    } catch (const Json::exception&) {
      refuse_file(file, "is damaged: report.json in it lacks entries");
    }
    for (const std::string& name : names_) {
      columns_.emplace_back(archive_, name + ".npy", file);
      if (columns_.back().rows() != rows()) columns_.back().broken(file);
    }
    if (columns_.empty()) refuse_file(file, "has no columns");
  }

  std::size_t rows() const override { return columns_.front().rows(); }
  void read_next(std::size_t count, std::vector<std::vector<double>>& values) override {
    for (std::size_t i = 0; i < columns_.size(); ++i) columns_[i].read_next(count, values[i]);
  }

 private:
  ZipReader archive_;
  std::vector<Column> columns_;
};

// The format that the ending of a file names.
const FormatInfo& format_of(const fs::path& file) {
  const std::string ending = file.extension() == ".hdf5" ? ".h5" : file.extension().string();
  for (const FormatInfo* format : table_formats())
    if (ending == "." + format->name) return *format;
  refuse_file(file, "is no name of a format that results can be converted to: expected " + table_endings());
}

}  // namespace

std::string table_endings() {
  std::vector<std::string> endings;
  for (const std::string& name : table_format_names()) endings.push_back("*." + name);
  return join(endings);
}

void convert_results(const fs::path& path, const fs::path& file) {
  const FormatInfo& format = format_of(file);
  if (format.require != nullptr) format.require();
  std::error_code unreadable;
  const bool is_folder = fs::is_directory(path, unreadable);
  const Json document = is_folder ? read_run_document(path) : Json();
  const fs::path source = is_folder ? path / rows_file(path, document) : path;
  if (!fs::exists(source, unreadable)) refuse_file(source, "is missing; name the --out folder of an earlier raak run");
  // Which is not read any more once it is written.
  if (fs::equivalent(source, file, unreadable)) refuse_file(source, "is what --out names; name another file");
  std::unique_ptr<TableRows> table;
  if (source.extension() == ".csv") table = std::make_unique<CsvRows>(source);
  else table = std::make_unique<ArrayRows>(source);
  if (is_folder) require_one_run(path, document);
  OwnName own(file);
  write_table(*table, *format.make(own.path()), {.run = bytes_in(source.parent_path() / "run.json")});
  own.keep();
}

}  // namespace raak
