// What a report shows of a run: the motion at evenly spaced moments, with the points of the drawing, and every step.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "methods/resumable.h"
#include "output/formats/json.h"
#include "output/plots/extremes.h"
#include "run/integrate.h"
#include "system/drawing.h"

namespace raak {

// t, h, order and violations of the accepted steps. Of a long run neighbours are merged, so that the memory is bounded:
// the shortest h and the largest violations are kept.
class StepLog {
 public:
  static constexpr std::size_t columns = 5;

  void add(const StepReport& step);
  const std::vector<double>& rows() const { return rows_; }  // row by row
  long steps_a_row() const { return steps_a_row_; }

  void visit_state(Archive& archive) { archive(rows_, steps_a_row_, merged_); }

 private:
  void halve();

  std::vector<double> rows_;
  long steps_a_row_ = 1;
  long merged_ = 0;  // into the last row so far
};

// Evenly spaced times from start to until, both included.
std::vector<double> frame_times(double start, double until, long frames);

struct Recording {
  std::vector<std::string> columns;     // of a frame: those of result.csv
  std::vector<std::string> units = {};  // of them; none where they are not known
  std::vector<double> frames;           // row by row
  std::vector<float> points;            // of the drawing, frame by frame
  std::vector<double> steps;            // rows of a StepLog
  std::vector<double> accounts;         // J of each energy account, frame by frame; may be missing
  // Of what moves faster than the frames show; columns beyond those of a frame are energy accounts.
  Bands bands = {};

  void visit_state(Archive& archive) {
    archive(frames, points, accounts);
    scratch(columns, units, steps);
  }

  std::size_t frame_count() const { return columns.empty() ? 0 : frames.size() / columns.size(); }
};

// The numbers of a state as reported, and of its outputs, in the order of result_columns().
void append_row(std::vector<double>& row, const State& shown, const Vector& outputs);

// Name and kind of each energy account, in the order of Recording::accounts.
Json accounts_document(const ConstrainedSystem& system);

// A drawing without the function that places its points.
Json drawing_document(const Drawing& drawing);

}  // namespace raak
