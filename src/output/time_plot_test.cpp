#include "output/time_plot.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

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

TEST(TimePlot, LeavesOutWhatIsNotFinite) {
  Recording made = recording();
  made.frames[1 * made.columns.size() + 1] = std::numeric_limits<double>::infinity();
  const auto lines_of = [](const Recording& drawn) {
    std::vector<double> places;
    for (const PictureLine& line : time_plot("q.y", "test", drawn).lines)
      places.insert(places.end(), line.y.begin(), line.y.end());
    return places;
  };
  const Picture picture = time_plot("q", "test", made);
  for (const PictureLine& line : picture.lines)
    for (const double y : line.y) EXPECT_TRUE(y >= 0.0 && y <= picture.height) << y;
  EXPECT_EQ(lines_of(made), lines_of(recording()));
}

Recording of_many_series(int count) {
  Recording made;
  made.columns = {"t"};
  for (int k = 0; k < count; ++k) made.columns.push_back("q.some_long_body_name" + std::to_string(k) + ".x");
  for (int i = 0; i < 20; ++i)
    for (int k = 0; k <= count; ++k) made.frames.push_back(k == 0 ? 0.1 * i : 1.0 * k + 0.1 * i);
  return made;
}

TEST(TimePlot, NamesEverySeriesInsideThePicture) {
  for (const int count : {2, 18, 19, 28, 29, 200}) {
    const Picture picture = time_plot("q", "test", of_many_series(count));
    int named = 0;
    for (const PictureText& word : picture.texts) {
      named += word.text.find("q.some_long_body_name") != std::string::npos ? 1 : 0;
      EXPECT_LT(word.y, picture.height) << word.text << " of " << count;
      if (word.anchor == PictureText::Anchor::start) {
        EXPECT_LT(word.x + 6.0 * static_cast<double>(word.text.size()), picture.width) << word.text << " of " << count;
      }
    }
    EXPECT_EQ(named, count);
  }
}

TEST(TimePlot, GivesEverySeriesALookOrANumberOfItsOwn) {
  for (const int count : {14, 15, 28, 29, 200}) {
    const Picture picture = time_plot("q", "test", of_many_series(count));
    std::set<std::string> looks;
    for (const PictureText& word : picture.texts) {
      if (word.text.find("q.some_long_body_name") == std::string::npos) continue;
      const auto sample = std::find_if(picture.lines.begin(), picture.lines.end(), [&](const PictureLine& line) {
        return line.y[0] == word.y - 4.0 && std::abs(line.x[1] - word.x) < 10.0;
      });
      ASSERT_NE(sample, picture.lines.end()) << word.text;
      std::string look = colour_code(sample->colour) + " " + std::to_string(sample->dashes % dash_patterns);
      // A number stands on the curve, too.
      const std::string number = word.text.substr(0, word.text.find(' '));
      if (number != word.text) {
        EXPECT_GE(std::count_if(picture.texts.begin(), picture.texts.end(),
                                [&](const PictureText& other) { return other.text == number && other.bold; }),
                  1);
        look += " " + number;
      }
      EXPECT_TRUE(looks.insert(look).second) << look << " of " << count;
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
