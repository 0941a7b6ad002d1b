// The room that results take on a disk: foreseen before a run, and a little of it held back, so that a run that fills
// the disk can still say so.
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

#include "output/catalogue.h"

namespace raak {

// What a run will write.
struct ResultSize {
  std::uint64_t rows = 0, columns = 0;   // no rows: one a step, how many is not known
  std::uint64_t frames = 0, points = 0;  // of the report; numbers of the drawing in each
  Formats formats = chosen_formats({});
  std::uint64_t frame_columns = 0;  // of a frame; 0: those of a row

  std::uint64_t numbers_of_a_frame() const { return frame_columns > 0 ? frame_columns : columns; }
};

struct Room {
  double least = 0.0, likely = 0.0;  // bytes of all files together, rows on their way to columns included
  double table = 0.0;                // bytes of result.csv, the largest file, at least
  double frames = 0.0;               // bytes of these, in result.npz and the report
};
Room room_for(const ResultSize& size);

// Bytes that are free for this user where the folder is or will be.
double free_room(const std::filesystem::path& folder);
// "5.2 GB"
std::string bytes_text(double bytes);

// Throws a request error, with figures, where the results cannot fit onto the disk or below the limit on the size of a
// file; returns a warning where they may not, a note where they will be large, else nothing.
std::string foresee_room(const std::filesystem::path& folder, const ResultSize& size);

// Bytes of the disk that nobody else takes until they are needed. Where that cannot be had, nothing is held.
class DiskReserve {
 public:
  DiskReserve(const std::filesystem::path& folder, std::size_t bytes);
  ~DiskReserve() { release(); }
  DiskReserve(const DiskReserve&) = delete;
  DiskReserve& operator=(const DiskReserve&) = delete;

  void release();

 private:
  int descriptor_ = -1;
};

}  // namespace raak
