// Archives of named blocks of bytes in the ZIP format, stored and not compressed (PKWARE APPNOTE 6.3.10), which is what
// a plain .npz file is. Only what we write ourselves is read.
#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "output/partial_file.h"

namespace raak {

// CRC-32 as ZIP and PNG use it; `so_far` continues an earlier block.
std::uint32_t crc32(std::string_view bytes, std::uint32_t so_far = 0);

// Lives under a partial name until finish(); without it nothing stays behind.
class ZipFile {
 public:
  static constexpr std::size_t most_entries = 65535;

  explicit ZipFile(std::filesystem::path path);

  void add(const std::string& name, std::string_view bytes);
  void finish();

 private:
  struct Entry {
    std::string name;
    std::uint32_t crc, size, offset;
  };
  void write(std::string_view bytes);

  std::filesystem::path path_;
  PartialFile file_;
  std::vector<Entry> entries_;
  std::uint64_t written_ = 0;
};

// The blocks of an archive by name. Throws a request error that says what is damaged.
std::map<std::string, std::string> read_zip(const std::filesystem::path& path);

}  // namespace raak
