// Files that several processes may write at once. Each writes under a name of its own,
// "summary.json.HOST-123-1.partial", and the complete file takes its name in one step: a reader sees one of them,
// whole, and nobody disturbs another. (A run's folder needs none of this: it is locked, and a resumed run finds its
// partial files by their names.)
#pragma once
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace raak {

// Whether a file is on the disk when it has its name, or whoever writes it sees to that (sync_file).
enum class OnDisk { now, later };

// For a file that somebody writes under a partial name (partial_file.h) and seals.
class OwnName {
 public:
  // Refuses a device, a pipe and a socket, which the file would replace.
  explicit OwnName(std::filesystem::path file);
  // What was not kept does not stay behind.
  ~OwnName();
  OwnName(const OwnName&) = delete;
  OwnName& operator=(const OwnName&) = delete;

  // What the writer of the file is given.
  const std::filesystem::path& path() const { return path_; }
  // The file is sealed, and gets its name.
  void keep(OnDisk when = OnDisk::now);

 private:
  std::filesystem::path file_, path_;
};

// The file that an own name stands for; another path as it is.
std::filesystem::path named_file(const std::filesystem::path& path);

// Bytes under a name, complete or not at all, whoever else writes the same file at the same moment.
void write_in_one(const std::filesystem::path& file, std::string_view bytes, OnDisk when = OnDisk::now);

// All of a file; empty: there is none that can be read, or a folder in its place.
std::string bytes_in(const std::filesystem::path& file);

// Removes what processes of this host that are dead left unfinished in a folder. Of those of other hosts nobody knows
// here whether they live: what they left goes where `is_done` says that the file is complete without them.
void remove_leftovers(const std::filesystem::path& folder,
                      const std::function<bool(const std::string& name)>& is_done = {});

}  // namespace raak
