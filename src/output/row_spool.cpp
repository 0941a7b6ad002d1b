#include "output/row_spool.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>

#include "output/partial_file.h"

namespace raak {

RowSpool::RowSpool(const std::filesystem::path& beside, std::size_t columns) : path_(beside), columns_(columns) {
  const int descriptor = open_nameless(beside.string() + ".rows");
  file_.reset(fdopen(descriptor, "w+b"));
  if (!file_) refuse_writing(path_, errno);
}

void RowSpool::add(const std::vector<double>& row) {
  errno = 0;
  if (std::fwrite(row.data(), sizeof(double), columns_, file_.get()) != columns_) refuse_writing(path_, errno);
  ++rows_;
}

std::vector<double> RowSpool::column(std::size_t index) {
  std::vector<double> values(rows_);
  if (rows_ == 0) return values;
  errno = 0;
  if (std::fflush(file_.get()) != 0) refuse_writing(path_, errno);
  const std::size_t bytes = rows_ * columns_ * sizeof(double);
  void* const map = mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, fileno(file_.get()), 0);
  if (map == MAP_FAILED) refuse_writing(path_, errno);
  const double* const table = static_cast<const double*>(map);
  for (std::size_t row = 0; row < rows_; ++row) values[row] = table[row * columns_ + index];
  munmap(map, bytes);
  return values;
}

}  // namespace raak
