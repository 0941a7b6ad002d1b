#include "output/formats/zip_reader.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "output/folder/partial_file.h"
#include "output/formats/zip.h"
#include "output/formats/zip_fields.h"

namespace raak {
namespace {

std::uint64_t get(std::string_view text, std::size_t at, int bytes) {
  std::uint64_t value = 0;
  for (int i = bytes; i-- > 0;) value = value << 8 | static_cast<unsigned char>(text[at + static_cast<std::size_t>(i)]);
  return value;
}

// The next number of the ZIP64 field of a header, if the plain field points there.
struct LargeNumbers {
  std::string_view left;

  explicit LargeNumbers(std::string_view extra) {
    while (extra.size() >= 4) {
      const std::size_t size = get(extra, 2, 2);
      if (size > extra.size() - 4) return;
      if (get(extra, 0, 2) == zip::zip64_id) left = extra.substr(4, size);
      extra.remove_prefix(4 + size);
    }
  }
  bool take(std::uint64_t& number) {
    if (number != 0xffffffff) return true;
    if (left.size() < 8) return false;
    number = get(left, 0, 8);
    left.remove_prefix(8);
    return true;
  }
};

}  // namespace

void ZipReader::refuse(const std::string& why) const {
  throw Error(ErrorKind::request, fmt::format("\"{}\" {}", path_.string(), why));
}

ZipReader::ZipReader(std::filesystem::path path)
    : path_(std::move(path)), descriptor_(open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
  const off_t size = descriptor_ < 0 ? -1 : lseek(descriptor_, 0, SEEK_END);
  if (size < 0) refuse("cannot be read");
  size_ = static_cast<std::uint64_t>(size);
  const auto end_is_missing = [&] {
    refuse("is damaged: its end is missing, so the file was cut short or is no .npz archive of raak");
  };
  if (size_ < zip::end_size) end_is_missing();
  std::uint64_t end = size_ - zip::end_size;
  const std::string last = bytes(end, zip::end_size);
  if (get(last, 0, 4) != zip::end_mark) end_is_missing();
  std::uint64_t count = get(last, 10, 2), at = get(last, 16, 4);
  if (count == 0xffff || at == 0xffffffff || get(last, 12, 4) == 0xffffffff) {
    if (end < zip::locator_size + zip::end64_size) end_is_missing();
    end -= zip::locator_size + zip::end64_size;
    const std::string record = bytes(end, zip::end64_size + zip::locator_size);
    if (get(record, 0, 4) != zip::end64_mark || get(record, zip::end64_size, 4) != zip::locator_mark ||
        get(record, zip::end64_size + 8, 8) != end)
      end_is_missing();
    count = get(record, 32, 8);
    at = get(record, 48, 8);
  }
  read_directory(at, end, count);
}

ZipReader::~ZipReader() {
  if (descriptor_ >= 0) close(descriptor_);
}

std::string ZipReader::bytes(std::uint64_t from, std::size_t count) const {
  std::string text(count, '\0');
  if (read_fully(descriptor_, from, text.data(), count) != static_cast<std::int64_t>(count)) refuse("cannot be read");
  return text;
}

void ZipReader::read_directory(std::uint64_t at, std::uint64_t end, std::uint64_t count) {
  const auto broken = [&] { refuse("is damaged: its directory is broken"); };
  if (at > end || count > (end - at) / zip::central_size) broken();
  const std::string directory = bytes(at, end - at);
  std::size_t place = 0;
  for (; count > 0; --count) {
    if (directory.size() - place < zip::central_size || get(directory, place, 4) != zip::central_mark) broken();
    const std::size_t size = zip::central_size + get(directory, place + 28, 2) + get(directory, place + 30, 2) +
                             get(directory, place + 32, 2);
    if (size > directory.size() - place) broken();
    const std::string name = directory.substr(place + zip::central_size, get(directory, place + 28, 2));
    blocks_[name] = block_at(directory, place, name);
    place += size;
  }
  if (place != directory.size()) broken();
}

ZipReader::Block ZipReader::block_at(const std::string& directory, std::size_t at, const std::string& name) const {
  const auto elsewhere = [&] { refuse(fmt::format("is damaged: \"{}\" is not where it should be", name)); };
  std::uint64_t packed = get(directory, at + 20, 4), size = get(directory, at + 24, 4);
  std::uint64_t offset = get(directory, at + 42, 4);
  const std::size_t name_size = get(directory, at + 28, 2);
  LargeNumbers large(
      std::string_view(directory).substr(at + zip::central_size + name_size, get(directory, at + 30, 2)));
  if (!large.take(size) || !large.take(packed) || !large.take(offset)) elsewhere();
  if (get(directory, at + 10, 2) != 0 || packed != size || offset > size_ || size_ - offset < zip::local_size)
    elsewhere();
  const std::string local = bytes(offset, zip::local_size);
  const std::uint64_t data = offset + zip::local_size + get(local, 26, 2) + get(local, 28, 2);
  if (get(local, 0, 4) != zip::local_mark || data > size_ || size > size_ - data) elsewhere();
  return {size, data, static_cast<std::uint32_t>(get(directory, at + 16, 4))};
}

const ZipReader::Block* ZipReader::find(const std::string& name) const {
  const auto found = blocks_.find(name);
  return found == blocks_.end() ? nullptr : &found->second;
}

std::string ZipReader::read(const std::string& name) const {
  const Block* const block = find(name);
  if (block == nullptr) refuse(fmt::format("has no \"{}\"", name));
  std::string text = bytes(block->offset, block->size);
  if (crc32(text) != block->crc) refuse_checksum(name);
  return text;
}

std::string ZipReader::read(const Block& block, std::uint64_t from, std::size_t count) const {
  if (from > block.size || count > block.size - from) refuse("is damaged: an array is shorter than it says");
  return bytes(block.offset + from, count);
}

void ZipReader::require_sound() const {
  constexpr std::uint64_t piece = std::uint64_t{1} << 22;
  for (const auto& [name, block] : blocks_) {
    std::uint32_t crc = 0;
    for (std::uint64_t at = 0; at < block.size; at += piece)
      crc = crc32(read(block, at, static_cast<std::size_t>(std::min(piece, block.size - at))), crc);
    if (crc != block.crc) refuse_checksum(name);
  }
}

void ZipReader::refuse_checksum(const std::string& name) const {
  refuse(fmt::format("is damaged: the checksum of \"{}\" is wrong", name));
}

}  // namespace raak
