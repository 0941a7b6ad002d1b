#include "cli/results/run_plots.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/text/text.h"
#include "cli/request/arguments.h"
#include "cli/terminal/terminal.h"
#include "output/column_choice.h"
#include "output/plots/time_plot.h"

namespace raak::cli {

std::vector<std::string> read_plots(const RunOptions& options, const ConstrainedSystem& system) {
  if (!options.plot) return {};
  if (!options.out) throw Error(ErrorKind::request, "--plot writes pictures: name a folder for them with --out");
  std::vector<std::string> names = read_words("--plot", *options.plot);
  for (const std::string& name : names) read_plot(name, result_columns(system), result_units(system));
  return names;
}

std::vector<std::string> read_columns(const RunOptions& options, const ConstrainedSystem& system) {
  if (!options.columns) return {};
  if (!options.out)
    throw Error(ErrorKind::request, "--columns chooses the columns of tables: name a folder for them with --out");
  return chosen_columns(read_words("--columns", *options.columns), result_columns(system));
}

RunFiles::Pictures draw_plots(const std::vector<std::string>& names, const std::string& model,
                              const Recording& recording) {
  RunFiles::Pictures pictures;
  for (const std::string& name : names) {
    const Picture picture = time_plot(name, model, recording);
    pictures.emplace_back(plot_file_name(name) + ".svg", svg_of(picture));
    if (can_write_png()) pictures.emplace_back(plot_file_name(name) + ".png", png_of(picture));
  }
  if (!names.empty() && !can_write_png())
    complain("warning: no Cairo library here, so --plot wrote SVG and no PNG: apt-get install libcairo2");
  return pictures;
}

std::vector<std::string> empty_plots(const std::vector<std::string>& names, const Recording& recording,
                                     const Json& reactions) {
  std::vector<std::string> empty;
  for (const std::string& name : names) {
    const PlotRequest request = read_plot(name, recording.columns, recording.units);
    const bool reaction = request.columns.front().starts_with("lambda.");
    if (reaction && !has_values(request, recording)) empty.push_back(name);
  }
  if (empty.empty()) return {};
  const std::string reason = reactions.is_object() ? reactions.value("reason", "") : "";
  const Json joints = reason.empty() ? Json::array() : reactions.value("indeterminate", Json::array());
  const std::string which = joints.empty() ? "" : fmt::format(" in {}", join(joints.get<std::vector<std::string>>()));
  const std::string why = reason.empty() ? "not a finite number at any moment" : reason;
  return {fmt::format("nothing to plot of {}{}: {}", join(empty), which, why)};
}

}  // namespace raak::cli
