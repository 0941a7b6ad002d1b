// A picture as lines and words at places in pixels, which can be written as SVG or PNG. For diagrams in documents: dark
// on white, colours of Okabe and Ito (Color Universal Design, 2008).
#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace raak {

// Positions in `palette()`; the series of a diagram follow them.
enum class Colour { text, faint, grid, first_series };
Colour series_colour(std::size_t series);
const std::string& colour_code(Colour colour);  // "#rrggbb"
// Each pattern of dashes with each colour gives so many looks.
inline constexpr std::size_t series_colours = 7, dash_patterns = 4, series_looks = series_colours * dash_patterns;
// Lengths of strokes and gaps in turn; none: unbroken.
const std::vector<double>& dash_lengths(std::size_t pattern);

struct PictureLine {
  std::vector<double> x, y;
  Colour colour = Colour::text;
  double width = 1.0;
  std::size_t dashes = 0;  // pattern, 0: unbroken
};

struct PictureText {
  enum class Anchor { start, middle, end };
  double x = 0.0, y = 0.0;  // of the baseline
  std::string text;
  double size = 13.0;
  Anchor anchor = Anchor::start;
  bool bold = false;
  bool upright = false;  // turned by a quarter, to be read from below
  Colour colour = Colour::text;
};

struct Picture {
  double width = 0.0, height = 0.0;
  std::string title;  // for those who do not see it
  std::vector<PictureLine> lines;
  std::vector<PictureText> texts;
};

std::string svg_of(const Picture& picture);

// False where there is no Cairo library.
bool can_write_png();
// At twice the size in pixels, sharp on today's screens.
std::string png_of(const Picture& picture);

}  // namespace raak
