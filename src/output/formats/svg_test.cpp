#include "output/formats/svg.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace raak {
namespace {

Plot example() {
  return {"a < b", "scd", "CPU time", true, {{"one", {{1.0, 10.0, "rtol 1e-4"}, {3.0, 1000.0, ""}}, 0, false}}};
}

long count(const std::string& text, const std::string& part) {
  long found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(Svg, IsAWholeDocumentWithItsTextEscaped) {
  const std::string text = svg_of(example(), true);
  EXPECT_EQ(text.rfind("<svg xmlns=", 0), 0U);
  EXPECT_NE(text.find("</svg>"), std::string::npos);
  EXPECT_NE(text.find("a &lt; b"), std::string::npos);
  EXPECT_NE(text.find("<title>rtol 1e-4</title>"), std::string::npos);
  EXPECT_EQ(svg_of(example(), false).find("<style>"), std::string::npos);
}

TEST(Svg, LeavesOutWhatCannotBeDrawn) {
  Plot plot = example();
  plot.series[0].points.push_back({NAN, 10.0, ""});
  plot.series[0].points.push_back({2.0, 0.0, ""});
  plot.series[0].points.push_back({2.0, INFINITY, ""});
  const std::string text = svg_of(plot, true);
  EXPECT_EQ(count(text, "<title>"), 2);
  EXPECT_EQ(text.find("nan"), std::string::npos);
  EXPECT_EQ(text.find("inf"), std::string::npos);
}

TEST(Svg, SaysSoWhenThereIsNothing) {
  EXPECT_NE(svg_of({"empty", "x", "y", true, {}}, true).find("nothing was measured"), std::string::npos);
}

TEST(Svg, HasRoomForTheLongestName) {
  Plot plot;
  plot.series.resize(1);
  plot.series[0].points = {{1.0, 1.0, ""}, {10.0, 10.0, ""}};
  const auto width_of = [&](const std::string& name) {
    plot.series[0].name = name;
    const std::string text = svg_of(plot, false);
    return std::stod(text.substr(text.find("viewBox=\"0 0 ") + 13));
  };
  const std::string longer = "generalized-alpha index3";
  EXPECT_GE(width_of(longer) - width_of("generalized-alph"), 6.0 * static_cast<double>(longer.size() - 16));
}

TEST(Svg, GivesFiftyStylesThatDiffer) {
  std::set<std::string> markers;
  for (int style = 0; style < 50; ++style) markers.insert(svg_marker(style));
  EXPECT_EQ(markers.size(), 50U);
}

TEST(Svg, GivesEachOfTwentyFourMethodsAMarkerThatNeedsNoColour) {
  std::set<std::string> markers;
  for (int style = 0; style < 24; ++style) {
    std::string marker = svg_marker(style);
    for (const char* colour : {"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "currentColor"})
      for (std::size_t at = marker.find(colour); at != std::string::npos; at = marker.find(colour))
        marker.replace(at, std::string(colour).size(), "C");
    markers.insert(marker);
  }
  EXPECT_EQ(markers.size(), 24U);
}

TEST(Svg, WritesNoSignBeforeZero) {
  Plot plot = example();
  plot.log_y = false;
  plot.series[0].points = {{-0.4, -0.3, ""}, {3.0, 2.0, ""}};
  const std::string text = svg_of(plot, true);
  EXPECT_EQ(text.find(">-0<"), std::string::npos);
  EXPECT_NE(text.find(">0<"), std::string::npos);
}

}  // namespace
}  // namespace raak
