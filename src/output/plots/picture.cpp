#include "output/plots/picture.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

#include "output/formats/svg.h"

namespace raak {
namespace {

const char* anchor_name(PictureText::Anchor anchor) {
  switch (anchor) {
    case PictureText::Anchor::start:
      return "start";
    case PictureText::Anchor::middle:
      return "middle";
    case PictureText::Anchor::end:
      return "end";
  }
  return "start";
}

std::string dash_attribute(const PictureLine& line) {
  const std::vector<double>& lengths = dash_lengths(line.dashes);
  return lengths.empty() ? "" : fmt::format(" stroke-dasharray=\"{}\"", fmt::join(lengths, " "));
}

}  // namespace

Colour series_colour(std::size_t series) {
  return static_cast<Colour>(static_cast<std::size_t>(Colour::first_series) + series % series_colours);
}

const std::string& colour_code(Colour colour) {
  static const std::array<std::string, 3 + series_colours> codes{"#1b2027", "#66707c", "#e3e7ec", "#0072b2", "#d55e00",
                                                                 "#009e73", "#b5498a", "#e69f00", "#56b4e9", "#4a4f57"};
  return codes.at(static_cast<std::size_t>(colour));
}

const std::vector<double>& dash_lengths(std::size_t pattern) {
  static const std::array<std::vector<double>, dash_patterns> patterns{
      {{}, {8.0, 4.0}, {2.0, 3.0}, {10.0, 3.0, 2.0, 3.0}}};
  return patterns[pattern % dash_patterns];
}

std::string svg_of(const Picture& picture) {
  std::string text = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" role=\"img\" "
      "aria-label=\"{2}\" font-family=\"sans-serif\"><rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
      picture.width, picture.height, markup_text(picture.title));
  for (const PictureLine& line : picture.lines) {
    text += "<path d=\"";
    for (std::size_t i = 0; i < line.x.size(); ++i) {
      text += fmt::format("{}{:.1f} {:.1f}", i == 0 ? "M" : "L", line.x[i], line.y[i]);
    }
    text += fmt::format("\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" stroke-linejoin=\"round\"{}/>\n",
                        colour_code(line.colour), line.width, dash_attribute(line));
  }
  for (const PictureText& word : picture.texts) {
    const std::string place = word.upright
                                  ? fmt::format("transform=\"translate({:.1f} {:.1f}) rotate(-90)\"", word.x, word.y)
                                  : fmt::format("x=\"{:.1f}\" y=\"{:.1f}\"", word.x, word.y);
    text += fmt::format("<text {} font-size=\"{}\" text-anchor=\"{}\"{} fill=\"{}\">{}</text>\n", place, word.size,
                        anchor_name(word.anchor), word.bold ? " font-weight=\"600\"" : "", colour_code(word.colour),
                        markup_text(word.text));
  }
  return text + "</svg>\n";
}

}  // namespace raak
