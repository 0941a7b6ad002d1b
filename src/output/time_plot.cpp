#include "output/time_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "base/text.h"

namespace raak {
namespace {

constexpr double width = 880.0, height = 440.0, left = 84.0, right = 20.0, top = 44.0, bottom = 52.0;
constexpr double legend_width = 150.0, legend_line = 19.0;
const std::array<std::string, 5> kinds{"q", "v", "a", "lambda", "energy"};

struct Axis {
  double from = 0.0, to = 1.0, step = 0.25;
  double start = 0.0, end = 1.0;  // in pixels

  double place(double value) const { return start + (end - start) * (value - from) / (to - from); }
  // Rounded to the step, so that 0 is 0 and not 1e-17.
  std::string text(double value) const { return fmt::format("{:.6g}", std::round(value / step) * step + 0.0); }
};

// Ticks at 1, 2 or 5 times a power of ten.
double nice_step(double span, double ticks) {
  const double rough = span / ticks;
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double nice : {1.0, 2.0, 5.0}) {
    if (nice * power >= rough) return nice * power;
  }
  return 10.0 * power;
}

Axis axis_over(double low, double high, double ticks, bool round_ends, double start, double end) {
  if (!(low <= high)) low = 0.0, high = 1.0;
  if (high - low <= 1e-12 * std::max(std::abs(low), std::abs(high)) || high == low) {
    const double half = std::max(1e-6 * std::abs(low), low == 0.0 ? 1.0 : 0.0);
    low -= half;
    high += half;
  }
  Axis axis{low, high, nice_step(high - low, ticks), start, end};
  if (round_ends) {
    axis.from = std::floor(low / axis.step) * axis.step;
    axis.to = std::ceil(high / axis.step) * axis.step;
  }
  return axis;
}

// Pieces of a curve between values that are not finite.
void add_curve(Picture& picture, const std::vector<double>& t, const std::vector<double>& values, const Axis& x,
               const Axis& y, std::size_t series) {
  PictureLine line{{}, {}, series_colour(series), 1.8, series / 7 % 2 == 1};
  const auto finish = [&] {
    if (line.x.size() > 1) picture.lines.push_back(line);
    line.x.clear();
    line.y.clear();
  };
  for (std::size_t i = 0; i < t.size(); ++i) {
    if (!std::isfinite(values[i])) {
      finish();
      continue;
    }
    line.x.push_back(x.place(t[i]));
    line.y.push_back(y.place(values[i]));
  }
  finish();
}

void add_grid(Picture& picture, const Axis& x, const Axis& y) {
  using Anchor = PictureText::Anchor;
  for (double v = std::ceil(x.from / x.step - 1e-9) * x.step; v <= x.to + 1e-9 * x.step; v += x.step) {
    picture.lines.push_back({{x.place(v), x.place(v)}, {y.start, y.end}, Colour::grid});
    picture.texts.push_back({x.place(v), y.start + 19.0, x.text(v), 12.0, Anchor::middle});
  }
  for (double v = y.from; v <= y.to + 1e-9 * y.step; v += y.step) {
    picture.lines.push_back({{x.start, x.end}, {y.place(v), y.place(v)}, Colour::grid});
    picture.texts.push_back({x.start - 8.0, y.place(v) + 4.0, y.text(v), 12.0, Anchor::end});
  }
  picture.lines.push_back({{x.start, x.start, x.end}, {y.end, y.start, y.start}, Colour::faint, 1.2});
}

std::vector<double> values_of(const std::string& column, const Recording& recording) {
  const std::size_t stride = recording.columns.size(), rows = recording.frame_count();
  const auto at = std::find(recording.columns.begin(), recording.columns.end(), column) - recording.columns.begin();
  std::vector<double> values;
  for (std::size_t i = 0; i < rows; ++i) values.push_back(recording.frames[i * stride + static_cast<std::size_t>(at)]);
  return values;
}

// Each that occurs, once; what a kind of columns may have where it is not known better.
std::string units_of(const std::vector<std::string>& chosen, const Recording& recording) {
  std::vector<std::string> units;
  for (const std::string& column : chosen) {
    const auto place = std::find(recording.columns.begin(), recording.columns.end(), column);
    const auto index = static_cast<std::size_t>(place - recording.columns.begin());
    std::string unit = index < recording.units.size() ? recording.units[index] : "SI";
    if (unit.ends_with("^2")) unit.replace(unit.size() - 2, 2, "²");
    if (std::find(units.begin(), units.end(), unit) == units.end()) units.push_back(std::move(unit));
  }
  const std::string& column = chosen.front();
  if (std::find(units.begin(), units.end(), "SI") == units.end() || column.find('.') == std::string::npos)
    return join(units, " or ");
  if (column.starts_with("q.")) return "m or rad";
  if (column.starts_with("v.")) return "m/s or rad/s";
  if (column.starts_with("a.")) return "m/s² or rad/s²";
  if (column.starts_with("lambda.")) return "N or N m";
  return column.starts_with("energy.") ? "J" : join(units, " or ");
}

}  // namespace

std::vector<std::string> plot_names(const std::vector<std::string>& columns) {
  std::vector<std::string> names(columns.begin() + (columns.empty() ? 0 : 1), columns.end());
  names.insert(names.end(), kinds.begin(), kinds.end());
  return names;
}

std::vector<std::string> plotted_columns(const std::string& name, const std::vector<std::string>& columns) {
  const auto has = [&](const std::string& column) {
    return column != "t" && std::find(columns.begin(), columns.end(), column) != columns.end();
  };
  if (has(name)) return {name};
  if (has("q." + name)) return {"q." + name};
  std::vector<std::string> found;
  if (std::find(kinds.begin(), kinds.end(), name) != kinds.end()) {
    for (const std::string& column : columns) {
      if (column.starts_with(name + ".")) found.push_back(column);
    }
  }
  if (found.empty()) throw Error(ErrorKind::request, "--plot: " + unknown_name("quantity", name, plot_names(columns)));
  return found;
}

bool has_values(const std::string& name, const Recording& recording) {
  for (const std::string& each : plotted_columns(name, recording.columns)) {
    const std::vector<double> values = values_of(each, recording);
    if (std::any_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); })) return true;
  }
  return false;
}

Picture time_plot(const std::string& name, const std::string& model, const Recording& recording) {
  const std::vector<std::string> chosen = plotted_columns(name, recording.columns);
  const std::vector<double> t = values_of("t", recording);
  std::vector<std::vector<double>> curves;
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const std::string& each : chosen) {
    curves.push_back(values_of(each, recording));
    for (const double value : curves.back()) {
      if (!std::isfinite(value)) continue;
      low = std::min(low, value);
      high = std::max(high, value);
    }
  }
  const bool several = chosen.size() > 1;
  Picture picture{several ? width + legend_width : width, height, model + ": " + name + " over time", {}, {}};
  const double first = t.empty() ? 0.0 : std::min(t.front(), t.back()),
               last = t.empty() ? 1.0 : std::max(t.front(), t.back());
  const Axis x = axis_over(first, last, 8.0, false, left, width - right);
  const Axis y = axis_over(low, high, 6.0, true, height - bottom, top);
  add_grid(picture, x, y);
  for (std::size_t i = 0; i < curves.size(); ++i) add_curve(picture, t, curves[i], x, y, i);
  using Anchor = PictureText::Anchor;
  const std::string shown = several ? name : chosen.front();
  picture.texts.push_back({left, 26.0, model + ": " + shown, 15.0, Anchor::start, true});
  picture.texts.push_back({0.5 * (x.start + x.end), height - 12.0, "t (s)", 13.0, Anchor::middle});
  picture.texts.push_back({20.0, 0.5 * (y.start + y.end), shown + " (" + units_of(chosen, recording) + ")", 13.0,
                           Anchor::middle, false, true});
  for (std::size_t i = 0; several && i < chosen.size(); ++i) {
    const double at = top + 10.0 + legend_line * static_cast<double>(i);
    picture.lines.push_back({{width, width + 24.0}, {at, at}, series_colour(i), 1.8, i / 7 % 2 == 1});
    picture.texts.push_back({width + 31.0, at + 4.0, chosen[i], 12.0});
  }
  return picture;
}

std::string plot_file_name(const std::string& name) {
  std::string safe = name;
  for (char& c : safe) {
    const bool plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '-';
    if (!plain) c = '_';
  }
  return safe;
}

}  // namespace raak
