#include "output/tables/row_spool.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "output/folder/partial_file.h"

namespace raak {
namespace {

constexpr std::size_t most_waiting = std::size_t{1} << 15;  // numbers: 256 KB

}  // namespace

RowSpool::RowSpool(const std::filesystem::path& beside, std::vector<std::string> names, std::vector<std::string> units)
    : path_(beside), descriptor_(open_nameless(beside.string() + ".rows")), columns_(names.size()) {
  names_ = std::move(names);
  units_ = std::move(units);
  waiting_.reserve(most_waiting + columns_);  // so that a row finds room in memory when there is none on the disk
}

RowSpool::~RowSpool() {
  if (descriptor_ >= 0) close(descriptor_);
}

void RowSpool::add(const std::vector<double>& row) {
  waiting_.insert(waiting_.end(), row.begin(), row.end());
  ++rows_;
  if (waiting_.size() >= most_waiting) flush();
}

void RowSpool::flush() {
  const std::string_view bytes(reinterpret_cast<const char*>(waiting_.data()), waiting_.size() * sizeof(double));
  if (!write_fully(descriptor_, std::uint64_t{stored_rows()} * columns_ * sizeof(double), bytes))
    refuse_writing(path_, errno);
  waiting_.clear();
}

void RowSpool::cut(std::size_t rows) {
  if (rows >= rows_) return;
  const std::size_t stored = stored_rows();
  waiting_.resize(rows > stored ? (rows - stored) * columns_ : 0);
  rows_ = rows;
}

void RowSpool::read(std::size_t first, std::size_t rows, double* to) const {
  const std::size_t stored = stored_rows();
  const std::size_t from_disk = first >= stored ? 0 : std::min(rows, stored - first);
  const std::size_t bytes = from_disk * columns_ * sizeof(double);
  errno = EIO;  // fewer bytes than were written
  if (read_fully(descriptor_, std::uint64_t{first} * columns_ * sizeof(double), reinterpret_cast<char*>(to), bytes) !=
      static_cast<std::int64_t>(bytes))
    throw Error(ErrorKind::request, "cannot read back the rows of \"" + path_.string() + "\"");
  if (from_disk == rows) return;
  const std::size_t skipped = first > stored ? first - stored : 0;
  std::copy_n(waiting_.begin() + static_cast<std::ptrdiff_t>(skipped * columns_), (rows - from_disk) * columns_,
              to + from_disk * columns_);
}

void RowSpool::read_next(std::size_t count, std::vector<std::vector<double>>& values) {
  std::vector<double> block(count * columns_);
  read(next_, count, block.data());
  next_ += count;
  for (std::size_t column = 0; column < columns_; ++column) {
    values[column].resize(count);
    for (std::size_t i = 0; i < count; ++i) values[column][i] = block[i * columns_ + column];
  }
}

std::vector<double> RowSpool::row(std::size_t index) const {
  std::vector<double> values(columns_);
  read(index, 1, values.data());
  return values;
}

}  // namespace raak
