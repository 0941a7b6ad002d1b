// Archives of named blocks of bytes in the ZIP format, stored and not compressed (PKWARE APPNOTE 6.3.10), which is what
// a plain .npz file is; beyond 4 GB and 65535 blocks with the ZIP64 fields of section 4.5.3.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "output/folder/partial_file.h"

namespace raak {

// CRC-32 as ZIP and PNG use it; `so_far` continues an earlier block.
std::uint32_t crc32(std::string_view bytes, std::uint32_t so_far = 0);

// Lives under a partial name; without seal() nothing stays behind.
class ZipFile {
 public:
  // From these numbers on the fields of the plain format are too small.
  struct Limits {
    std::uint64_t bytes = 0xffffffff, entries = 0xffff;
  };

  explicit ZipFile(std::filesystem::path path);
  ZipFile(std::filesystem::path path, Limits limits);

  void add(const std::string& name, std::string_view bytes);

  // A block of known size whose bytes come piece by piece, in their order, between those of others.
  std::size_t begin(const std::string& name, std::uint64_t size);
  void append(std::size_t entry, std::string_view bytes);

  // Complete, under the partial name.
  void seal();

 private:
  struct Entry {
    std::string name;
    std::uint64_t size, offset;  // of the block; of its header
    std::uint64_t filled = 0;
    std::uint32_t crc = 0;
  };
  bool is_large(std::uint64_t number) const { return number >= limits_.bytes; }
  std::string local_header(const Entry& entry) const;
  std::string central_header(const Entry& entry) const;

  Limits limits_;
  PartialFile file_;
  std::vector<Entry> entries_;
  std::uint64_t end_ = 0;  // where the next block begins
};

}  // namespace raak
