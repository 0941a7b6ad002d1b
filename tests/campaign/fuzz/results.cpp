// The files of a results folder as `raak report` and `raak convert` read them. The first byte says what follows:
// Z: result.npz, beside a run.json that is right; N: an array of it; anything else: run.json, report.json and the
// arrays that a report needs, each after a line "--", packed into an archive that is right.
#include <stdlib.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "output/formats/npy.h"
#include "output/formats/zip.h"
#include "output/report.h"
#include "output/tables/result_table.h"
#include "tests/campaign/fuzz/target.h"

namespace {

namespace fs = std::filesystem;

constexpr std::string_view separator = "\n--\n";
constexpr const char* right_document = R"({"model": "m", "program": "raak 0", "command": "raak run m"})";

// In memory: nothing of this reaches a disk.
class Folder {
 public:
  Folder() {
    std::string name = fs::is_directory("/dev/shm") ? "/dev/shm/raak-fuzz-XXXXXX" : "/tmp/raak-fuzz-XXXXXX";
    if (mkdtemp(name.data()) == nullptr) raak::fuzz::found("no folder for the files");
    path_ = name;
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  const fs::path& path() const { return path_; }
  void write(const char* name, std::string_view bytes) const {
    std::ofstream(path_ / name, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }

 private:
  fs::path path_;
};

template <class Number>
std::vector<Number> numbers_in(std::string_view bytes) {
  std::vector<Number> numbers;
  for (const char byte : bytes) numbers.push_back(static_cast<Number>(static_cast<signed char>(byte)));
  return numbers;
}

std::string_view take_part(std::string_view& text) {
  const std::size_t end = text.find(separator);
  const std::string_view part = text.substr(0, end);
  text = end == std::string_view::npos ? std::string_view() : text.substr(end + separator.size());
  return part;
}

void write_parts(const Folder& folder, std::string_view text) {
  folder.write("run.json", take_part(text));
  raak::ZipFile archive(folder.path() / "result.npz");
  archive.add("report.json", take_part(text));
  for (const char* name : {"frames.npy", "steps.npy", "frames.accounts.npy", "t.npy"}) {
    const std::vector<double> numbers = numbers_in<double>(take_part(text));
    archive.add(name, raak::npy_of(numbers));
  }
  const std::vector<float> points = numbers_in<float>(take_part(text));
  archive.add("frames.points.npy", raak::npy_of(points));
  archive.seal();
  raak::keep_sealed(folder.path() / "result.npz");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using raak::ErrorKind, raak::fuzz::accepts;
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data + 1), size - 1);
  if (data[0] == 'N') {
    std::vector<double> numbers;
    std::vector<float> small;
    raak::read_npy(bytes, numbers);
    raak::read_npy(bytes, small);
    raak::start_of_doubles(bytes);
    return 0;
  }
  static const Folder folder;
  if (data[0] == 'Z') {
    folder.write("run.json", right_document);
    folder.write("result.npz", bytes);
  } else {
    write_parts(folder, bytes);
  }
  accepts([&] { raak::report_of_folder(folder.path()); }, {ErrorKind::request});
  accepts([&] { raak::convert_results(folder.path(), folder.path() / "other.csv"); }, {ErrorKind::request});
  return 0;
}
