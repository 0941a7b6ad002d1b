#include "output/zip.h"

#include <fmt/format.h>

#include <array>
#include <fstream>
#include <iterator>
#include <utility>

#include "base/error.h"

namespace raak {
namespace {

constexpr std::uint32_t local_mark = 0x04034b50, central_mark = 0x02014b50, end_mark = 0x06054b50;
constexpr std::size_t local_size = 30, central_size = 46, end_size = 22;
constexpr std::uint64_t most_bytes = 0xffffffff;  // beyond it another format would be needed

void put16(std::string& text, std::uint32_t value) {
  text += static_cast<char>(value & 0xff);
  text += static_cast<char>(value >> 8 & 0xff);
}
void put32(std::string& text, std::uint32_t value) {
  put16(text, value & 0xffff);
  put16(text, value >> 16);
}
std::uint32_t get(std::string_view text, std::size_t at, int bytes) {
  std::uint32_t value = 0;
  for (int i = bytes; i-- > 0;) value = value << 8 | static_cast<unsigned char>(text[at + static_cast<std::size_t>(i)]);
  return value;
}

// Version, flags, method (0: stored), time and date (none), then what both kinds of header share.
void put_common(std::string& text, std::uint32_t crc, std::uint32_t size, const std::string& name) {
  put16(text, 20);
  put16(text, 0);
  put16(text, 0);
  put16(text, 0);
  put16(text, 0x21);  // 1980-01-01: results do not depend on the clock
  put32(text, crc);
  put32(text, size);
  put32(text, size);
  put16(text, static_cast<std::uint32_t>(name.size()));
  put16(text, 0);
}

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& why) {
  throw Error(ErrorKind::request, "\"" + path.string() + "\" " + why);
}

}  // namespace

std::uint32_t crc32(std::string_view bytes, std::uint32_t so_far) {
  static const auto table = [] {
    std::array<std::uint32_t, 256> made{};
    for (std::uint32_t i = 0; i < 256; ++i) {
      std::uint32_t c = i;
      for (int k = 0; k < 8; ++k) c = (c & 1) != 0 ? 0xedb88320 ^ c >> 1 : c >> 1;
      made[i] = c;
    }
    return made;
  }();
  std::uint32_t c = ~so_far;
  for (const char byte : bytes) c = table[(c ^ static_cast<unsigned char>(byte)) & 0xff] ^ c >> 8;
  return ~c;
}

ZipFile::ZipFile(std::filesystem::path path) : path_(std::move(path)), file_(path_) {}

void ZipFile::write(std::string_view bytes) {
  file_.write(bytes);
  written_ += bytes.size();
}

void ZipFile::add(const std::string& name, std::string_view bytes) {
  if (written_ + bytes.size() > most_bytes) {
    throw Error(ErrorKind::request,
                "\"" + path_.string() + "\" would be larger than 4 GB: sample less often (--every)");
  }
  const Entry entry{name, crc32(bytes), static_cast<std::uint32_t>(bytes.size()), static_cast<std::uint32_t>(written_)};
  std::string header;
  put32(header, local_mark);
  put_common(header, entry.crc, entry.size, name);
  write(header + name);
  write(bytes);
  entries_.push_back(entry);
}

void ZipFile::finish() {
  std::string directory;
  for (const Entry& entry : entries_) {
    put32(directory, central_mark);
    put16(directory, 20);
    put_common(directory, entry.crc, entry.size, entry.name);
    directory.append(10, '\0');  // no comment, first disk, no attributes
    put32(directory, entry.offset);
    directory += entry.name;
  }
  const auto count = static_cast<std::uint32_t>(entries_.size());
  std::string end;
  put32(end, end_mark);
  put32(end, 0);
  put16(end, count);
  put16(end, count);
  put32(end, static_cast<std::uint32_t>(directory.size()));
  put32(end, static_cast<std::uint32_t>(written_));
  put16(end, 0);
  write(directory + end);
  file_.keep();
}

std::map<std::string, std::string> read_zip(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) refuse(path, "cannot be read");
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  const std::string damaged = "is damaged: ";
  if (text.size() < end_size || get(text, text.size() - end_size, 4) != end_mark) {
    refuse(path, damaged + "its end is missing, so the file was cut short or is no .npz archive of raak");
  }
  const std::size_t end = text.size() - end_size;
  std::size_t at = get(text, end + 16, 4);
  std::map<std::string, std::string> blocks;
  for (std::uint32_t left = get(text, end + 10, 2); left > 0; --left) {
    if (at + central_size > end || get(text, at, 4) != central_mark) refuse(path, damaged + "its directory is broken");
    const std::size_t size = get(text, at + 24, 4), name_size = get(text, at + 28, 2);
    const std::size_t offset = get(text, at + 42, 4);
    if (at + central_size + name_size > end) refuse(path, damaged + "its directory is broken");
    const std::string name = text.substr(at + central_size, name_size);
    const std::size_t data = offset + local_size + name_size;
    if (data + size > end || get(text, at + 10, 2) != 0)
      refuse(path, fmt::format("{}\"{}\" is not where it should be", damaged, name));
    std::string bytes = text.substr(data, size);
    if (crc32(bytes) != get(text, at + 16, 4))
      refuse(path, fmt::format("{}the checksum of \"{}\" is wrong", damaged, name));
    blocks.emplace(name, std::move(bytes));
    at += central_size + name_size + get(text, at + 30, 2) + get(text, at + 32, 2);
  }
  return blocks;
}

}  // namespace raak
