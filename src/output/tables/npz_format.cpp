// Tables as NumPy archives: an array for each column (npy.h, zip.h) and, of a run, what its report is made from.
#include <nlohmann/json.hpp>
#include <utility>

#include "output/catalogue.h"
#include "output/formats/npy.h"
#include "output/formats/zip.h"
#include "output/recording.h"

namespace raak {
namespace {

class NpzWriter final : public TableWriter {
 public:
  explicit NpzWriter(std::filesystem::path path) : archive_(std::move(path)) {}

  void begin(const TableRows& table) override {
    plain_ = {{"columns", table.names()}, {"units", table.units()}};
    const std::string header = npy_header(table.rows());
    for (const std::string& name : table.names())
      archive_.append(archive_.begin(name + ".npy", header.size() + table.rows() * sizeof(double)), header);
  }
  void rows(std::size_t, const std::vector<std::vector<double>>& columns) override {
    for (std::size_t i = 0; i < columns.size(); ++i)
      archive_.append(i, {reinterpret_cast<const char*>(columns[i].data()), columns[i].size() * sizeof(double)});
  }
  void finish(const Companions& companions) override {
    if (companions.more != nullptr) plain_.update(*companions.more);
    if (companions.recording != nullptr) add(*companions.recording, *companions.about);
    archive_.add("report.json", text_of(companions.about != nullptr ? *companions.about : plain_));
    archive_.seal();
  }

 private:
  void add(const Recording& recording, const Json& about) {
    const Json& drawing = about.at("drawing");
    archive_.add("frames.npy", npy_of(recording.frames, recording.columns.size()));
    archive_.add("frames.points.npy",
                 npy_of(recording.points, drawing.at("points").size() * drawing.at("dimension").get<std::size_t>()));
    if (!recording.accounts.empty())
      archive_.add("frames.accounts.npy", npy_of(recording.accounts, about.at("accounts").size()));
    if (const Bands& bands = recording.bands; !bands.empty()) {
      archive_.add("bands.t.npy", npy_of(bands.t));
      archive_.add("bands.low.npy", npy_of(bands.lows, bands.columns.size()));
      archive_.add("bands.high.npy", npy_of(bands.highs, bands.columns.size()));
    }
    archive_.add("steps.npy", npy_of(recording.steps, StepLog::columns));
  }

  ZipFile archive_;
  Json plain_;  // report.json of a table without a report
};

}  // namespace

FormatInfo npz_format() {
  return {.name = "npz",
          .summary = "the same columns for NumPy, with the frames of the report and a row per step (numpy.load)",
          .files = {"result.npz"},
          .make = make_writer<NpzWriter>,
          .by_default = true,
          .least_bytes = 8.0,
          .usual_bytes = 8.0};
}

}  // namespace raak
