#include "output/folder/room.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <system_error>

#include "base/error.h"
#include "output/folder/partial_file.h"
#include "output/thinning.h"

namespace raak {
namespace {

namespace fs = std::filesystem;

constexpr double binary = 8.0;        // bytes of a number in the rows on their way
constexpr double worth_a_note = 1e9;  // bytes

fs::path existing_part(fs::path folder) {
  std::error_code unreadable;
  folder = fs::absolute(folder, unreadable);
  while (!folder.empty() && folder != folder.root_path() && !fs::exists(folder, unreadable))
    folder = folder.parent_path();
  return folder;
}

}  // namespace

Room room_for(const ResultSize& size) {
  constexpr double single = 4.0, base64 = 4.0 / 3.0;
  const auto count = [](std::uint64_t number) { return static_cast<double>(number); };
  const double numbers = count(size.rows) * count(size.columns);
  const double shown =
      std::min(count(size.frames) * count(size.numbers_of_a_frame() + size.points), count(most_numbers_shown));
  const double frames = count(size.frames) * (binary * count(size.numbers_of_a_frame()) + single * count(size.points)) +
                        base64 * single * shown;
  const FormatInfo& journal = journal_format();
  double least = binary + journal.least_bytes, likely = binary + journal.usual_bytes;
  for (const FormatInfo* format : size.formats) {
    if (format == &journal) continue;
    least += format->least_bytes;
    likely += format->usual_bytes;
  }
  return {frames + least * numbers, frames + likely * numbers, journal.least_bytes * numbers, frames};
}

double free_room(const fs::path& folder) {
  struct statvfs disk {};
  if (statvfs(existing_part(folder).c_str(), &disk) != 0 || disk.f_blocks == 0) return HUGE_VAL;  // no disk: /proc
  return static_cast<double>(disk.f_bavail) * static_cast<double>(disk.f_frsize);
}

std::string bytes_text(double bytes) {
  constexpr std::array units{"bytes", "kB", "MB", "GB", "TB", "PB"};
  std::size_t unit = 0;
  while (bytes >= 999.5 && unit + 1 < units.size()) {
    bytes /= 1000.0;
    ++unit;
  }
  return fmt::format("{:.3g} {}", bytes, units[unit]);
}

namespace {

std::string words_of(const ResultSize& size) {
  std::string text = size.rows > 0 ? fmt::format("{} rows of {} numbers", size.rows, size.columns)
                                   : fmt::format("a row of {} numbers a step", size.columns);
  if (size.frames > 0)
    text +=
        fmt::format(", {} moments of {} numbers for the report", size.frames, size.numbers_of_a_frame() + size.points);
  return text;
}

std::string words_of(const Room& room, const ResultSize& size) {
  const std::string least = bytes_text(room.least), likely = bytes_text(room.likely);
  if (size.rows == 0) return least + " and more";
  return least == likely ? likely : fmt::format("{} to {}", least, likely);
}

}  // namespace

std::string foresee_room(const fs::path& folder, const ResultSize& size) {
  const Room room = room_for(size);
  const double free = free_room(folder);
  const std::string of = words_of(size), bytes = words_of(room, size);
  const std::string advice = fmt::format("Try: {}, or --out on another disk",
                                         room.frames > room.least / 2.0 ? "fewer --frames" : "a longer --every");
  if (room.least > free)
    throw Error(ErrorKind::request, fmt::format("the results ({}) will take {}, and {} are free at \"{}\". {}", of,
                                                bytes, bytes_text(free), folder.string(), advice));
  rlimit limit{};
  if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
      room.table > static_cast<double>(limit.rlim_cur))
    throw Error(ErrorKind::request, fmt::format("result.csv ({} rows of {} numbers) will take {} or more, and no file "
                                                "may be larger than {} here (ulimit -f). "
                                                "Try: a longer --every, or a higher limit",
                                                size.rows, size.columns, bytes_text(room.table),
                                                bytes_text(static_cast<double>(limit.rlim_cur))));
  if (room.likely > free)
    return fmt::format("warning: the results ({}) may not fit: they will take {}, and {} are free at \"{}\". {}", of,
                       bytes, bytes_text(free), folder.string(), advice);
  if (room.likely > worth_a_note)
    return fmt::format("note: the results ({}) will take up to {} of the {} that are free at \"{}\"", of,
                       bytes_text(room.likely), bytes_text(free), folder.string());
  return "";
}

DiskReserve::DiskReserve(const fs::path& folder, std::size_t bytes) {
  descriptor_ = open_nameless(folder / "reserve");
  if (posix_fallocate(descriptor_, 0, static_cast<off_t>(bytes)) != 0) release();
}

void DiskReserve::release() {
  if (descriptor_ >= 0) close(descriptor_);
  descriptor_ = -1;
}

}  // namespace raak
