#include "output/folder/restored_table.h"

#include <fmt/format.h>

#include <charconv>
#include <fstream>
#include <string>
#include <string_view>

#include "base/error.h"
#include "output/folder/partial_file.h"
#include "output/folder/stored_file.h"
#include "output/formats/zip.h"

namespace raak {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t piece = std::size_t{1} << 20;

// Calls use(bytes) for pieces of the first so many bytes of a file; false: it has fewer.
template <class Use>
bool read_pieces(const fs::path& file, std::uint64_t bytes, const Use& use) {
  std::ifstream stream = open_stored(file);
  std::string part;
  while (bytes > 0) {
    part.resize(static_cast<std::size_t>(std::min<std::uint64_t>(bytes, piece)));
    if (!stream.read(part.data(), static_cast<std::streamsize>(part.size()))) return false;
    use(std::string_view(part));
    bytes -= part.size();
  }
  return true;
}

bool holds_extent(const fs::path& file, const CsvFile::Extent& extent) {
  std::uint32_t crc = 0;
  return read_pieces(file, extent.bytes, [&](std::string_view part) { crc = crc32(part, crc); }) && crc == extent.crc;
}

// Numbers as CsvFile writes them; none of a line that has others.
std::vector<double> numbers_of(std::string_view line) {
  std::vector<double> numbers;
  while (!line.empty()) {
    const std::size_t end = std::min(line.find(','), line.size());
    double number = 0.0;
    const auto [rest, wrong] = std::from_chars(line.data(), line.data() + end, number);
    if (wrong != std::errc() || rest != line.data() + end) return {};
    numbers.push_back(number);
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  return numbers;
}

}  // namespace

bool restore_table(const fs::path& path, const CsvFile::Extent& extent,
                   const std::function<void(const std::vector<double>&)>& use) {
  const fs::path partial = partial_path(path);
  const bool is_named = holds_extent(path, extent);
  if (!holds_extent(partial, extent)) {
    if (!is_named)
      throw Error(ErrorKind::request,
                  fmt::format("neither \"{}\" nor \"{}\" holds the rows that were written before the checkpoint: they "
                              "were changed or removed, so the run cannot be resumed. Run it again",
                              partial.string(), path.string()));
    PartialFile copy(path);
    read_pieces(path, extent.bytes, [&](std::string_view part) { copy.write(part); });
    copy.seal();
  }
  if (!use) return is_named;
  std::string left;
  bool header = true;
  read_pieces(partial, extent.bytes, [&](std::string_view part) {
    left += part;
    std::size_t at = 0;
    for (std::size_t end = left.find('\n'); end != std::string::npos; end = left.find('\n', at)) {
      const std::string_view line(left.data() + at, end - at);
      at = end + 1;
      if (header || line.starts_with('#')) header = false;
      else use(numbers_of(line));
    }
    left.erase(0, at);
  });
  return is_named;
}

}  // namespace raak
