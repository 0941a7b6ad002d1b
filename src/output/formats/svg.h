// Line diagrams as SVG: logarithmic or plain axes, a marker and a colour for each series, readable in light and dark
// and by colour-blind readers (palette of Okabe and Ito, Color Universal Design, 2008).
#pragma once
#include <string>
#include <vector>

namespace raak {

struct PlotPoint {
  double x = 0.0, y = 0.0;
  std::string note;  // shown when the pointer rests on it
};

struct PlotSeries {
  std::string name;
  std::vector<PlotPoint> points;
  int style = 0;            // from 0: colour and marker; the same number looks the same in every diagram
  bool background = false;  // grey, hollow and without a line: what the others are compared with
  int dashes = 0;           // of the line; 0: unbroken
  bool line_only = false;   // without markers: a curve of many points, or a limit
};

struct Plot {
  std::string title;
  std::string x_label, y_label;
  bool log_y = false;
  std::vector<PlotSeries> series;
  bool log_x = false;
};

// `standalone`: with the name space and the colours that a page would give.
std::string svg_of(const Plot& plot, bool standalone);

// The marker of a style, to stand in a table or a legend.
std::string svg_marker(int style);

// Text as it may stand in SVG and HTML, in attributes too: whatever it holds, it is shown and not obeyed. Control
// characters, which XML does not allow, become visible escapes.
std::string markup_text(const std::string& text);

}  // namespace raak
