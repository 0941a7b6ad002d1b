#include "output/formats/zip.h"

#include <array>
#include <stdexcept>
#include <utility>

#include "output/formats/zip_fields.h"

namespace raak {
namespace {

void put(std::string& text, std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i) & 0xff);
}

constexpr std::uint64_t see_extra = 0xffffffff;  // the number is among the ZIP64 fields

// Version, flags, method (0: stored), time and date (none), then what both kinds of header share.
void put_common(std::string& text, bool zip64, std::uint32_t crc, std::uint64_t size, const std::string& name,
                std::size_t extra) {
  put(text, zip64 ? 45 : 20, 2);
  put(text, 0, 2);
  put(text, 0, 2);
  put(text, 0, 2);
  put(text, 0x21, 2);  // 1980-01-01: results do not depend on the clock
  put(text, crc, 4);
  put(text, size, 4);
  put(text, size, 4);
  put(text, name.size(), 2);
  put(text, extra, 2);
}

// The ZIP64 field with these numbers; empty where there are none.
std::string zip64_field(const std::vector<std::uint64_t>& numbers) {
  std::string field;
  if (numbers.empty()) return field;
  put(field, zip::zip64_id, 2);
  put(field, 8 * numbers.size(), 2);
  for (const std::uint64_t number : numbers) put(field, number, 8);
  return field;
}

// Eight bytes at a time (M. E. Kounavis and F. L. Berry, A systematic approach to building high performance
// software-based CRC generators, ISCC 2005): table k advances by k bytes of zeros.
using CrcTables = std::array<std::array<std::uint32_t, 256>, 8>;

CrcTables make_crc_tables() {
  CrcTables tables{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t c = i;
    for (int k = 0; k < 8; ++k) c = (c & 1) != 0 ? 0xedb88320 ^ c >> 1 : c >> 1;
    tables[0][i] = c;
  }
  for (std::size_t k = 1; k < tables.size(); ++k)
    for (std::size_t i = 0; i < 256; ++i) tables[k][i] = tables[0][tables[k - 1][i] & 0xff] ^ tables[k - 1][i] >> 8;
  return tables;
}

}  // namespace

std::uint32_t crc32(std::string_view bytes, std::uint32_t so_far) {
  static const CrcTables tables = make_crc_tables();
  const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i])); };
  std::uint32_t c = ~so_far;
  while (bytes.size() >= 8) {
    const std::uint32_t low = c ^ (byte(0) | byte(1) << 8 | byte(2) << 16 | byte(3) << 24);
    c = tables[7][low & 0xff] ^ tables[6][low >> 8 & 0xff] ^ tables[5][low >> 16 & 0xff] ^ tables[4][low >> 24] ^
        tables[3][byte(4)] ^ tables[2][byte(5)] ^ tables[1][byte(6)] ^ tables[0][byte(7)];
    bytes.remove_prefix(8);
  }
  for (std::size_t i = 0; i < bytes.size(); ++i) c = tables[0][(c ^ byte(i)) & 0xff] ^ c >> 8;
  return ~c;
}

ZipFile::ZipFile(std::filesystem::path path) : ZipFile(std::move(path), Limits{}) {}
ZipFile::ZipFile(std::filesystem::path path, Limits limits) : limits_(limits), file_(std::move(path)) {}

std::string ZipFile::local_header(const Entry& entry) const {
  const bool zip64 = is_large(entry.size);
  const std::string extra = zip64_field(zip64 ? std::vector{entry.size, entry.size} : std::vector<std::uint64_t>{});
  std::string header;
  put(header, zip::local_mark, 4);
  put_common(header, zip64, entry.crc, zip64 ? see_extra : entry.size, entry.name, extra.size());
  return header + entry.name + extra;
}

std::string ZipFile::central_header(const Entry& entry) const {
  std::vector<std::uint64_t> large;
  if (is_large(entry.size)) large = {entry.size, entry.size};
  if (is_large(entry.offset)) large.push_back(entry.offset);
  const std::string extra = zip64_field(large);
  std::string header;
  put(header, zip::central_mark, 4);
  put(header, large.empty() ? 20 : 45, 2);
  put_common(header, !large.empty(), entry.crc, is_large(entry.size) ? see_extra : entry.size, entry.name,
             extra.size());
  header.append(10, '\0');  // no comment, first disk, no attributes
  put(header, is_large(entry.offset) ? see_extra : entry.offset, 4);
  return header + entry.name + extra;
}

std::size_t ZipFile::begin(const std::string& name, std::uint64_t size) {
  entries_.push_back({name, size, end_});
  end_ += local_header(entries_.back()).size() + size;
  return entries_.size() - 1;
}

void ZipFile::append(std::size_t entry, std::string_view bytes) {
  Entry& to = entries_[entry];
  if (bytes.size() > to.size - to.filled) throw std::logic_error("a block of a ZIP archive is longer than was said");
  file_.write_at(to.offset + local_header(to).size() + to.filled, bytes);
  to.crc = crc32(bytes, to.crc);
  to.filled += bytes.size();
}

void ZipFile::add(const std::string& name, std::string_view bytes) {
  append(begin(name, bytes.size()), bytes);
}

void ZipFile::seal() {
  std::string directory;
  for (const Entry& entry : entries_) {
    if (entry.filled != entry.size) throw std::logic_error("a block of a ZIP archive is shorter than was said");
    file_.write_at(entry.offset, local_header(entry));  // now that its checksum is known
    directory += central_header(entry);
  }
  const std::uint64_t count = entries_.size();
  const bool many = count >= limits_.entries;
  const std::uint64_t size = directory.size();
  std::string end;
  if (many || is_large(size) || is_large(end_)) {
    put(end, zip::end64_mark, 4);
    put(end, zip::end64_size - 12, 8);  // of what follows
    put(end, 45, 2);
    put(end, 45, 2);
    put(end, 0, 8);
    put(end, count, 8);
    put(end, count, 8);
    put(end, size, 8);
    put(end, end_, 8);
    put(end, zip::locator_mark, 4);
    put(end, 0, 4);
    put(end, end_ + size, 8);
    put(end, 1, 4);
  }
  put(end, zip::end_mark, 4);
  put(end, 0, 4);
  put(end, many ? 0xffff : count, 2);
  put(end, many ? 0xffff : count, 2);
  put(end, is_large(size) ? see_extra : size, 4);
  put(end, is_large(end_) ? see_extra : end_, 4);
  put(end, 0, 2);
  file_.write_at(end_, directory + end);
  file_.seal();
}

}  // namespace raak
