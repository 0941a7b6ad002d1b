#include "output/folder/stored_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "output/folder/file_marks.h"
#include "output/formats/json.h"
#include "output/formats/npy.h"

namespace raak {
namespace {

namespace fs = std::filesystem;

Json parse_object(const std::string& text, const std::string& where) {
  Json document = parsed_json(text);
  if (!document.is_object()) refuse(fmt::format("\"{}\" is damaged: it is no JSON document", where));
  return document;
}

template <class Number>
std::vector<Number> array_in(const ZipReader& archive, const std::string& name, const fs::path& file) {
  std::vector<Number> values;
  if (archive.find(name) == nullptr || !read_npy(archive.read(name), values)) {
    refuse(fmt::format("\"{}\" is damaged: the array \"{}\" is missing or broken", file.string(), name));
  }
  return values;
}

bool fits(const Bands& bands, std::size_t columns) {
  const std::size_t numbers = bands.t.size() * bands.columns.size();
  return bands.lows.size() == numbers && bands.highs.size() == numbers &&
         std::all_of(bands.columns.begin(), bands.columns.end(), [&](std::size_t c) { return c < columns; });
}

// Sizes that do not fit would show a wrong picture, which is worse than none.
void require_sizes(const Recording& recording, const Json& about, const fs::path& file) {
  const std::size_t columns = recording.columns.size(), rows = recording.frame_count();
  const Json& drawing = about.at("drawing");
  const std::size_t numbers = drawing.at("points").size() * drawing.at("dimension").get<std::size_t>();
  const bool drawn = !recording.points.empty();
  const std::size_t accounts = about.contains("accounts") ? about.at("accounts").size() : 0;
  if (columns == 0 || recording.frames.size() != rows * columns ||
      (!recording.accounts.empty() && recording.accounts.size() != rows * accounts) ||
      (drawn && recording.points.size() != rows * numbers) || recording.steps.size() % StepLog::columns != 0 ||
      !fits(recording.bands, columns + accounts)) {
    refuse(fmt::format("\"{}\" is damaged: its arrays do not fit each other", file.string()));
  }
}

}  // namespace

StoredRun read_stored_run(const fs::path& folder) {
  std::error_code unreadable;
  if (!fs::is_directory(folder, unreadable)) {
    refuse(fmt::format("\"{}\" is no folder; name the --out folder of an earlier raak run", folder.string()));
  }
  const fs::path document_file = folder / "run.json", arrays_file = folder / "result.npz";
  StoredRun run{folder, read_run_document(folder), {}, {}, nullptr};
  const Json& document = run.document;
  const std::string model = word_of(document, "model");
  require_arrays(folder, document);
  run.archive = std::make_shared<ZipReader>(arrays_file);
  const ZipReader& archive = *run.archive;
  if (archive.find("report.json") == nullptr)
    refuse(fmt::format("\"{}\" was not written by raak run", arrays_file.string()));
  run.about = parse_object(archive.read("report.json"), arrays_file.string());
  const Json& about = run.about;
  if (word_of(about, "model") != model || word_of(about, "command") != word_of(document, "command")) {
    refuse(fmt::format("\"{}\" holds results of {} ({}), but \"{}\" describes {} ({}): files of two runs are mixed",
                       arrays_file.string(), word_of(about, "model"), word_of(about, "command"), document_file.string(),
                       model, word_of(document, "command")));
  }
  require_one_run(folder, document);
  Recording& recording = run.recording;
  try {
    recording.columns = about.at("columns").get<std::vector<std::string>>();
    recording.units = about.value("units", std::vector<std::string>());
    run.table = about.value("table", recording.columns);
    recording.frames = array_in<double>(archive, "frames.npy", arrays_file);
    recording.points = array_in<float>(archive, "frames.points.npy", arrays_file);
    recording.steps = array_in<double>(archive, "steps.npy", arrays_file);
    if (archive.find("frames.accounts.npy") != nullptr)
      recording.accounts = array_in<double>(archive, "frames.accounts.npy", arrays_file);
    if (about.contains("bands")) recording.bands.columns = about.at("bands").get<std::vector<std::size_t>>();
    if (!recording.bands.empty()) {
      recording.bands.t = array_in<double>(archive, "bands.t.npy", arrays_file);
      recording.bands.lows = array_in<double>(archive, "bands.low.npy", arrays_file);
      recording.bands.highs = array_in<double>(archive, "bands.high.npy", arrays_file);
    }
    require_sizes(recording, about, arrays_file);
  } catch (const nlohmann::json::exception&) {
    refuse(fmt::format("\"{}\" is damaged: report.json in it lacks entries", arrays_file.string()));
  }
  return run;
}

std::vector<double> StoredRun::rows_of(const std::string& column) const {
  return array_in<double>(*archive, column + ".npy", folder / "result.npz");
}

}  // namespace raak
