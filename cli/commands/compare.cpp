// `raak compare`: the results of several runs beside each other, as a page with their curves overlaid and as a table of
// the largest differences.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.h"
#include "base/sort_stably.h"
#include "base/text/text.h"
#include "cli/commands/commands.h"
#include "cli/request/arguments.h"
#include "cli/results/results_folder.h"
#include "cli/terminal/table.h"
#include "cli/terminal/terminal.h"
#include "output/folder/folder.h"
#include "output/page_data.h"
#include "output/plots/time_plot.h"
#include "problems/catalogue.h"
#include "study/compare/comparison_page.h"

namespace raak::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_rows = 40;  // of the table in a terminal

bool is_model(const std::string& word) {
  const auto& models = problem_catalogue();
  return fs::path(word).extension() == ".toml" ||
         std::any_of(models.begin(), models.end(), [&](const ModelSource& model) { return model.name == word; });
}

void check_folders(const CompareOptions& options) {
  std::set<fs::path> seen;
  for (const std::string& folder : options.folders) {
    std::error_code unreadable;
    if (fs::is_directory(folder, unreadable)) {
      if (!seen.insert(fs::weakly_canonical(folder, unreadable)).second)
        refuse(fmt::format("\"{}\" is given twice; name different folders", folder));
    } else if (is_model(folder)) {
      refuse(fmt::format("\"{0}\" is a model, and raak compare takes folders of results; first: raak run {1} --out DIR",
                         folder, shell_word(folder)));
    }
  }
  if (options.folders.size() < 2)
    refuse(fmt::format("name two or more --out folders of earlier raak runs, found {}",
                       options.folders.empty() ? "none" : "\"" + options.folders.front() + "\" alone"));
}

// Any page of ours may be replaced, nothing else that the user did not name.
fs::path page_file(const CompareOptions& options) {
  fs::path usual = "compare.html";
  std::error_code unreadable;
  if (!options.out) {
    if (fs::exists(usual, unreadable) && !is_page_of_ours(usual))
      refuse("\"compare.html\" is there and was not written by raak; name another file with --out");
    return usual;
  }
  if (options.out->empty()) refuse("--out expects the name of a file, or a folder for compare.html");
  const fs::path out = *options.out;
  return fs::is_directory(out, unreadable) || !out.has_extension() ? out / usual : out;
}

void make_folder_of(const fs::path& file) {
  std::error_code failed;
  if (file.has_parent_path()) fs::create_directories(file.parent_path(), failed);
  if (failed) refuse(fmt::format("cannot make the folder \"{}\": {}", file.parent_path().string(), failed.message()));
}

std::vector<StoredRun> read_runs(const CompareOptions& options) {
  std::vector<StoredRun> runs;
  for (const std::string& folder : options.folders) {
    complete_folder(folder, options.json);
    runs.push_back(read_stored_run(folder));
    if (!options.json) {
      warn_of_lacking_rows(folder);
      warn_of_foreign_files(folder);
    }
  }
  return runs;
}

// Beside the page.
void write_plots(const CompareOptions& options, const fs::path& page, const Comparison& comparison,
                 const std::vector<StoredRun>& runs, const std::vector<std::string>& labels) {
  if (!options.plot) return;
  for (const std::string& name : read_words("--plot", *options.plot)) {
    const Picture picture = comparison_plot(name, comparison, runs, labels);
    const fs::path stem = page.parent_path() / plot_file_name(name);
    write_file(stem.string() + ".svg", svg_of(picture));
    if (can_write_png()) write_file(stem.string() + ".png", png_of(picture));
  }
}

std::string number_text(double value, const char* format = "{:.6g}") {
  return std::isfinite(value) ? fmt::format(fmt::runtime(format), value) : "-";
}

std::string word(const Json& value) {
  return value.is_string()   ? value.get<std::string>()
         : value.is_number() ? fmt::format("{:.6g}", value.get<double>())
                             : "-";
}

std::string runs_text(const Json& document) {
  Table table({{"run", true},
               {"model", true},
               {"settings", true, 1},
               {"method", true, 3},
               {"rtol", false, 4},
               {"t / s", false, 2},
               {"status", true}},
              "  ");
  for (const Json& run : document.at("runs"))
    table.add({word(run.at("label")), word(run.at("model")),
               join(run.at("settings").get<std::vector<std::string>>(), " "), word(run.at("method_used")),
               word(run.at("rtol")), word(run.at("t_start")) + " to " + word(run.at("t_end")), word(run.at("status"))});
  return table.text(output_columns());
}

// The largest, measured by the range of their quantity, where there are many.
std::vector<Difference> shown_differences(const Comparison& comparison) {
  std::vector<Difference> shown = comparison.differences;
  if (shown.size() <= most_rows) return shown;
  const auto weight = [](const Difference& each) {
    if (!std::isfinite(each.largest) || each.largest == 0.0) return 0.0;
    return each.range > 0.0 ? each.largest / each.range : std::numeric_limits<double>::infinity();
  };
  sort_stably(shown, [&](const Difference& a, const Difference& b) { return weight(a) > weight(b); });
  shown.resize(most_rows);
  return shown;
}

std::string differences_text(const Comparison& comparison, const std::vector<std::string>& labels) {
  const bool several = labels.size() > 2;
  std::vector<Column> columns{{"quantity", true},         {"difference", false},
                              {"unit", true, 2},          {"at t / s", false},
                              {labels.front(), false, 1}, {several ? "other" : labels.back(), false, 1},
                              {"of its range", false, 3}};
  if (several) columns.insert(columns.begin() + 1, {"run", true});
  Table table(columns, "  ");
  for (const Difference& each : shown_differences(comparison)) {
    const double share = each.range > 0.0 ? each.largest / each.range : std::numeric_limits<double>::quiet_NaN();
    std::vector<std::string> cells{each.column,
                                   number_text(each.largest, "{:.4g}"),
                                   each.unit,
                                   number_text(each.t),
                                   number_text(each.first),
                                   number_text(each.other),
                                   number_text(share, "{:.2g}")};
    if (several) cells.insert(cells.begin() + 1, labels[each.run]);
    table.add(cells);
  }
  return table.text(output_columns());
}

std::string remarks_text(const Json& document, const Comparison& comparison, const std::vector<std::string>& labels) {
  std::string text;
  std::set<std::string> models;
  for (const Json& run : document.at("runs")) models.insert(word(run.at("model")));
  if (models.size() > 1) text += "the runs are of different models: what has the same name and unit is compared\n";
  for (std::size_t i = 1; i < labels.size(); ++i) {
    const Matching& matching = comparison.matchings[i];
    text += fmt::format(
        "{} compared with {}, t = {:.9g} to {:.9g} s: {}\n", labels[i], labels.front(), matching.from, matching.to,
        matching.interpolated ? fmt::format("at the {} times of {}, between the times of {} by cubic interpolation",
                                            matching.times, labels.front(), labels[i])
                              : fmt::format("at {} common times", matching.times));
  }
  constexpr std::size_t most_names = 8;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    std::vector<std::string> names = comparison.only[i];
    if (names.empty()) continue;
    const std::size_t more = names.size() > most_names ? names.size() - most_names : 0;
    names.resize(names.size() - more);
    text += fmt::format("not in all runs, so not compared: {} of {}{}\n", join(names), labels[i],
                        more > 0 ? fmt::format(", and {} more", more) : "");
  }
  if (comparison.differences.size() > most_rows)
    text += fmt::format("the {} largest of {} differences by their range; --json and the page have all\n", most_rows,
                        comparison.differences.size());
  return text;
}

}  // namespace

int compare(const CompareOptions& options) {
  check_folders(options);
  require_page();
  const std::vector<StoredRun> runs = read_runs(options);
  const std::vector<std::string> labels = run_labels(options.folders);
  const Comparison comparison = compare_runs(runs);
  Json document = comparison_document(comparison, runs, labels);
  const fs::path file = page_file(options);
  make_folder_of(file);
  write_plots(options, file, comparison, runs, labels);
  write_file(file, comparison_page(document, comparison, runs));
  if (options.json) {
    document["page"] = file.string();
    print_data(text_of(document));
    return 0;
  }
  print_text(runs_text(document) + "\n" + differences_text(comparison, labels) + "\n" +
             remarks_text(document, comparison, labels));
  print_path(file.string());
  return 0;
}

}  // namespace raak::cli
