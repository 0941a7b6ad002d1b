#include "output/plots/time_plot.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <set>

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

// Violations span decades: 1e-16 after a projection, 1e-12 between.
TEST(TimePlot, DrawsViolationsOnALogarithmicAxis) {
  Recording made;
  made.columns = {"t", "violation.position", "q.x"};
  const double values[] = {0.0, 1e-16, 1e-14, 1e-12, 1e-10};
  for (int i = 0; i < 5; ++i) made.frames.insert(made.frames.end(), {0.1 * i, values[i], 1.0 * i});
  const Picture picture = time_plot("violation.position", "test", made);
  const auto says = [&](const std::string& text) {
    return std::any_of(picture.texts.begin(), picture.texts.end(),
                       [&](const PictureText& t) { return t.text == text; });
  };
  EXPECT_TRUE(says("1e-16") && says("1e-10"));
  const auto curve = std::find_if(picture.lines.begin(), picture.lines.end(),
                                  [](const PictureLine& line) { return line.colour == series_colour(0); });
  ASSERT_NE(curve, picture.lines.end());
  ASSERT_EQ(curve->y.size(), 4U);  // 0 has no place
  EXPECT_NEAR(curve->y[1] - curve->y[0], curve->y[3] - curve->y[2], 1e-9);
  // With others each has an axis of its own kind, and what is 0 throughout a plain one.
  EXPECT_FALSE(time_plot("violation.position+x", "test", made).texts.empty());
  for (int i = 0; i < 5; ++i) made.frames[static_cast<std::size_t>(3 * i + 1)] = 0.0;
  for (const PictureText& text : time_plot("violation", "test", made).texts)
    EXPECT_EQ(text.text.find("1e"), std::string::npos);
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
  if (!can_write_png()) GTEST_SKIP() << "no Cairo library";
  EXPECT_TRUE(png_of(picture).starts_with("\x89PNG\r\n"));
}

// A turn of an angle, and a displacement a thousand times as small as another.
Recording turning() {
  Recording made;
  made.columns = {"t", "q.phi", "q.x", "q.y"};
  made.units = {"s", "rad", "m", "m"};
  for (int i = 0; i <= 100; ++i)
    for (const double value :
         {0.01 * i, 0.02 * std::numbers::pi * i + 0.1, std::sin(0.1 * i), 1e-3 * std::cos(0.1 * i)})
      made.frames.push_back(value);
  return made;
}

std::vector<std::string> labels_of(const Picture& picture) {
  std::vector<std::string> labels;
  for (const PictureText& word : picture.texts)
    if (word.upright) labels.push_back(word.text);
  return labels;
}

TEST(TimePlot, GivesEachUnitAndEachSizeAnAxisOfItsOwn) {
  EXPECT_EQ(labels_of(time_plot("q", "test", turning())),
            (std::vector<std::string>{"q.phi / rad", "q.x / m", "q.y / m"}));
  EXPECT_EQ(labels_of(time_plot("x+phi", "test", turning())), (std::vector<std::string>{"q.x / m", "q.phi / rad"}));
}

TEST(TimePlot, DrawsAnAngleModuloTwoPiInPiecesFromEdgeToEdge) {
  const Picture picture = time_plot("mod(phi)", "test", turning());
  std::vector<PictureLine> pieces;
  for (const PictureLine& line : picture.lines)
    if (line.colour == series_colour(0)) pieces.push_back(line);
  ASSERT_EQ(pieces.size(), 2U);  // it leaves its turn once, at pi
  const auto mark = [&](const std::string& text) {
    const auto found = std::find_if(picture.texts.begin(), picture.texts.end(),
                                    [&](const PictureText& word) { return word.text == text; });
    return found == picture.texts.end() ? -1.0 : found->y - 4.0;
  };
  EXPECT_NEAR(pieces[0].y.back(), mark("π"), 1e-9);
  EXPECT_NEAR(pieces[1].y.front(), mark("-π"), 1e-9);
  EXPECT_NEAR(pieces[0].x.back(), pieces[1].x.front(), 1e-9);
}

TEST(TimePlot, GivesAPanelToEachWhereAsked) {
  const Picture picture = time_plot("each(mod(q))", "test", turning());
  EXPECT_EQ(labels_of(picture), (std::vector<std::string>{"q.phi / rad", "q.x / m", "q.y / m"}));
}

TEST(TimePlot, LeavesOutABlowUpUnlessAsked) {
  Recording made;
  made.columns = {"t", "q.x"};
  for (int i = 0; i <= 1000; ++i)
    for (const double value : {1e-3 * i, std::sin(0.1 * i) + std::exp(static_cast<double>(i - 960))})
      made.frames.push_back(value);
  const auto note_in = [](const Picture& picture) {
    const auto found = std::find_if(picture.texts.begin(), picture.texts.end(), [](const PictureText& word) {
      return word.text.starts_with("diverges: beyond the axis from t = 0.96");
    });
    return found != picture.texts.end();
  };
  const auto has_mark = [](const Picture& picture, const std::string& text) {
    return std::any_of(picture.texts.begin(), picture.texts.end(),
                       [&](const PictureText& word) { return word.text == text; });
  };
  const Picture usual = time_plot("x", "test", made), full = time_plot("full(x)", "test", made);
  EXPECT_TRUE(note_in(usual));
  EXPECT_TRUE(has_mark(usual, "1"));
  EXPECT_FALSE(note_in(full));
  EXPECT_TRUE(has_mark(full, "1e+17"));
  for (const PictureLine& line : usual.lines)
    for (const double y : line.y) EXPECT_TRUE(y >= 0.0 && y <= usual.height);
}

TEST(TimePlot, KeepsFileNamesPlain) {
  EXPECT_EQ(plot_file_name("energy.balance"), "energy.balance");
  EXPECT_EQ(plot_file_name("each(mod(q))"), "each-mod-q");
  EXPECT_EQ(plot_file_name("../a b"), ".._a_b");
}

}  // namespace
}  // namespace raak
