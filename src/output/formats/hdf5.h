// Results as HDF5 (The HDF Group, HDF5 file format 3.0): a data set for each column with its unit as an attribute. The
// library is looked for when it is needed and not when the program is built, so that one program serves machines with
// and without it (docs/decisions/0007-hdf5-at-run-time.md). RAAK_HDF5 names the library where it is elsewhere.
#pragma once
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace raak {

// False where there is no HDF5 library of version 1.10 or later.
bool has_hdf5();
// Refuses with how to get it, where it is missing.
void require_hdf5();

// Lives under a partial name; without seal() nothing stays behind.
class Hdf5File {
 public:
  explicit Hdf5File(std::filesystem::path path);
  ~Hdf5File();
  Hdf5File(const Hdf5File&) = delete;
  Hdf5File& operator=(const Hdf5File&) = delete;

  void add(const std::string& name, std::span<const double> values, const std::string& unit);
  void add(const std::string& name, const std::string& text);
  // Numbers that come piece by piece: a data set for so many, then a piece from its place `first` on.
  void begin(const std::string& name, std::size_t size, const std::string& unit);
  void put(const std::string& name, std::size_t first, std::span<const double> values);

  // Complete, under the partial name.
  void seal();

 private:
  // After a call of the library that failed; errno says why where it is one of the disk.
  [[noreturn]] void refuse_to_go_on(const std::string& what) const;
  struct Handle;
  std::filesystem::path path_;
  std::unique_ptr<Handle> handle_;
};

// The numbers of a data set; refuses a file or a name that is none.
std::vector<double> read_hdf5(const std::filesystem::path& path, const std::string& name);

}  // namespace raak
