// Reads what a folder of results holds.
#pragma once
#include <filesystem>
#include <fstream>

namespace raak {

// Failed unless it is a file: a pipe or a device would keep us waiting for ever.
inline std::ifstream open_stored(const std::filesystem::path& file,
                                 std::ios::openmode mode = std::ios::in | std::ios::binary) {
  std::error_code unreadable;
  std::ifstream stream;
  if (std::filesystem::is_regular_file(file, unreadable)) stream.open(file, mode);
  else stream.setstate(std::ios::failbit);
  return stream;
}

}  // namespace raak
