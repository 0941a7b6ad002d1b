// The files of a run in its --out folder: its rows in the chosen formats, run.json, report.html and, if asked for,
// trace.csv and partitions.csv. Rows arrive while the run goes on, and go to result.csv.partial at once: it becomes
// result.csv if that is chosen, if the run ends early or if a chosen file could not be written. Of what cannot be
// written, for want of room or memory, the rest is kept with a note of what is missing.
#pragma once
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "kinematics/model.h"
#include "output/catalogue.h"
#include "output/folder/folder.h"
#include "output/folder/room.h"
#include "output/folder/trace_files.h"
#include "output/formats/csv.h"
#include "output/formats/json.h"
#include "output/recording.h"
#include "output/tables/row_spool.h"

namespace raak {

// Ends the run, whose rows or checkpoint could not be written: throws CannotRecord.
[[noreturn]] void end_recording(const Error& error);

class RunFiles {
 public:
  // `state`: of visit_state(), from which an interrupted run goes on; empty: a new one. `chosen`: the columns of the
  // tables after t; none: all. The report has all in any case.
  RunFiles(const std::string& path, const Model& model, Trace trace, Formats formats, const std::string& state = {},
           const std::vector<std::string>& chosen = {});

  // Brings the rows so far to the disk, and writes what is needed to go on from here. From then on the rows stay there
  // whatever happens.
  void visit_state(Archive& archive);
  void write_checkpoint(std::string_view bytes) const { folder_.write(checkpoint_name, bytes); }
  static constexpr const char* checkpoint_name = "run.checkpoint";

  // Throws CannotRecord where there is no room for more; what is here can be finished nevertheless.
  void add(const Sample& sample);
  void add_frame(const Sample& sample);
  void add_step(const StepReport& step) { steps_.add(step); }
  // For --trace: Plan::partitions.
  void add_partition(const PartitionRecord& partition);
  // For the extremes between frames: Plan::between_frames.
  void add_between(const Sample& sample);

  // Of a run that ended early: its last moments are what one wants to see.
  void take_frames_from_rows();

  // When all frames are here: finds out which quantities moved faster than they show.
  void find_bands() {
    recording_.bands = extremes_.bands(recording_.frames, recording_.columns.size(), recording_.accounts);
  }

  // Pictures, by the name of their file: they may be drawn once the last row and frame are here.
  using Pictures = std::vector<std::pair<std::string, std::string>>;
  // `about`: what the report says beyond the document of the run. A note marks partial results. The document gets the
  // list of the files (file_marks.h), and under "missing" those that could not be written, with why; what the run
  // before left and this one does not write goes, but for the arrays of a run that is resumed. Throws a computation
  // error where not even run.json can be written: then the rows stay in result.csv.partial.
  void finish(Json& document, Json about, const std::string& note, const Pictures& pictures = {});

  const OutputFolder& folder() const { return folder_; }
  const Recording& recording() const { return recording_; }
  // What a person opens: the report, or run.json where this program has no report.
  std::string main_path() const;

 private:
  template <class Write>
  void attempt(const std::string& name, const Write& write);
  void seal_rows(const std::string& note);
  void write_rows(const std::string& note);
  void write_tables(const Json& document, const Json& about);
  void note_missing(Json& document);
  void name_all(Json& document);
  void name_written(Json& document);
  void keep_rows_only(const std::string& why);
  void name_rows(Json& document);
  void add_last_row();
  void restore(const std::string& state);
  void show_row(const double* row);
  void place_points(const State& state);
  void choose_columns(const std::vector<std::string>& chosen);
  std::vector<std::string> of_table(const std::vector<std::string>& all) const;

  const ConstrainedSystem& system_;
  OutputFolder folder_;
  const Drawing& drawing_;
  std::optional<CsvFile> rows_;
  std::unique_ptr<RowSpool> spool_;
  std::vector<std::size_t> table_;  // places of its columns among all
  bool has_all_columns_ = true;     // in their order
  std::vector<double> row_, table_row_, points_;
  std::vector<double> last_row_;  // with all columns
  State shown_;                   // as reported; scratch
  Formats formats_;
  std::optional<TraceFiles> trace_;
  Recording recording_;
  StepLog steps_;
  Extremes extremes_;
  std::vector<std::string> written_;
  Json missing_;         // why, by name
  Json earlier_arrays_;  // mark of the result.npz that the run which is resumed left; null: none
  std::string message_;  // of the run itself
  DiskReserve reserve_;
};

}  // namespace raak
