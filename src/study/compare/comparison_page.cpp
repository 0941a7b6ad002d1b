#include "study/compare/comparison_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/text/text.h"
#include "output/folder/file_marks.h"
#include "output/page_data.h"
#include "output/plots/panel_picture.h"
#include "output/plots/plot_request.h"
#include "output/thinning.h"

namespace raak {
namespace {

// What run.json says of a run, in the words of the other documents.
Json run_entry(const StoredRun& run, const std::string& label, const std::vector<std::string>& settings) {
  Json entry{{"label", label}, {"folder", run.folder.string()}, {"settings", settings}};
  for (const char* key : {"model", "title", "run", "command", "program", "method", "method_used", "formulation", "rtol",
                          "atol", "status", "message", "t_start", "t_end"})
    entry[key] = run.document.value(key, Json());
  const Json statistics = run.document.value("statistics", Json::object());
  entry["steps"] = statistics.value("steps", Json());
  entry["cpu_seconds"] = statistics.value("cpu_seconds", Json());
  return entry;
}

std::vector<std::string> units_of(const std::vector<std::string>& columns, const Recording& recording) {
  std::vector<std::string> units;
  for (const std::string& column : columns) units.push_back(curve_of(column, recording).unit);
  return units;
}

}  // namespace

Json comparison_document(const Comparison& comparison, const std::vector<StoredRun>& runs,
                         const std::vector<std::string>& labels) {
  const std::vector<std::vector<std::string>> settings = differing_settings(runs);
  Json entries = Json::array(), differences = Json::array();
  for (std::size_t i = 0; i < runs.size(); ++i) {
    Json entry = run_entry(runs[i], labels[i], settings[i]);
    const Matching& matching = comparison.matchings[i];
    entry["only"] = comparison.only[i];
    if (i > 0)
      entry["compared"] = {{"from", matching.from},
                           {"to", matching.to},
                           {"times", matching.times},
                           {"interpolated", matching.interpolated}};
    entries.push_back(std::move(entry));
  }
  for (const Difference& each : comparison.differences)
    differences.push_back({{"column", each.column},
                           {"unit", each.unit},
                           {"run", labels[each.run]},
                           {"largest", number_or_null(each.largest)},
                           {"t", number_or_null(each.t)},
                           {"first", number_or_null(each.first)},
                           {"other", number_or_null(each.other)},
                           {"range", number_or_null(each.range)}});
  return {{"status", "ok"}, {"runs", entries}, {"common", comparison.common}, {"differences", differences}};
}

std::string comparison_page(Json document, const Comparison& comparison, const std::vector<StoredRun>& runs) {
  std::size_t frames = 1;
  for (const StoredRun& run : runs) frames += run.recording.frame_count();
  const std::size_t room = std::max<std::size_t>(2, most_numbers_shown / frames);
  std::vector<std::string> shown{"t"};
  shown.insert(shown.end(), comparison.common.begin(), comparison.common.end());
  shown = most_wanted_columns(shown, room);
  if (shown.size() <= comparison.common.size())
    document["left_out"] = fmt::format("{} quantities of {} are drawn", shown.size() - 1, comparison.common.size());
  Json curves = Json::array();
  for (const StoredRun& run : runs) {
    Recording recording = run.recording;
    recording.accounts.clear();
    recording.points.clear();
    choose_columns(recording, shown);
    curves.push_back({{"columns", recording.columns},
                      {"units", recording.units},
                      {"frames", frames_document(recording)},
                      {"bands", bands_document(recording.bands)}});
  }
  return page_with({{"comparison", document}, {"curves", curves}});
}

Picture comparison_plot(const std::string& name, const Comparison& comparison, const std::vector<StoredRun>& runs,
                        const std::vector<std::string>& labels) {
  std::vector<std::string> columns{"t"};
  columns.insert(columns.end(), comparison.common.begin(), comparison.common.end());
  const PlotRequest request = read_plot(name, columns, units_of(columns, runs.front().recording));
  std::vector<Panel> panels;
  for (std::size_t i = 0; i < request.columns.size(); ++i) {
    const std::string& column = request.columns[i];
    Panel panel{column, "", {}, true, request.full};
    for (std::size_t k = 0; k < runs.size(); ++k) {
      Curve curve = curve_of(column, runs[k].recording);
      panel.unit = curve.unit;
      curve.name = labels[k];
      curve.modulo = request.modulo[i];
      panel.curves.push_back(std::move(curve));
    }
    panels.push_back(std::move(panel));
  }
  return panel_picture(join(labels, ", ") + ": " + name, panels, true);
}

}  // namespace raak
