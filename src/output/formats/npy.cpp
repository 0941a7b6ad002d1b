#include "output/formats/npy.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>

namespace raak {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are written as they lie in memory");

constexpr std::string_view magic{"\x93NUMPY\x01\x00", 8};
constexpr std::size_t alignment = 64;  // of the numbers in the file

template <class Number>
std::string header_of(std::size_t count, std::size_t columns) {
  const std::string shape =
      columns == 0 ? fmt::format("({},)", count) : fmt::format("({}, {})", count / columns, columns);
  std::string header = fmt::format("{{'descr': '<f{}', 'fortran_order': False, 'shape': {}, }}", sizeof(Number), shape);
  const std::size_t before = magic.size() + 2 + header.size() + 1;
  header.append((alignment - before % alignment) % alignment, ' ');
  header += '\n';
  std::string bytes(magic);
  bytes += static_cast<char>(header.size() & 0xff);
  bytes += static_cast<char>(header.size() >> 8);
  return bytes + header;
}

template <class Number>
std::string write(std::span<const Number> values, std::size_t columns) {
  std::string bytes = header_of<Number>(values.size(), columns);
  const std::size_t start = bytes.size();
  bytes.resize(start + values.size_bytes());
  if (!values.empty()) std::memcpy(bytes.data() + start, values.data(), values.size_bytes());
  return bytes;
}

// Where the numbers begin; 0: no array of them.
template <class Number>
std::size_t start_of(std::string_view bytes) {
  if (!bytes.starts_with(magic) || bytes.size() < magic.size() + 2) return 0;
  const auto byte = [&](std::size_t i) { return static_cast<std::size_t>(static_cast<unsigned char>(bytes[i])); };
  const std::size_t start = magic.size() + 2 + byte(magic.size()) + 256 * byte(magic.size() + 1);
  if (start > bytes.size()) return 0;
  return bytes.substr(0, start).find(fmt::format("'<f{}'", sizeof(Number))) == std::string_view::npos ? 0 : start;
}

template <class Number>
bool read(std::string_view bytes, std::vector<Number>& values) {
  const std::size_t start = start_of<Number>(bytes);
  if (start == 0 || (bytes.size() - start) % sizeof(Number) != 0) return false;
  values.resize((bytes.size() - start) / sizeof(Number));
  if (!values.empty()) std::memcpy(values.data(), bytes.data() + start, bytes.size() - start);
  return true;
}

}  // namespace

std::string npy_header(std::size_t doubles) {
  return header_of<double>(doubles, 0);
}
std::string npy_header(std::size_t rows, std::size_t columns) {
  return header_of<double>(rows * columns, columns);
}
std::string npy_of(std::span<const double> values, std::size_t columns) {
  return write(values, columns);
}
std::string npy_of(std::span<const float> values, std::size_t columns) {
  return write(values, columns);
}
bool read_npy(std::string_view bytes, std::vector<double>& values) {
  return read(bytes, values);
}
bool read_npy(std::string_view bytes, std::vector<float>& values) {
  return read(bytes, values);
}

std::size_t start_of_doubles(std::string_view bytes) {
  return start_of<double>(bytes);
}

}  // namespace raak
