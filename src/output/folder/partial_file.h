// A file that comes into being: written under a partial name, it gets its own name when it is complete. What has the
// partial name before, be it the remains of a killed run or a link that someone put there, is taken away and never
// followed.
#pragma once
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/error.h"

namespace raak {

// Throws a request error that begins with the name of the file.
[[noreturn]] void refuse_file(const std::filesystem::path& file, const std::string& why);

// Thrown where a file cannot be written.
class CannotWrite : public Error {
 public:
  CannotWrite(const std::string& message, int code) : Error(ErrorKind::request, message), code_(code) {}
  // Not the disk but a limit on the size of each file is in the way (ulimit -f).
  bool is_at_limit() const { return code_ == EFBIG; }
  // Somebody has taken away what was written.
  bool is_gone() const { return code_ == ENOENT; }

 private:
  int code_;  // errno
};
// The same for a file that cannot be written; `code` is that of the system.
[[noreturn]] void refuse_writing(const std::filesystem::path& path, int code);

// A device, a pipe or a socket, which a file that is renamed to it would replace.
bool is_no_plain_file(const std::filesystem::path& path);

// What a file is called until it is complete.
std::filesystem::path partial_path(const std::filesystem::path& path);

// Brings the names in a folder to the disk: a power cut after it leaves them as they are.
void sync_folder(const std::filesystem::path& folder);

// Brings the bytes of a file to the disk; of one that is gone there are none.
void sync_file(const std::filesystem::path& file);

// Gives a file that is complete under its partial name its own; without room for it nothing stays behind.
void keep_sealed(const std::filesystem::path& path);

class PartialFile {
 public:
  // Throws a request error if the file cannot be made, as do the others.
  explicit PartialFile(std::filesystem::path path);
  // Goes on with the first `size` bytes of the partial file that an interrupted run left.
  PartialFile(std::filesystem::path path, std::uint64_t size);
  // Without seal(), leave() or keep() nothing stays behind.
  ~PartialFile();
  PartialFile(const PartialFile&) = delete;
  PartialFile& operator=(const PartialFile&) = delete;

  // At the end. When it fails, size() counts what has arrived.
  void write(std::string_view bytes);
  // Anywhere; bytes between the end and `offset` are zero until they are written.
  void write_at(std::uint64_t offset, std::string_view bytes);
  std::string read_at(std::uint64_t offset, std::size_t count) const;
  std::uint64_t size() const { return size_; }
  void cut(std::uint64_t size);
  // What was written is on the disk, and not only on its way there.
  void sync();

  // Complete and on the disk, still under its partial name (naming.h).
  void seal();
  // The same, on its way to the disk.
  void seal_in_memory();
  // Stays under its partial name as it is.
  void leave() { kept_ = true; }
  // Complete, on the disk, under its own name.
  void keep();

 private:
  [[noreturn]] void refuse(int code) const;

  std::filesystem::path path_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
  bool kept_ = false;
};

// A new file for reading and writing that has no name: it vanishes with the process. `beside`: a file in its folder.
int open_nameless(const std::filesystem::path& beside);

// The whole of it, at a place in a file; false: errno says why not.
bool write_fully(int descriptor, std::uint64_t offset, std::string_view bytes);
// As much of it as there is; a negative number: errno says why not.
std::int64_t read_fully(int descriptor, std::uint64_t offset, char* bytes, std::size_t count);

}  // namespace raak
