#include "output/folder/run_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <nlohmann/json.hpp>
#include <numeric>
#include <utility>

#include "base/error.h"
#include "output/folder/file_marks.h"
#include "output/folder/naming.h"
#include "output/folder/restored_table.h"
#include "output/page_data.h"
#include "output/report.h"

namespace raak {
namespace {

namespace fs = std::filesystem;

// Bytes for the rows that wait in memory, run.json and the notes on a full disk.
constexpr std::size_t held_back = 1'000'000, held_back_a_column = 200;

}  // namespace

void end_recording(const Error& error) {
  const auto* const write = dynamic_cast<const CannotWrite*>(&error);
  const bool is_at_limit = write != nullptr && write->is_at_limit();
  throw CannotRecord(error.what(), std::string(is_at_limit ? "a higher limit (ulimit -f unlimited)"
                                                           : "a disk with more room (--out)") +
                                       ", fewer samples (--every)");
}

RunFiles::RunFiles(const std::string& path, const Model& model, Trace trace, Formats formats, const std::string& state,
                   const std::vector<std::string>& chosen)
    : system_(*model.system),
      folder_(path),
      drawing_(model.drawing),
      points_(model.drawing.numbers()),
      formats_(std::move(formats)),
      extremes_(result_columns(*model.system).size() + accounts_document(*model.system).size()),
      reserve_(folder_.path(), held_back + held_back_a_column * result_columns(*model.system).size()) {
  const ReportedNames& names = system_.reported();
  shown_.q.resize(static_cast<Eigen::Index>(names.positions.size()));
  shown_.v.resize(static_cast<Eigen::Index>(names.velocities.size()));
  shown_.a.resize(shown_.v.size());
  shown_.lambda.resize(static_cast<Eigen::Index>(names.rows.size()));
  recording_.columns = result_columns(*model.system);
  recording_.units = result_units(*model.system);
  if (trace != Trace::none) trace_.emplace(folder_.path(), system_, trace);
  choose_columns(chosen);
  spool_ = std::make_unique<RowSpool>(folder_.path() / "result.npz", of_table(recording_.columns),
                                      of_table(recording_.units));
  if (!state.empty()) {
    restore(state);
    return;
  }
  for (const std::string& name : result_file_names()) folder_.remove(partial_path(name).string());
  folder_.remove(checkpoint_name);
  rows_.emplace(folder_.path() / "result.csv", spool_->names(), spool_->units());
}

void RunFiles::choose_columns(const std::vector<std::string>& chosen) {
  const std::vector<std::string>& all = recording_.columns;
  has_all_columns_ = chosen.empty();
  if (has_all_columns_) {
    table_.resize(all.size());
    std::iota(table_.begin(), table_.end(), std::size_t{0});
    return;
  }
  table_ = {0};  // t
  for (const std::string& name : chosen)
    table_.push_back(static_cast<std::size_t>(std::find(all.begin(), all.end(), name) - all.begin()));
}

std::vector<std::string> RunFiles::of_table(const std::vector<std::string>& all) const {
  std::vector<std::string> chosen;
  for (const std::size_t column : table_) chosen.push_back(all[column]);
  return chosen;
}

void RunFiles::visit_state(Archive& archive) {
  CsvFile::Extent rows = archive.is_loading() ? CsvFile::Extent{} : rows_->sync();
  archive(rows, recording_, steps_, extremes_, last_row_);
  if (archive.is_loading()) {
    const auto keep = [&](const std::vector<double>& row) { spool_->add(row); };
    if (restore_table(folder_.path() / "result.csv", rows, keep))
      earlier_arrays_ = sound_mark(folder_.path(), "result.npz");
    rows_.emplace(folder_.path() / "result.csv", rows);
  }
  rows_->leave();
  if (trace_) archive(*trace_);
  scratch(system_, drawing_, table_, has_all_columns_, row_, table_row_, points_, shown_, formats_, written_);
  scratch(missing_, earlier_arrays_, message_, reserve_);
}

void RunFiles::restore(const std::string& state) {
  Archive archive(state);
  visit_state(archive);
}

void RunFiles::add(const Sample& sample) try {
  row_.clear();
  system_.report(sample.state, shown_);
  append_row(row_, shown_, sample.outputs);
  for (double& number : row_)
    if (std::isnan(number)) number = std::numeric_limits<double>::quiet_NaN();  // the same in every file
  table_row_.clear();
  for (const std::size_t column : table_) table_row_.push_back(row_[column]);
  last_row_ = row_;
  spool_->add(table_row_);
  for (const double number : table_row_) rows_->add(number);
  rows_->end_row();
  if (trace_ && sample.independent != nullptr) trace_->add(sample.state, *sample.independent);
} catch (const Error& error) {
  end_recording(error);
}

void RunFiles::add_partition(const PartitionRecord& partition) try {
  if (trace_) trace_->add(partition);
} catch (const Error& error) {
  end_recording(error);
}

void RunFiles::add_between(const Sample& sample) {
  row_.clear();
  system_.report(sample.state, shown_);
  append_row(row_, shown_, sample.outputs);
  // Rounding errors have no band; the log of the steps has the largest.
  std::fill(row_.end() - violation_outputs, row_.end(), std::numeric_limits<double>::quiet_NaN());
  if (sample.accounts != nullptr) row_.insert(row_.end(), sample.accounts->begin(), sample.accounts->end());
  extremes_.add(sample.state.t, row_.data());
}

// What cannot be written is noted, and the rest goes on.
template <class Write>
void RunFiles::attempt(const std::string& name, const Write& write) {
  try {
    write();
    written_.push_back(name);
  } catch (const Error& error) {
    missing_[name] = error.what();
  } catch (const std::bad_alloc&) {
    missing_[name] = "there is not enough memory to write it";
  }
}

// The rows come first: everything else can be made from them.
void RunFiles::seal_rows(const std::string& note) {
  written_.emplace_back("result.csv");
  write_rows(note);
  spool_->cut(rows_->rows());  // a row that was lost in the table is lost in all files
}

void RunFiles::write_rows(const std::string& note) {
  try {
    rows_->seal(note);
  } catch (const Error& error) {
    reserve_.release();
    const std::size_t all = rows_->rows();
    const std::size_t kept = rows_->seal_what_fits(note.empty() ? error.what() : note);
    if (kept == all) return;
    const std::string until = kept == 0 ? "" : fmt::format(", from t = {:.9g} s on", spool_->row(kept - 1).front());
    missing_["result.csv"] = fmt::format("the last {} rows{}: {}", all - kept, until, error.what());
  }
}

void RunFiles::finish(Json& document, Json about, const std::string& note, const Pictures& pictures) {
  recording_.steps = steps_.rows();
  about["columns"] = recording_.columns;
  about["units"] = recording_.units;
  if (!has_all_columns_) about["table"] = of_table(recording_.columns);
  about["accounts"] = accounts_document(system_);
  about["bands"] = recording_.bands.columns;
  about["steps_a_row"] = steps_.steps_a_row();
  about["drawing"] = drawing_document(drawing_);
  missing_ = Json::object();
  seal_rows(note);
  write_tables(document, about);
  const bool complete = note.empty() && missing_.empty();
  if (complete && std::find(formats_.begin(), formats_.end(), &journal_format()) == formats_.end())
    std::erase(written_, "result.csv");
  spool_.reset();  // makes room for what follows
  if (trace_)
    trace_->seal(note, [&](const std::string& name, const std::function<void()>& write) { attempt(name, write); });
  note_missing(document);
  if (has_page())
    attempt("report.html", [&] { folder_.prepare("report.html", report_page(document, about, recording_)); });
  for (const auto& picture : pictures) attempt(picture.first, [&] { folder_.prepare(picture.first, picture.second); });
  note_missing(document);
  name_all(document);
}

void RunFiles::write_tables(const Json& document, const Json& about) {
  const Companions companions{text_of(document), &recording_, &about};
  for (const FormatInfo* format : formats_) {
    if (format == &journal_format()) continue;  // all its rows are there
    const std::string& name = format->files.front();
    attempt(name, [&] {
      spool_->rewind();
      write_table(*spool_, *format->make(folder_.path() / name), companions);
    });
  }
}

// A run that came to its end without all its files has failed; the document says which are missing, and why.
void RunFiles::note_missing(Json& document) {
  if (missing_.empty()) return;
  if (!document.contains("missing")) message_ = word_of(document, "message");
  Json reasons = missing_;
  if (reasons.contains("result.npz") && earlier_arrays_.is_object())
    reasons["result.npz"] = fmt::format("all after the rows that it had before this run was resumed: {}",
                                        missing_["result.npz"].get<std::string>());
  document["missing"] = reasons;
  const bool came_to_its_end = word_of(document, "status") == "ok";
  if (came_to_its_end) document["status"] = status_name(Termination::failed);
  if (message_.empty()) message_ = "the run came to its end, but its files are not complete";
  std::string text = message_;
  for (const auto& [name, why] : reasons.items())
    text += fmt::format(". Missing: {}: {}", name, why.get<std::string>());
  document["message"] = text;
}

void RunFiles::name_all(Json& document) {
  reserve_.release();
  try {
    name_written(document);
  } catch (const Error& error) {
    std::error_code unreadable;
    if (fs::exists(naming_path(folder_.path()), unreadable)) throw;  // whoever reads the folder goes on
    keep_rows_only(error.what());
    note_missing(document);
    name_rows(document);
  }
}

void RunFiles::name_written(Json& document) {
  document["files"] = marks_of_partial_files(folder_.path(), written_);
  // Few rows are better than none.
  if (earlier_arrays_.is_object() && missing_.contains("result.npz")) document["files"]["result.npz"] = earlier_arrays_;
  name_files(folder_.path(), document);
  folder_.remove(partial_path("result.csv").string());  // where only the others are wanted
  if (word_of(document, "status") == "ok") folder_.remove(checkpoint_name);
}

// All that can be made from the rows makes room for run.json, without which they are no result.
void RunFiles::keep_rows_only(const std::string& why) {
  for (const std::string& name : written_) {
    if (name == "result.csv") continue;
    folder_.remove(partial_path(name).string());
    missing_[name] = fmt::format("it made room for run.json: {}", why);
  }
  written_ = {"result.csv"};
}

void RunFiles::name_rows(Json& document) try { name_written(document); } catch (const Error& error) {
  const fs::path rows = partial_path(folder_.path() / "result.csv");
  if (rows_->rows() == 0) folder_.remove(rows.filename().string());
  throw Error(ErrorKind::computation,
              rows_->rows() == 0
                  ? fmt::format("{}. Nothing that was computed could be kept", error.what())
                  : fmt::format("{}. The rows that were computed are kept in \"{}\"", error.what(), rows.string()));
}

std::string RunFiles::main_path() const {
  return (folder_.path() / (has_page() && !missing_.contains("report.html") ? "report.html" : "run.json")).string();
}

}  // namespace raak
