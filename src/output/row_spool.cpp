#include "output/row_spool.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "output/partial_file.h"

namespace raak {
namespace {

constexpr std::size_t most_waiting = std::size_t{1} << 15;  // numbers: 256 KB

}  // namespace

RowSpool::RowSpool(std::filesystem::path path, std::size_t columns, int descriptor)
    : path_(std::move(path)), descriptor_(descriptor), columns_(columns) {
  waiting_.reserve(most_waiting + columns);  // so that a row finds room in memory when there is none on the disk
}

RowSpool::RowSpool(const std::filesystem::path& beside, std::size_t columns)
    : RowSpool(beside, columns, open_nameless(beside.string() + ".rows")) {}

RowSpool RowSpool::resumable(const std::filesystem::path& file, std::size_t columns, std::size_t rows) {
  const int fresh = rows == 0 ? O_CREAT | O_TRUNC : 0;
  const int descriptor = open(file.c_str(), O_RDWR | O_NOFOLLOW | O_CLOEXEC | fresh, 0666);
  if (descriptor < 0) refuse_writing(file, errno);
  RowSpool spool(file, columns, descriptor);
  const off_t end = lseek(descriptor, 0, SEEK_END);
  const std::uint64_t wanted = std::uint64_t{rows} * columns * sizeof(double);
  if (end < 0 || static_cast<std::uint64_t>(end) < wanted)
    throw Error(ErrorKind::request, "\"" + file.string() +
                                        "\" is shorter than the checkpoint says, so the run cannot be resumed. Run it "
                                        "again");
  spool.rows_ = rows;
  return spool;
}

RowSpool::RowSpool(RowSpool&& other) noexcept
    : path_(std::move(other.path_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      columns_(other.columns_),
      rows_(other.rows_),
      waiting_(std::move(other.waiting_)) {}

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

void RowSpool::sync() {
  flush();
  if (fsync(descriptor_) != 0 && errno != EINVAL && errno != ENOSYS) refuse_writing(path_, errno);
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

std::vector<double> RowSpool::row(std::size_t index) const {
  std::vector<double> values(columns_);
  read(index, 1, values.data());
  return values;
}

}  // namespace raak
