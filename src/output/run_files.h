// The files of a run in its --out folder: result.csv, result.npz, run.json, report.html and, if asked for, trace.csv
// and result.h5. Rows arrive while the run goes on; nothing stays behind unless finish() is reached.
#pragma once
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "output/csv.h"
#include "output/folder.h"
#include "output/json.h"
#include "output/recording.h"
#include "output/row_spool.h"
#include "system/model.h"

namespace raak {

class RunFiles {
 public:
  RunFiles(const std::string& path, const Model& model, bool trace, bool hdf5);

  void add(const Sample& sample);
  void add_frame(const Sample& sample);
  void add_step(const StepReport& step) { steps_.add(step); }

  // Of a run that ended early: its last moments are what one wants to see.
  void take_frames_from_rows();

  // Pictures, by the name of their file: they may be drawn once the last row and frame are here.
  using Pictures = std::vector<std::pair<std::string, std::string>>;
  // `about`: what the report says beyond the document of the run. A note marks partial results. The document gets the
  // list of the files (file_marks.h); what the run before left and this one does not write goes.
  void finish(Json& document, Json about, const std::string& note, const Pictures& pictures = {});

  const OutputFolder& folder() const { return folder_; }
  const Recording& recording() const { return recording_; }
  // What a person opens: the report, or run.json where this program has no report.
  std::string main_path() const;

 private:
  void write_arrays(const Json& about) const;
  void write_hdf5(const Json& document) const;
  void add_last_row();
  void show_row(const double* row);
  void place_points(const State& state);

  const ConstrainedSystem& system_;
  OutputFolder folder_;
  const Drawing& drawing_;
  CsvFile rows_;
  std::unique_ptr<RowSpool> spool_;
  std::vector<double> row_, points_;
  State shown_;  // as reported; scratch
  bool trace_, hdf5_;
  std::unique_ptr<CsvFile> trace_rows_;
  Recording recording_;
  StepLog steps_;
  std::vector<std::string> before_;  // files of the run before
};

}  // namespace raak
