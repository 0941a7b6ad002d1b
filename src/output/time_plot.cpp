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
constexpr double legend_line = 19.0, legend_sample = 31.0, letter = 6.9;  // of a name at size 12
constexpr std::size_t most_beside = 18;                                   // series; more are named below
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
  PictureLine line{{}, {}, series_colour(series), 1.8, series / series_colours};
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

// What moves faster than the moments shown: its edges, and between them an upright stroke as wide as its bin for each
// bin. Several bands take turns, so that none hides another.
void add_band(Picture& picture, const Bands& bands, std::size_t place, const Axis& x, const Axis& y, std::size_t series,
              std::size_t turn, std::size_t turns) {
  constexpr double seam = 0.15;  // pixels; strokes overlap a little, or the paper would show between them
  constexpr std::size_t bins_a_turn = 4;
  const std::size_t stride = bands.columns.size(), bins = bands.t.size();
  const double wide = std::abs(x.place(bands.t.back()) - x.place(bands.t.front())) / static_cast<double>(bins - 1);
  std::vector<double> lows, highs;
  for (std::size_t bin = 0; bin < bins; ++bin) {
    const double low = bands.lows[bin * stride + place], high = bands.highs[bin * stride + place];
    lows.push_back(low);
    highs.push_back(high);
    if (!std::isfinite(low) || !std::isfinite(high) || bin / bins_a_turn % turns != turn) continue;
    const double at = x.place(bands.t[bin]);
    picture.lines.push_back({{at, at}, {y.place(high), y.place(low)}, series_colour(series), wide + seam, 0});
  }
  add_curve(picture, bands.t, lows, x, y, series);
  add_curve(picture, bands.t, highs, x, y, series);
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

// Each that occurs, once; none where one of them is not known.
std::string units_of(const std::vector<std::string>& chosen, const Recording& recording) {
  std::vector<std::string> units;
  for (const std::string& column : chosen) {
    const auto place = std::find(recording.columns.begin(), recording.columns.end(), column);
    const auto index = static_cast<std::size_t>(place - recording.columns.begin());
    std::string unit = index < recording.units.size() ? recording.units[index] : "";
    if (unit.empty()) return "";
    if (unit.ends_with("^2")) unit.replace(unit.size() - 2, 2, "²");
    if (std::find(units.begin(), units.end(), unit) == units.end()) units.push_back(std::move(unit));
  }
  return join(units, " or ");
}

// Where looks repeat, the number that the legend gives stands on the curve, each at a place of its own.
void add_number(Picture& picture, const std::vector<double>& t, const std::vector<double>& values, const Axis& x,
                const Axis& y, std::size_t series) {
  constexpr double golden = 0.6180339887498949;
  for (const double shift : {0.0, 0.5}) {
    const double share = std::fmod(golden * static_cast<double>(series + 1) + shift, 1.0);
    const auto at = static_cast<std::size_t>(share * static_cast<double>(t.size()));
    if (at >= t.size() || !std::isfinite(values[at])) continue;
    picture.texts.push_back({x.place(t[at]), y.place(values[at]) - 3.0, fmt::format("{}", series + 1), 9.0,
                             PictureText::Anchor::middle, true, false, series_colour(series)});
  }
}

// Beside the curves or, of many, below them in columns; the picture grows by what they take.
void add_legend(Picture& picture, const std::vector<std::string>& names, bool numbered) {
  std::vector<std::string> entries;
  std::size_t longest = 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    entries.push_back(numbered ? fmt::format("{} {}", i + 1, names[i]) : names[i]);
    longest = std::max(longest, entries.back().size());
  }
  const double wide = legend_sample + letter * static_cast<double>(longest) + 12.0;
  const bool beside = entries.size() <= most_beside;
  const auto columns = beside ? std::size_t{1} : static_cast<std::size_t>(std::max(1.0, (width - left) / wide));
  const std::size_t lines = (entries.size() + columns - 1) / columns;
  const double from_x = beside ? width : left, from_y = beside ? top + 10.0 : height + 14.0;
  picture.width = std::max(picture.width, from_x + wide * static_cast<double>(columns));
  picture.height = std::max(picture.height, from_y + legend_line * static_cast<double>(lines));
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const std::size_t column = i / lines;
    const double x = from_x + wide * static_cast<double>(column);
    const double y = from_y + legend_line * static_cast<double>(i % lines);
    picture.lines.push_back({{x, x + 24.0}, {y, y}, series_colour(i), 1.8, i / series_colours});
    picture.texts.push_back({x + legend_sample, y + 4.0, entries[i], 12.0});
  }
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
  if (found.empty()) {
    // Coordinates answer to their names alone, so those are nearer to what was meant than "q.NAME" is.
    std::vector<std::string> names = plot_names(columns);
    for (const std::string& column : columns)
      if (column.starts_with("q.")) names.push_back(column.substr(2));
    throw Error(ErrorKind::request, "--plot: " + unknown_name("quantity", name, names));
  }
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
  std::vector<std::size_t> places;  // of their bands; as many as there are: none
  const Bands& bands = recording.bands;
  double low = std::numeric_limits<double>::infinity(), high = -low;
  const auto reaches = [&](double value) {
    if (!std::isfinite(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  };
  for (const std::string& each : chosen) {
    curves.push_back(values_of(each, recording));
    for (const double value : curves.back()) reaches(value);
    const auto column = std::find(recording.columns.begin(), recording.columns.end(), each) - recording.columns.begin();
    places.push_back(bands.find(static_cast<std::size_t>(column)));
    for (std::size_t i = places.back(); i < bands.lows.size() && places.back() < bands.columns.size();
         i += bands.columns.size()) {
      reaches(bands.lows[i]);
      reaches(bands.highs[i]);
    }
  }
  const bool several = chosen.size() > 1, numbered = chosen.size() > series_looks;
  Picture picture{width, height, model + ": " + name + " over time", {}, {}};
  const double first = t.empty() ? 0.0 : std::min(t.front(), t.back()),
               last = t.empty() ? 1.0 : std::max(t.front(), t.back());
  const Axis x = axis_over(first, last, 8.0, false, left, width - right);
  const Axis y = axis_over(low, high, 6.0, true, height - bottom, top);
  add_grid(picture, x, y);
  const auto turns = static_cast<std::size_t>(
      std::count_if(places.begin(), places.end(), [&](std::size_t place) { return place < bands.columns.size(); }));
  std::size_t turn = 0;
  for (std::size_t i = 0; i < curves.size(); ++i) {
    if (places[i] < bands.columns.size()) add_band(picture, bands, places[i], x, y, i, turn++, turns);
    else add_curve(picture, t, curves[i], x, y, i);
  }
  for (std::size_t i = 0; numbered && i < curves.size(); ++i) add_number(picture, t, curves[i], x, y, i);
  using Anchor = PictureText::Anchor;
  const std::string shown = several ? name : chosen.front(), units = units_of(chosen, recording);
  picture.texts.push_back({left, 26.0, model + ": " + shown, 15.0, Anchor::start, true});
  picture.texts.push_back({0.5 * (x.start + x.end), height - 12.0, "t (s)", 13.0, Anchor::middle});
  picture.texts.push_back({20.0, 0.5 * (y.start + y.end), units.empty() ? shown : shown + " (" + units + ")", 13.0,
                           Anchor::middle, false, true});
  if (several) add_legend(picture, chosen, numbered);
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
