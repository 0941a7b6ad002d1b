// Reads the archives that zip.h writes, block by block: an archive may be larger than the memory.
#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

namespace raak {

class ZipReader {
 public:
  // Throws a request error that says what is damaged, as does the rest.
  explicit ZipReader(std::filesystem::path path);
  ~ZipReader();
  ZipReader(const ZipReader&) = delete;
  ZipReader& operator=(const ZipReader&) = delete;

  struct Block {
    std::uint64_t size = 0, offset = 0;  // of its bytes, in the file
    std::uint32_t crc = 0;
  };
  const std::map<std::string, Block>& blocks() const { return blocks_; }
  // Null where there is none.
  const Block* find(const std::string& name) const;

  // The whole of a block; refuses a wrong checksum.
  std::string read(const std::string& name) const;
  // A part of it, whose checksum nobody looks at.
  std::string read(const Block& block, std::uint64_t from, std::size_t count) const;
  // Refuses where any block has a wrong checksum.
  void require_sound() const;
  [[noreturn]] void refuse_checksum(const std::string& name) const;

 private:
  std::string bytes(std::uint64_t from, std::size_t count) const;
  void read_directory(std::uint64_t at, std::uint64_t end, std::uint64_t count);
  Block block_at(const std::string& directory, std::size_t at, const std::string& name) const;
  [[noreturn]] void refuse(const std::string& why) const;

  std::filesystem::path path_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
  std::map<std::string, Block> blocks_;
};

}  // namespace raak
