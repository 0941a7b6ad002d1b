// The folder a run writes to: new, empty or left by an earlier run; files appear in it complete or not at all.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "output/folder/partial_file.h"

namespace raak {

// Complete or not at all (own_name.h): a reader sees the old file or the new one. A device, a pipe or a
// link stays what it is: it is written into.
void write_file(const std::filesystem::path& file, std::string_view text);

class OutputFolder {
 public:
  // Creates the folder. Refuses a path that cannot be written, a folder that holds anything but earlier results, known
  // by their document, and one that another run is writing to.
  explicit OutputFolder(std::filesystem::path path, std::string_view document = "run.json");
  // A folder that was created here and stayed empty goes again: a refused run leaves nothing behind.
  ~OutputFolder();
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

  void write(std::string_view name, std::string_view text) const { write_file(path_ / name, text); }
  // Complete under its partial name, to be named with the others (naming.h).
  void prepare(std::string_view name, std::string_view text) const;
  // Removes what an earlier run left and this one does not write.
  void remove(std::string_view name) const;

 private:
  std::filesystem::path path_;
  void lock();
  void unlock();

  std::vector<std::filesystem::path> created_;  // innermost first
  int lock_ = -1;                               // descriptor of the folder, held while this run writes
};

}  // namespace raak
