#include "output/time_plot.h"

#include <limits>

#include "base/error.h"
#include "output/test_support.h"

namespace raak {
namespace {

Recording recording() {
  Recording made;
  made.columns = {"t", "q.x", "q.y", "v.x", "energy.balance"};
  for (int i = 0; i < 4; ++i) {
    for (const double value :
         {0.1 * i, 1.0 * i, -2.0 * i, 7.0, i == 2 ? std::numeric_limits<double>::quiet_NaN() : 1e-12 * i})
      made.frames.push_back(value);
  }
  return made;
}

TEST(TimePlot, TakesColumnsCoordinatesAndKinds) {
  const auto columns = recording().columns;
  EXPECT_EQ(plotted_columns("energy.balance", columns), (std::vector<std::string>{"energy.balance"}));
  EXPECT_EQ(plotted_columns("x", columns), (std::vector<std::string>{"q.x"}));
  EXPECT_EQ(plotted_columns("q", columns), (std::vector<std::string>{"q.x", "q.y"}));
}

TEST(TimePlot, RefusesAnUnknownNameWithTheNearest) {
  for (const char* name : {"energy.balence", "t", "", "lambda"}) {
    try {
      plotted_columns(name, recording().columns);
      FAIL() << name;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::request);
      if (std::string(name) == "energy.balence") {
        EXPECT_NE(std::string(error.what()).find("\"energy.balance\""), std::string::npos);
      }
    }
  }
}

TEST(TimePlot, DrawsEveryCurveInsideThePicture) {
  for (const char* name : {"q", "v.x", "energy.balance"}) {
    const Picture picture = time_plot(name, "test", recording());
    EXPECT_GT(picture.texts.size(), 8U);
    for (const PictureLine& line : picture.lines) {
      for (const double x : line.x) EXPECT_TRUE(x >= 0.0 && x <= picture.width);
      for (const double y : line.y) EXPECT_TRUE(y >= 0.0 && y <= picture.height);
    }
  }
}

TEST(TimePlot, IsWrittenAsSvgAndPng) {
  const Picture picture = time_plot("q", "a <model>", recording());
  const std::string svg = svg_of(picture);
  EXPECT_NE(svg.find("a &lt;model&gt;"), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  if (!can_write_png()) GTEST_SKIP() << "built without Cairo";
  EXPECT_TRUE(png_of(picture).starts_with("\x89PNG\r\n"));
}

TEST(TimePlot, KeepsFileNamesPlain) {
  EXPECT_EQ(plot_file_name("energy.balance"), "energy.balance");
  EXPECT_EQ(plot_file_name("../a b"), ".._a_b");
}

}  // namespace
}  // namespace raak
