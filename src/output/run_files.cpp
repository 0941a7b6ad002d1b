#include "output/run_files.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "output/file_marks.h"
#include "output/hdf5.h"
#include "output/npy.h"
#include "output/report.h"
#include "output/zip.h"

namespace raak {

RunFiles::RunFiles(const std::string& path, const Model& model, bool trace, bool hdf5)
    : system_(*model.system),
      folder_(path),
      drawing_(model.drawing),
      rows_(folder_.path() / "result.csv", result_columns(*model.system), result_units(*model.system)),
      points_(model.drawing.numbers()),
      trace_(trace),
      hdf5_(hdf5) {
  const ReportedNames& names = system_.reported();
  shown_.q.resize(static_cast<Eigen::Index>(names.positions.size()));
  shown_.v.resize(static_cast<Eigen::Index>(names.velocities.size()));
  shown_.a.resize(shown_.v.size());
  shown_.lambda.resize(static_cast<Eigen::Index>(names.rows.size()));
  recording_.columns = result_columns(*model.system);
  recording_.units = result_units(*model.system);
  spool_ = std::make_unique<RowSpool>(folder_.path() / "result.npz", recording_.columns.size());
  std::ifstream before(folder_.path() / "run.json", std::ios::binary);
  before_ = listed_files(Json::parse(std::string{std::istreambuf_iterator<char>(before), {}}, nullptr, false));
}

void RunFiles::add(const Sample& sample) {
  write_result_row(rows_, system_, sample);
  row_.clear();
  system_.report(sample.state, shown_);
  append_row(row_, shown_, sample.outputs);
  spool_->add(row_);
  if (!trace_ || sample.independent == nullptr || sample.independent->z.size() == 0) return;
  if (!trace_rows_) {
    trace_rows_ = std::make_unique<CsvFile>(folder_.path() / "trace.csv", trace_columns(*sample.independent));
  }
  write_trace_row(*trace_rows_, sample.state.t, *sample.independent);
}

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
// of result.csv take their place, if there are more of them.
void RunFiles::take_frames_from_rows() {
  constexpr std::size_t enough = 100, most = 500;
  if (recording_.frame_count() >= enough || spool_->rows() <= recording_.frame_count()) return add_last_row();
  const std::size_t columns = recording_.columns.size(), stride = (spool_->rows() + most - 1) / most;
  std::vector<std::size_t> chosen;
  for (std::size_t row = (spool_->rows() - 1) % stride; row < spool_->rows(); row += stride) chosen.push_back(row);
  recording_.frames.assign(chosen.size() * columns, 0.0);
  spool_->each_column([&](std::size_t column, const std::vector<double>& values) {
    for (std::size_t i = 0; i < chosen.size(); ++i) recording_.frames[i * columns + column] = values[chosen[i]];
  });
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
  if (spool_->rows() == 0 || frames == 0) return;
  std::vector<double> last(columns);
  spool_->each_column([&](std::size_t column, const std::vector<double>& values) { last[column] = values.back(); });
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

void RunFiles::finish(Json& document, Json about, const std::string& note, const Pictures& pictures) {
  recording_.steps = steps_.rows();
  about["columns"] = recording_.columns;
  about["units"] = result_units(system_);
  about["accounts"] = accounts_document(system_);
  about["steps_a_row"] = steps_.steps_a_row();
  about["drawing"] = drawing_document(drawing_);
  // What takes long comes first, so that there is little time between the first file and the last.
  const std::string page = has_report() ? report_page(document, about, recording_) : "";
  std::vector<std::string> written;
  if (hdf5_) write_hdf5(document);
  if (hdf5_) written.emplace_back("result.h5");
  else folder_.remove("result.h5");
  write_arrays(about);
  written.emplace_back("result.npz");
  if (has_report()) folder_.write("report.html", page);
  if (has_report()) written.emplace_back("report.html");
  else folder_.remove("report.html");
  rows_.finish(note);
  written.emplace_back("result.csv");
  if (trace_rows_) trace_rows_->finish(note);
  if (trace_rows_) written.emplace_back("trace.csv");
  else folder_.remove("trace.csv");
  for (const auto& [name, text] : pictures) {
    folder_.write(name, text);
    written.push_back(name);
  }
  for (const std::string& name : before_)
    if (std::find(written.begin(), written.end(), name) == written.end() && name != "run.json") folder_.remove(name);
  document["files"] = file_marks(folder_.path(), written);
  folder_.write("run.json", text_of(document));
}

void RunFiles::write_arrays(const Json& about) const {
  ZipFile archive(folder_.path() / "result.npz");
  constexpr std::size_t most_arrays = ZipFile::most_entries - 16;  // some have other names
  if (recording_.columns.size() <= most_arrays) {
    spool_->each_column([&](std::size_t i, const std::vector<double>& values) {
      archive.add(recording_.columns[i] + ".npy", npy_of(values));
    });
  } else {  // a row of this array for each column
    std::vector<double> all;
    spool_->each_column(
        [&](std::size_t, const std::vector<double>& values) { all.insert(all.end(), values.begin(), values.end()); });
    archive.add("columns.npy", npy_of(all, spool_->rows()));
  }
  archive.add("frames.npy", npy_of(recording_.frames, recording_.columns.size()));
  archive.add("frames.points.npy", npy_of(recording_.points, points_.size()));
  if (!recording_.accounts.empty())
    archive.add("frames.accounts.npy", npy_of(recording_.accounts, about.at("accounts").size()));
  archive.add("steps.npy", npy_of(recording_.steps, StepLog::columns));
  archive.add("report.json", text_of(about));
  archive.finish();
}

void RunFiles::write_hdf5(const Json& document) const {
  Hdf5File file(folder_.path() / "result.h5");
  const std::vector<std::string> units = result_units(system_);
  spool_->each_column(
      [&](std::size_t i, const std::vector<double>& values) { file.add(recording_.columns[i], values, units[i]); });
  file.add("run.json", text_of(document));
  file.finish();
}

std::string RunFiles::main_path() const {
  return (folder_.path() / (has_report() ? "report.html" : "run.json")).string();
}

}  // namespace raak
