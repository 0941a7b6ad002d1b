#include "cli/terminal/row_printer.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/error.h"
#include "base/text/visible_text.h"
#include "cli/request/arguments.h"
#include "cli/terminal/terminal.h"
#include "output/plots/plot_curve.h"
#include "output/plots/plot_request.h"
#include "output/recording.h"

namespace raak::cli {
namespace {

constexpr std::size_t narrowest = 18;  // of a column: 10 digits, sign, point, exponent and a gap

}  // namespace

RowPrinter::RowPrinter(const std::string& names, const ConstrainedSystem& system, const MethodInfo& method)
    : system_(system), names_{"t"}, units_{"s"}, columns_{{0, false}} {
  std::vector<std::string> all = result_columns(system), units = result_units(system);
  if (method.has_trace) {
    for (std::string& name : trace_columns(system, Trace::matrices))
      if (name != "t") all.push_back(std::move(name));
    units.resize(all.size());
  }
  const std::size_t results = result_columns(system).size();
  std::vector<std::string> words = read_words("--print", names);
  if (words.front() == "t") words.erase(words.begin());  // the first column of every row
  for (const std::string& text : words) {
    if (text == "t")
      throw Error(ErrorKind::request, "--print: t is the first column of every row; name the others only");
    const PlotRequest request = read_plot(text, all, units, "--print");
    for (std::size_t i = 0; i < request.columns.size(); ++i) {
      const std::string& column = request.columns[i];
      const auto place = static_cast<std::size_t>(std::find(all.begin(), all.end(), column) - all.begin());
      names_.push_back(request.modulo[i] ? "mod(" + column + ")" : column);
      units_.push_back(units[place]);
      columns_.push_back({place, request.modulo[i]});
      if (place >= results) trace_ = Trace::matrices;
    }
  }
  for (const std::string& name : names_) widths_.push_back(std::max(narrowest, visible_line(name).size() + 2));
}

void RowPrinter::print_head() const {
  std::string head = "#", below = "#";
  for (std::size_t i = 0; i < names_.size(); ++i) {
    const std::size_t width = i == 0 ? widths_[i] - 1 : widths_[i];
    head += fmt::format("{:>{}}", visible_line(names_[i]), width);
    below += fmt::format("{:>{}}", units_[i].empty() ? "-" : visible_line(units_[i]), width);
  }
  print_data(head + "\n" + below + "\n");
}

void RowPrinter::add(const Sample& sample) {
  if (!begun_) print_head();
  begun_ = true;
  row_.clear();
  system_.report(sample.state, shown_);
  append_row(row_, shown_, sample.outputs);
  if (trace_ != Trace::none) {
    std::vector<double> inside;
    if (sample.independent != nullptr) append_trace(inside, system_, sample.state, *sample.independent, trace_);
    // Its time is here already.
    if (!inside.empty()) row_.insert(row_.end(), inside.begin() + 1, inside.end());
  }
  std::string line;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const auto [place, modulo] = columns_[i];
    const double value = place < row_.size() ? row_[place] : std::numeric_limits<double>::quiet_NaN();
    line += fmt::format("{:>{}.10g}", (modulo ? folded(value) : value) + 0.0, widths_[i]);  // no -0
  }
  print_row(line + "\n");
}

}  // namespace raak::cli
