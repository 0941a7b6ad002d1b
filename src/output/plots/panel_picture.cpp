#include "output/plots/panel_picture.h"

#include <fmt/format.h>

#include <algorithm>

#include "output/plots/plot_axis.h"

namespace raak {
namespace {

constexpr double wide = 880.0, half_wide = 560.0, panel_left = 84.0, panel_right = 20.0, panel_top = 44.0;
constexpr double alone_high = 344.0, among_high = 176.0, single_high = 130.0;  // of the frame of curves
constexpr double marks_below = 26.0, label_below = 26.0, gap = 16.0;
constexpr double panel_legend_line = 19.0, panel_legend_sample = 31.0, panel_letter = 6.9;  // of a name at size 12
constexpr std::size_t most_beside = 18;  // curves; more are named below
using Anchor = PictureText::Anchor;

// The curves that are drawn at once: within the frame of a panel, and with the looks from `first` on.
class PanelDrawing {
 public:
  PanelDrawing(Picture& picture, const Axis& x, const Axis& y) : picture_(picture), x_(x), y_(y) {}

  void grid() {
    for (const double v : x_.marks()) {
      picture_.lines.push_back({{x_.place(v), x_.place(v)}, {y_.start, y_.end}, Colour::grid});
      picture_.texts.push_back({x_.place(v), y_.start + 19.0, x_.text(v), 12.0, Anchor::middle});
    }
    for (const double v : y_.marks()) {
      picture_.lines.push_back({{x_.start, x_.end}, {y_.place(v), y_.place(v)}, Colour::grid});
      picture_.texts.push_back({x_.start - 8.0, y_.place(v) + 4.0, y_.text(v), 12.0, Anchor::end});
    }
    picture_.lines.push_back({{x_.start, x_.start, x_.end}, {y_.end, y_.start, y_.start}, Colour::faint, 1.2});
  }

  // `turn`: which of `turns` bands is drawn where several take turns, so that none hides another.
  void curve(const Curve& curve, std::size_t look, std::size_t turn, std::size_t turns) {
    look_ = look;
    modulo_ = y_.turn;
    if (!curve.has_band()) return trace(curve.t, curve.values, !y_.turn && curve.modulo);
    band(curve, turn, turns);
  }

  // Where looks repeat, the number that the legend gives stands on the curve, each at a place of its own.
  void number(const Curve& curve, std::size_t look) {
    constexpr double golden = 0.6180339887498949;
    for (const double shift : {0.0, 0.5}) {
      const double share = std::fmod(golden * static_cast<double>(look + 1) + shift, 1.0);
      const auto at = static_cast<std::size_t>(share * static_cast<double>(curve.t.size()));
      if (at >= curve.t.size()) continue;
      const double value = curve.modulo ? folded(curve.values[at]) : curve.values[at];
      if (!(value >= y_.from && value <= y_.to)) continue;
      picture_.texts.push_back({x_.place(curve.t[at]), y_.place(value) - 3.0, fmt::format("{}", look + 1), 9.0,
                                Anchor::middle, true, false, series_colour(look)});
    }
  }

 private:
  void finish() {
    if (line_.x.size() > 1) picture_.lines.push_back(line_);
    line_.x.clear();
    line_.y.clear();
  }
  void add(double t, double value) {
    line_.x.push_back(x_.place(t));
    line_.y.push_back(y_.place(value));
  }

  // From one value to the next, as far as it lies on the axis.
  void segment(double t0, double v0, double t1, double v1) {
    const auto inside = [&](double v) { return v >= y_.from && v <= y_.to; };
    const auto meets = [&](double edge) { return t0 + (t1 - t0) * ((edge - v0) / (v1 - v0)); };
    const double enter = std::clamp(v0, y_.from, y_.to), leave = std::clamp(v1, y_.from, y_.to);
    if (!inside(v0) && !inside(v1) && enter == leave) return finish();
    if (!inside(v0)) {
      finish();
      add(meets(enter), enter);
    }
    if (inside(v1)) return add(t1, v1);
    add(meets(leave), leave);
    finish();
  }

  // Pieces between values that are not finite and, of angles modulo 2 pi, between turns: each reaches the edge.
  void trace(const std::vector<double>& t, const std::vector<double>& values, bool shifted = false) {
    line_ = {{}, {}, series_colour(look_), 1.8, look_ / series_colours};
    bool begun = false;
    double before_t = 0.0, before = 0.0;
    for (std::size_t i = 0; i < t.size(); ++i) {
      if (!std::isfinite(values[i])) {
        finish();
        begun = false;
        continue;
      }
      const double value = modulo_ || shifted ? folded(values[i]) : values[i];
      if (begun && modulo_ && turn_of(values[i]) != turn_of(values[i - 1])) {
        const bool next = std::abs(turn_of(values[i]) - turn_of(values[i - 1])) == 1.0;
        const bool up = values[i] > values[i - 1];
        const double edge = up ? y_.to : y_.from, other = up ? y_.from : y_.to;
        const double ahead = std::abs(edge - before), behind = std::abs(value - other);
        const double meets = before_t + (t[i] - before_t) * (ahead / std::max(ahead + behind, 1e-300));
        if (next) add(meets, edge);
        finish();
        if (next) add(meets, other);
        add(t[i], value);
      } else if (begun) {
        segment(before_t, before, t[i], value);
      } else if (value >= y_.from && value <= y_.to) {
        add(t[i], value);
      }
      begun = true;
      before_t = t[i];
      before = value;
    }
    finish();
  }

  // What moves faster than the moments shown: its edges, and between them an upright stroke as wide as its bin for each
  // bin.
  void band(const Curve& curve, std::size_t turn, std::size_t turns) {
    constexpr double seam = 0.15;  // pixels; strokes overlap a little, or the paper would show between them
    constexpr std::size_t bins_a_turn = 4;
    const std::size_t bins = curve.band_t.size();
    const double width =
        std::abs(x_.place(curve.band_t.back()) - x_.place(curve.band_t.front())) / static_cast<double>(bins - 1);
    std::vector<double> lows, highs;
    for (std::size_t bin = 0; bin < bins; ++bin) {
      double low = curve.low[bin], high = curve.high[bin];
      if (curve.modulo) {
        const bool whole = turn_of(low) != turn_of(high);
        low = whole ? y_.from : folded(low);
        high = whole ? y_.to : folded(high);
      }
      lows.push_back(low);
      highs.push_back(high);
      if (!std::isfinite(low) || !std::isfinite(high) || bin / bins_a_turn % turns != turn) continue;
      low = std::clamp(low, y_.from, y_.to);
      high = std::clamp(high, y_.from, y_.to);
      const double at = x_.place(curve.band_t[bin]);
      picture_.lines.push_back({{at, at}, {y_.place(high), y_.place(low)}, series_colour(look_), width + seam, 0});
    }
    modulo_ = false;
    trace(curve.band_t, lows);
    trace(curve.band_t, highs);
  }

  Picture& picture_;
  const Axis& x_;
  const Axis& y_;
  std::size_t look_ = 0;
  bool modulo_ = false;  // the axis is a turn, and so is what is drawn
  PictureLine line_;
};

// Beside the curves or, of many, below them in columns; returns how far down it reaches.
double add_legend(Picture& picture, const std::vector<Curve>& curves, std::size_t first, bool numbered, double room,
                  double from_y, double below_y) {
  std::vector<std::string> entries;
  std::size_t longest = 0;
  for (std::size_t i = 0; i < curves.size(); ++i) {
    entries.push_back(numbered ? fmt::format("{} {}", first + i + 1, curves[i].name) : curves[i].name);
    longest = std::max(longest, entries.back().size());
  }
  const double width = panel_legend_sample + panel_letter * static_cast<double>(longest) + 12.0;
  const bool beside = entries.size() <= most_beside;
  const auto columns = beside ? std::size_t{1} : static_cast<std::size_t>(std::max(1.0, (room - panel_left) / width));
  const std::size_t lines = (entries.size() + columns - 1) / columns;
  const double x0 = beside ? room : panel_left, y0 = beside ? from_y + 10.0 : below_y + 14.0;
  picture.width = std::max(picture.width, x0 + width * static_cast<double>(columns));
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const std::size_t column = i / lines;
    const double x = x0 + width * static_cast<double>(column),
                 y = y0 + panel_legend_line * static_cast<double>(i % lines);
    picture.lines.push_back({{x, x + 24.0}, {y, y}, series_colour(first + i), 1.8, (first + i) / series_colours});
    picture.texts.push_back({x + panel_legend_sample, y + 4.0, entries[i], 12.0});
  }
  return y0 + panel_legend_line * static_cast<double>(lines);
}

struct Shown {
  ValueRange range;
  std::string note;  // of what is left out
};

Shown shown_of(const Panel& panel) {
  Shown shown;
  double leaves = std::numeric_limits<double>::infinity(), farthest = 0.0;
  for (const Curve& curve : panel.curves) {
    const View view = default_view(curve);
    const bool shifted = curve.modulo && view.all.low <= view.all.high;
    const double shift = shifted ? folded(view.all.low) - view.all.low : 0.0;
    const ValueRange& range = panel.full ? view.all : view.shown;
    shown.range.reach(range.low + shift);
    shown.range.reach(range.high + shift);
    if (panel.full || !view.cuts()) continue;
    leaves = std::min(leaves, view.leaves);
    const double end = std::abs(view.all.low) > std::abs(view.all.high) ? view.all.low : view.all.high;
    if (std::abs(end) > std::abs(farthest)) farthest = end;
  }
  if (farthest != 0.0)
    shown.note = fmt::format("diverges: beyond the axis from t = {:.6g} s, to {:.2g}", leaves, farthest);
  return shown;
}

std::string label_of(const Panel& panel, double room) {
  std::string unit = panel.unit == "1" ? "" : panel.unit;
  if (unit.ends_with("^2")) unit.replace(unit.size() - 2, 2, "²");
  if (unit.find('/') != std::string::npos) unit = "(" + unit + ")";
  std::string label = unit.empty() ? panel.quantity : panel.quantity + " / " + unit;
  if (panel_letter * static_cast<double>(label.size()) <= room + 40.0) return label;
  return unit.empty() ? "" : "/ " + unit;
}

}  // namespace

Picture panel_picture(const std::string& title, const std::vector<Panel>& panels, bool alike) {
  std::size_t count = 0, most = 0;
  for (const Panel& panel : panels) {
    count += panel.curves.size();
    most = std::max(most, panel.curves.size());
  }
  const bool numbered = (alike ? most : count) > series_looks;
  const bool unnamed = std::none_of(panels.begin(), panels.end(), [](const Panel& panel) { return panel.named; });
  const std::size_t columns = panels.size() > 3 && unnamed ? 2 : 1;
  const double width = columns == 2 ? half_wide : wide;
  const double high = panels.size() == 1 ? alone_high : unnamed ? single_high : among_high;
  Picture picture{width * static_cast<double>(columns), 0.0, title + " over time", {}, {}};
  picture.texts.push_back({panel_left, 26.0, title, 15.0, Anchor::start, true});
  double y0 = panel_top, reached = panel_top;
  std::size_t first = 0;
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const Panel& panel = panels[i];
    const std::size_t column = i % columns;
    if (column == 0) y0 = reached;
    if (alike) first = 0;
    const double x0 = width * static_cast<double>(column);
    double tall = high;
    if (panel.named && panel.curves.size() <= most_beside)
      tall = std::max(tall, panel_legend_line * static_cast<double>(panel.curves.size()));
    const Shown shown = shown_of(panel);
    const double note_room = shown.note.empty() || panels.size() == 1 ? 0.0 : 16.0;
    ValueRange times;
    for (const Curve& curve : panel.curves)
      for (const double t : curve.t) times.reach(t);
    const bool turn = std::any_of(panel.curves.begin(), panel.curves.end(),
                                  [](const Curve& curve) { return curve.modulo && leaves_its_turn(curve); });
    const double bottom = y0 + note_room + tall;
    const Axis x = axis_over(times, columns == 2 ? 5.0 : 8.0, false, x0 + panel_left, x0 + width - panel_right);
    const double ticks = tall > 200.0 ? 6.0 : 4.0;
    const Axis y = turn                          ? axis_of_a_turn(bottom, y0 + note_room)
                   : panel.curves.front().powers ? axis_of_powers(shown.range, ticks, bottom, y0 + note_room)
                                                 : axis_over(shown.range, ticks, true, bottom, y0 + note_room);
    PanelDrawing drawing(picture, x, y);
    drawing.grid();
    const auto bands = static_cast<std::size_t>(
        std::count_if(panel.curves.begin(), panel.curves.end(), [](const Curve& curve) { return curve.has_band(); }));
    std::size_t band = 0;
    for (std::size_t k = 0; k < panel.curves.size(); ++k) {
      drawing.curve(panel.curves[k], first + k, band, std::max<std::size_t>(1, bands));
      if (panel.curves[k].has_band()) ++band;
    }
    for (std::size_t k = 0; numbered && k < panel.curves.size(); ++k) drawing.number(panel.curves[k], first + k);
    const bool lowest = i + columns >= panels.size();
    double below = bottom + marks_below + (lowest ? label_below : 0.0);
    if (lowest)
      picture.texts.push_back({0.5 * (x.start + x.end), bottom + marks_below + 14.0, "t / s", 13.0, Anchor::middle});
    picture.texts.push_back(
        {x0 + 20.0, 0.5 * (y.start + y.end), label_of(panel, tall), 13.0, Anchor::middle, false, true});
    if (!shown.note.empty())
      picture.texts.push_back({x.end, y.end - 5.0, shown.note, 11.0, Anchor::end, false, false, Colour::faint});
    if (panel.named) below = std::max(below, add_legend(picture, panel.curves, first, numbered, width, y0, below));
    reached = std::max(reached, below + (lowest ? 0.0 : gap));
    first += panel.curves.size();
  }
  picture.height = reached;
  return picture;
}

}  // namespace raak
