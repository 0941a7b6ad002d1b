#include "output/plots/extremes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "output/plots/time_plot.h"

namespace raak {
namespace {

constexpr double pi = std::numbers::pi;

// A run of some length whose only quantity is followed at about eight moments a period, as a run looks at its steps,
// and shown at 501 frames.
struct Followed {
  std::vector<double> frames;
  Bands bands;
  std::size_t bins = 0;

  template <class Function>
  Followed(double until, double period, const Function& value) {
    Extremes extremes(2);
    double t = 0.0;
    for (int i = 0; t < until; ++i) {
      const double row[2] = {t, value(t)};
      extremes.add(t, row);
      t += period / 8.0 * (1.0 + 0.3 * std::sin(static_cast<double>(i)));  // steps vary
    }
    for (int i = 0; i <= 500; ++i) {
      const double at = until * i / 500.0;
      frames.insert(frames.end(), {at, value(at)});
    }
    bins = extremes.bins();
    bands = extremes.bands(frames, 2, {});
  }
};

// As of a run of 30 long steps: between its moments a parabola overshoots, and a bin lasts for many frames.
TEST(Extremes, AMotionThatTheFramesResolveHasNoBandHoweverUnevenItsMomentsAre) {
  Extremes extremes(2);
  std::vector<double> frames;
  for (int i = 0; i <= 500; ++i) frames.insert(frames.end(), {i / 500.0, std::sin(2.0 * pi * i / 500.0)});
  for (int i = 0; i <= 240; ++i) {
    const double t = (i - i % 8 + (i % 8 == 7 ? 7.99 : i % 8)) / 248.0;
    const double row[2] = {t, std::sin(2.0 * pi * t) + (i % 8 == 7 ? 1e-2 : 0.0)};
    extremes.add(t, row);
  }
  EXPECT_TRUE(extremes.bands(frames, 2, {}).empty());
}

// 500 frames over 760 periods show a beat that does not exist.
TEST(Extremes, ShowTheTrueBandOfAVibrationFasterThanTheFrames) {
  for (const double periods : {300.0, 499.0, 500.0, 760.0, 5000.0, 123456.0}) {
    const Followed run(1.0, 1.0 / periods, [&](double t) { return 2.0 * std::sin(2.0 * pi * periods * t); });
    ASSERT_EQ(run.bands.columns, std::vector<std::size_t>{1}) << periods;
    EXPECT_LE(run.bins, 1024U);
    double least_high = 2.0, largest_low = -2.0;
    for (std::size_t i = 0; i < run.bands.t.size(); ++i) {
      EXPECT_LE(run.bands.highs[i], 2.02);
      EXPECT_GE(run.bands.lows[i], -2.02);
      least_high = std::min(least_high, run.bands.highs[i]);
      largest_low = std::max(largest_low, run.bands.lows[i]);
    }
    // Slower ones are resolved by the bins themselves; from 3 bins a period on a bin and its neighbours hold a period.
    if (periods < 500.0) continue;
    EXPECT_GT(least_high, 1.96) << periods;
    EXPECT_LT(largest_low, -1.96) << periods;
  }
}

TEST(Extremes, FollowAnAmplitudeThatChanges) {
  const auto amplitude = [](double t) { return 1.0 + 0.5 * std::sin(2.0 * pi * t); };
  const Followed run(1.0, 1e-4, [&](double t) { return 3.0 + amplitude(t) * std::sin(2e4 * pi * t); });
  ASSERT_EQ(run.bands.columns.size(), 1U);
  for (std::size_t i = 0; i < run.bands.t.size(); ++i) {
    EXPECT_NEAR(run.bands.highs[i], 3.0 + amplitude(run.bands.t[i]), 0.03);
    EXPECT_NEAR(run.bands.lows[i], 3.0 - amplitude(run.bands.t[i]), 0.03);
  }
}

TEST(Extremes, LeaveACurveAloneThatTheFramesShow) {
  EXPECT_TRUE(Followed(1.0, 0.05, [](double t) { return std::sin(40.0 * pi * t); }).bands.empty());
  EXPECT_TRUE(Followed(1.0, 1e-4, [](double t) { return t * t; }).bands.empty());
  EXPECT_TRUE(Followed(1.0, 1e-4, [](double) { return 1.0; }).bands.empty());
}

TEST(Extremes, SeeASpikeBetweenTwoFrames) {
  const Followed run(1.0, 1e-4, [](double t) { return std::exp(-std::pow((t - 0.4017) / 2e-4, 2.0)); });
  ASSERT_EQ(run.bands.columns.size(), 1U);
  EXPECT_NEAR(*std::max_element(run.bands.highs.begin(), run.bands.highs.end()), 1.0, 0.01);
  EXPECT_GE(*std::min_element(run.bands.lows.begin(), run.bands.lows.end()), -1e-3);
}

TEST(Extremes, PassOverWhatIsNotKnown) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  int i = 0;
  const Followed run(1.0, 1e-3, [&](double t) { return ++i % 2 == 0 ? nan : std::sin(2e3 * pi * t); });
  for (const double high : run.bands.highs) EXPECT_TRUE(std::isfinite(high));
}

// The picture of 760 periods is filled from the least to the largest value all the way.
TEST(Extremes, AreDrawnFromTheLeastToTheLargestValue) {
  const Followed run(1.0, 1.0 / 760.0, [](double t) { return std::sin(1520.0 * pi * t); });
  Recording recording;
  recording.columns = {"t", "q.x"};
  recording.frames = run.frames;
  recording.bands = run.bands;
  const Picture picture = time_plot("x", "vibration", recording);
  double top = 1e9, bottom = -1e9;
  std::vector<const PictureLine*> strokes;
  int edges = 0;
  for (const PictureLine& line : picture.lines) {
    if (line.colour != series_colour(0)) continue;
    if (line.x.size() > 2) {
      ++edges;
      continue;
    }
    EXPECT_EQ(line.x[0], line.x[1]);
    strokes.push_back(&line);
    top = std::min(top, line.y[0]);
    bottom = std::max(bottom, line.y[1]);
  }
  EXPECT_EQ(edges, 2);
  ASSERT_GT(strokes.size(), 500U);
  double width = 0.0;
  for (const PictureLine* stroke : strokes) {
    EXPECT_NEAR(stroke->y[0], top, 0.02 * (bottom - top));
    EXPECT_NEAR(stroke->y[1], bottom, 0.02 * (bottom - top));
    width += stroke->width;
  }
  EXPECT_GT(width, 770.0) << "no gaps between the strokes";
  recording.bands = {};
  EXPECT_LT(time_plot("x", "vibration", recording).lines.size(), 40U) << "one curve where there is no band";
}

}  // namespace
}  // namespace raak
