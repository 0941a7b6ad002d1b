// The moments of a run that its report shows.
#include <algorithm>
#include <cmath>

#include "output/folder/run_files.h"

namespace raak {

void RunFiles::add_frame(const Sample& sample) {
  system_.report(sample.state, shown_);
  append_row(recording_.frames, shown_, sample.outputs);
  if (sample.accounts != nullptr)
    recording_.accounts.insert(recording_.accounts.end(), sample.accounts->begin(), sample.accounts->end());
  place_points(shown_);
}

void RunFiles::show_row(const double* row) {
  shown_.t = *row++;
  for (Vector* part : {&shown_.q, &shown_.v, &shown_.a, &shown_.lambda}) {
    std::copy_n(row, part->size(), part->data());
    row += part->size();
  }
}

// A run that ends early has few of its evenly spaced frames, and its last moments are what one wants to see: the rows
// of result.csv take their place, if there are more of them and they have all columns.
void RunFiles::take_frames_from_rows() {
  constexpr std::size_t enough = 100, most = 500;
  if (!has_all_columns_ || recording_.frame_count() >= enough || spool_->rows() <= recording_.frame_count())
    return add_last_row();
  const std::size_t columns = recording_.columns.size(), stride = (spool_->rows() + most - 1) / most;
  std::vector<std::size_t> chosen;
  for (std::size_t row = (spool_->rows() - 1) % stride; row < spool_->rows(); row += stride) chosen.push_back(row);
  recording_.frames.assign(chosen.size() * columns, 0.0);
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const std::vector<double> row = spool_->row(chosen[i]);
    std::copy(row.begin(), row.end(), recording_.frames.begin() + static_cast<std::ptrdiff_t>(i * columns));
  }
  recording_.points.clear();
  recording_.accounts.clear();  // they are known at frames only
  for (std::size_t i = 0; i < chosen.size() && !drawing_.empty(); ++i) {
    show_row(recording_.frames.data() + i * columns);
    place_points(shown_);
  }
}

// The moment where it ended, between two frames.
void RunFiles::add_last_row() {
  const std::size_t columns = recording_.columns.size(), frames = recording_.frame_count();
  if (last_row_.empty() || frames == 0) return;
  const std::vector<double>& last = last_row_;
  if (last.front() == recording_.frames[(frames - 1) * columns]) return;
  const std::size_t accounts = recording_.accounts.size() / frames;
  recording_.frames.insert(recording_.frames.end(), last.begin(), last.end());
  recording_.accounts.insert(recording_.accounts.end(), accounts, std::nan(""));  // they are known at frames only
  if (drawing_.empty()) return;
  show_row(last.data());
  place_points(shown_);
}

void RunFiles::place_points(const State& state) {
  if (drawing_.empty()) return;
  drawing_.place(state, points_);
  for (const double number : points_) recording_.points.push_back(static_cast<float>(number));
}

}  // namespace raak
