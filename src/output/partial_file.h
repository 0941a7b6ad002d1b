// A file that comes into being: written under a partial name, it gets its own name when it is complete. What has the
// partial name before, be it the remains of a killed run or a link that someone put there, is taken away and never
// followed.
#pragma once
#include <filesystem>
#include <string_view>

namespace raak {

// Throws a request error; `code` is that of the system.
[[noreturn]] void refuse_writing(const std::filesystem::path& path, int code);

// What a file is called until it is complete.
std::filesystem::path partial_path(const std::filesystem::path& path);

class PartialFile {
 public:
  // Throws a request error if the file cannot be made, as do the others.
  explicit PartialFile(std::filesystem::path path);
  // Without keep() nothing stays behind.
  ~PartialFile();
  PartialFile(const PartialFile&) = delete;
  PartialFile& operator=(const PartialFile&) = delete;

  void write(std::string_view bytes);
  void keep();

 private:
  [[noreturn]] void refuse(int code) const;

  std::filesystem::path path_;
  int descriptor_ = -1;
  bool kept_ = false;
};

// A new file for reading and writing that has no name: it vanishes with the process. `beside`: a file in its folder.
int open_nameless(const std::filesystem::path& beside);

}  // namespace raak
