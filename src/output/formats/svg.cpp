#include "output/formats/svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "base/text/visible_text.h"

namespace raak {
namespace {

// Okabe and Ito without yellow, which is lost on white; "currentColor" is black on white and white on black.
constexpr std::array<const char*, 7> colours{"#0072B2", "#D55E00", "#009E73",     "#CC79A7",
                                             "#E69F00", "#56B4E9", "currentColor"};
constexpr int markers = 8;

constexpr double diagram_width = 620.0, diagram_height = 420.0;
constexpr double diagram_left = 66.0, diagram_right = 16.0, diagram_top = 34.0, diagram_bottom = 52.0;
constexpr double diagram_legend_line = 17.0, diagram_legend_sample = 32.0,
                 diagram_letter = 7.0;  // of a name at size 12

const char* const own_style =
    "<style>svg{color:#1b1f24;background:#fff;--grid:#d9dee4;--faint:#6e7781;--paper:#fff;font:12px "
    "system-ui,sans-serif}"
    "@media(prefers-color-scheme:dark){svg{color:#e6e8eb;background:#15181c;--grid:#31373e;--faint:#9aa4af;"
    "--paper:#15181c}}</style>";

// The shape around (0, 0).
std::string shape_of(int marker) {
  switch (marker % markers) {
    case 0:
      return "M-4 0A4 4 0 1 0 4 0A4 4 0 1 0-4 0Z";
    case 1:
      return "M-3.6-3.6H3.6V3.6H-3.6Z";
    case 2:
      return "M0-5L5 0L0 5L-5 0Z";
    case 3:
      return "M0-5L4.6 3.6H-4.6Z";
    case 4:
      return "M0 5L4.6-3.6H-4.6Z";
    case 5:
      return "M-1.5-4.5H1.5V-1.5H4.5V1.5H1.5V4.5H-1.5V1.5H-4.5V-1.5H-1.5Z";
    case 6:
      return "M0-5L4.76-1.55L2.94 4.05H-2.94L-4.76-1.55Z";
    default:
      return "M-5 0L3.6-4.6V4.6Z";
  }
}

std::string colour_of(const PlotSeries& series) {
  return series.background ? "var(--faint)" : colours[static_cast<std::size_t>(series.style) % colours.size()];
}

const char* dashes_of(const PlotSeries& series) {
  constexpr std::array<const char*, 4> dashes{"", " stroke-dasharray=\"7 3\"", " stroke-dasharray=\"2 3\"",
                                              " stroke-dasharray=\"9 3 2 3\""};
  return dashes[static_cast<std::size_t>(series.dashes) % dashes.size()];
}

// A marker of its own for each of 24 styles: eight shapes, filled, hollow, and hollow with a dot.
std::string marker_of(const PlotSeries& series) {
  const std::string colour = colour_of(series), shape = shape_of(series.style);
  const int fill = series.background ? 1 : series.style / markers % 3;
  if (fill == 0) return fmt::format("<path d=\"{}\" fill=\"{}\" stroke=\"var(--paper)\"/>", shape, colour);
  return fmt::format("<path d=\"{}\" fill=\"var(--paper)\" stroke=\"{}\" stroke-width=\"1.4\"/>{}", shape, colour,
                     fill == 2 ? fmt::format("<circle r=\"1.6\" fill=\"{}\"/>", colour) : "");
}

struct DiagramAxis {
  double from = 0.0, to = 1.0;  // exponents when logarithmic
  double start = 0.0, end = 1.0;
  bool logarithmic = false;

  double place(double value) const {
    const double x = logarithmic ? std::log10(value) : value;
    return start + (end - start) * (x - from) / (to - from);
  }
  double step() const {
    if (logarithmic) return std::max(1.0, std::ceil((to - from) / 8.0));
    const double rough = (to - from) / 8.0;
    const double power = std::pow(10.0, std::floor(std::log10(rough)));
    for (const double nice : {1.0, 2.0, 5.0}) {
      if (nice * power >= rough) return nice * power;
    }
    return 10.0 * power;
  }
};

// The next exponent of 1, 2 or 5 times a power of ten.
double round_exponent(double exponent, bool up) {
  const double decade = std::floor(exponent);
  double below = decade;
  for (const double nice : {2.0, 5.0, 10.0}) {
    const double above = decade + std::log10(nice);
    if (exponent < above) return up && exponent > below ? above : below;
    below = above;
  }
  return below;
}

DiagramAxis axis_over(const std::vector<double>& values, bool logarithmic, double start, double end) {
  DiagramAxis axis{0.0, 1.0, start, end, logarithmic};
  if (values.empty()) return axis;
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  if (!logarithmic && *high > *low && *high - *low < 1.0) {  // the fraction of a second that a run may take
    axis.from = *low;
    axis.to = *high;
    const double step = axis.step();
    axis.from = step * std::floor(*low / step);
    axis.to = step * std::ceil(*high / step);
    return axis;
  }
  axis.from = logarithmic ? round_exponent(std::log10(*low), false) : std::floor(*low);
  axis.to = logarithmic ? round_exponent(std::log10(*high), true) : std::ceil(*high);
  if (axis.to <= axis.from) axis.to = axis.from + 1.0;
  return axis;
}

bool drawable(const PlotPoint& point, bool log_x, bool log_y) {
  return std::isfinite(point.x) && std::isfinite(point.y) && (!log_x || point.x > 0.0) && (!log_y || point.y > 0.0);
}

// 10 with a raised exponent.
std::string power_of_ten(double exponent) {
  return fmt::format("10<tspan dy=\"-5\" font-size=\"9\">{:.0f}</tspan>", exponent);
}

// Multiples of its step, without a sign before 0; of a logarithmic axis decades.
std::vector<double> ticks(const DiagramAxis& axis) {
  std::vector<double> values;
  const double step = axis.step();
  for (double k = std::ceil(axis.from / step - 1e-9); k * step <= axis.to + 1e-9 * step; k += 1.0)
    values.push_back(axis.logarithmic ? std::pow(10.0, k * step) : k * step + 0.0);
  return values;
}

std::string grid_of(const DiagramAxis& x, const DiagramAxis& y) {
  std::string text = "<g stroke=\"var(--grid)\" stroke-width=\"1\">";
  std::string labels = "<g fill=\"currentColor\">";
  for (const double v : ticks(x)) {
    text += fmt::format("<path d=\"M{:.1f} {:.1f}V{:.1f}\"/>", x.place(v), y.start, y.end);
    labels += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>", x.place(v),
                          y.start + 17.0, x.logarithmic ? power_of_ten(std::log10(v)) : fmt::format("{:g}", v));
  }
  const auto across = [&](double at, const char* look, const std::string& label) {
    text += fmt::format("<path{} d=\"M{:.1f} {:.1f}H{:.1f}\"/>", look, x.start, at, x.end);
    labels +=
        fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>", x.start - 7.0, at + 4.0, label);
  };
  if (!y.logarithmic) {
    for (const double v : ticks(y)) across(y.place(v), "", fmt::format("{:g}", v));
    return text + "</g>" + labels + "</g>";
  }
  for (double decade = std::floor(y.from); decade <= y.to + 1e-9; decade += y.step()) {
    for (int k = 1; k < (y.step() > 1.0 ? 2 : 10); ++k) {
      const double exponent = decade + std::log10(k);
      if (exponent < y.from - 1e-9 || exponent > y.to + 1e-9) continue;
      const double at = y.place(std::pow(10.0, exponent));
      const bool labelled = (k == 2 || k == 5) && y.to - y.from < 2.0;
      if (k == 1) across(at, "", power_of_ten(decade));
      else across(at, " stroke-opacity=\".45\"", labelled ? fmt::format("{}·", k) + power_of_ten(decade) : "");
    }
  }
  return text + "</g>" + labels + "</g>";
}

std::string curve(const PlotSeries& series, const DiagramAxis& x, const DiagramAxis& y) {
  const std::string colour = colour_of(series);
  std::string line;
  std::string dots;
  for (const PlotPoint& point : series.points) {
    if (!drawable(point, x.logarithmic, y.logarithmic)) continue;
    const double px = x.place(point.x);
    const double py = y.place(point.y);
    line += fmt::format("{}{:.1f} {:.1f}", line.empty() ? "M" : "L", px, py);
    if (!series.line_only)
      dots += fmt::format("<g transform=\"translate({:.1f} {:.1f})\">{}<title>{}</title></g>", px, py,
                          marker_of(series), markup_text(point.note));
  }
  if (line.empty()) return "";
  if (series.background) return dots;
  return fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.6\" stroke-linejoin=\"round\"{}/>{}",
                     line, colour, dashes_of(series), dots);
}

double legend_width(const Plot& plot) {
  std::size_t longest = 16;
  for (const PlotSeries& series : plot.series) longest = std::max(longest, series.name.size());
  return diagram_legend_sample + diagram_letter * static_cast<double>(longest) + 4.0;
}

std::string legend_of(const Plot& plot, double x, double y) {
  std::string text;
  for (const PlotSeries& series : plot.series) {
    const std::string colour = colour_of(series);
    if (!series.background)
      text +=
          fmt::format("<path d=\"M{} {}h22\" stroke=\"{}\" stroke-width=\"1.6\"{}/>", x, y, colour, dashes_of(series));
    if (!series.line_only)
      text += fmt::format("<g transform=\"translate({} {})\">{}</g>", x + 11.0, y, marker_of(series));
    text += fmt::format("<text x=\"{}\" y=\"{}\" fill=\"currentColor\">{}</text>", x + 28.0, y + 4.0,
                        markup_text(series.name));
    y += diagram_legend_line;
  }
  return text;
}

}  // namespace

std::string markup_text(const std::string& text) {
  std::string safe;
  for (const char c : visible_text(text)) {
    if (c == '&') safe += "&amp;";
    else if (c == '<') safe += "&lt;";
    else if (c == '>') safe += "&gt;";
    else if (c == '"') safe += "&quot;";
    else if (c == '\'') safe += "&#39;";
    else safe += c;
  }
  return safe;
}

std::string svg_marker(int style) {
  PlotSeries series;
  series.style = style;
  return fmt::format(
      "<svg class=\"marker\" viewBox=\"-6 -6 12 12\" width=\"12\" height=\"12\" aria-hidden=\"true\">"
      "{}</svg>",
      marker_of(series));
}

std::string svg_of(const Plot& plot, bool standalone) {
  std::vector<double> xs;
  std::vector<double> ys;
  for (const PlotSeries& series : plot.series) {
    for (const PlotPoint& point : series.points) {
      if (!drawable(point, plot.log_x, plot.log_y)) continue;
      xs.push_back(point.x);
      ys.push_back(point.y);
    }
  }
  const double legend_height = diagram_legend_line * static_cast<double>(plot.series.size());
  const double tall = std::max(diagram_height, diagram_top + legend_height + diagram_bottom);
  const double end = diagram_width - diagram_right;
  const DiagramAxis x = axis_over(xs, plot.log_x, diagram_left, end);
  const DiagramAxis y = axis_over(ys, plot.log_y, tall - diagram_bottom, diagram_top);
  const double wide = diagram_width + legend_width(plot);
  std::string text =
      fmt::format("<svg{} viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">",
                  standalone ? " xmlns=\"http://www.w3.org/2000/svg\"" : "", wide, tall, markup_text(plot.title));
  if (standalone) text += own_style;
  text += fmt::format("<text x=\"{}\" y=\"20\" font-size=\"14\" font-weight=\"600\" fill=\"currentColor\">{}</text>",
                      diagram_left, markup_text(plot.title));
  text += grid_of(x, y);
  text += fmt::format("<path d=\"M{0} {1}V{2}H{3}\" fill=\"none\" stroke=\"currentColor\"/>", diagram_left, diagram_top,
                      tall - diagram_bottom, end);
  text += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\" fill=\"currentColor\">{}</text>",
                      0.5 * (diagram_left + end), tall - 14.0, markup_text(plot.x_label));
  text += fmt::format(
      "<text transform=\"translate(18 {}) rotate(-90)\" text-anchor=\"middle\" fill=\"currentColor\">{}</text>",
      0.5 * (diagram_top + tall - diagram_bottom), markup_text(plot.y_label));
  for (const PlotSeries& series : plot.series) text += curve(series, x, y);
  if (xs.empty()) {
    text +=
        fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\" fill=\"var(--faint)\">nothing was measured</text>",
                    0.5 * (diagram_left + end), 0.5 * tall);
  }
  return text + legend_of(plot, diagram_width + 4.0, diagram_top + 8.0) + "</svg>\n";
}

}  // namespace raak
