#include "output/plots/plot_range.h"

#include <gtest/gtest.h>

#include <functional>

namespace raak {
namespace {

Curve curve(const std::function<double(double)>& value, bool backwards = false) {
  Curve made{"x", "m", {}, {}};
  for (int i = 0; i <= 1000; ++i) {
    const double progress = 1e-3 * i;
    made.t.push_back(backwards ? -progress : progress);
    made.values.push_back(value(progress));
  }
  return made;
}

TEST(PlotRange, ShowsEverythingOfWhatDoesNotDiverge) {
  for (const auto& value : std::vector<std::function<double(double)>>{
           [](double t) { return std::sin(30.0 * t); },
           [](double t) { return t > 0.95 ? 1.0 : 1e-3 * std::sin(30.0 * t); },                     // a late step
           [](double t) { return std::exp(-1e4 * (t - 0.95) * (t - 0.95)) + 1e-3 * std::sin(t); },  // a late pulse
           [](double t) { return std::exp(-1e5 * (t - 0.5) * (t - 0.5)) + 1e-3 * std::sin(t); },    // a needle
           [](double t) { return t > 0.995 ? t : 0.0; },                                            // nothing before
           [](double t) { return std::exp(10.0 * t); }, [](double) { return 3.0; }}) {
    const View view = default_view(curve(value));
    EXPECT_FALSE(view.cuts());
    EXPECT_EQ(view.shown.span(), view.all.span());
  }
}

TEST(PlotRange, LeavesOutTheEndOfWhatDiverges) {
  for (const bool backwards : {false, true}) {
    const View view = default_view(curve([](double t) { return std::sin(30.0 * t) + 1e-6 / (1.0001 - t); }, backwards));
    EXPECT_FALSE(view.cuts()) << "a hundredth is no blow-up";
    const View cut = default_view(curve([](double t) { return std::sin(30.0 * t) + 0.1 / (1.0001 - t); }, backwards));
    ASSERT_TRUE(cut.cuts());
    EXPECT_GT(std::abs(cut.leaves), 0.9);
    EXPECT_LT(cut.shown.span(), 10.0);
    EXPECT_GT(cut.all.high, 900.0);
  }
}

TEST(PlotRange, LeavesOutAGrowingVibrationAndWhatIsBeyondAllNumbers) {
  EXPECT_TRUE(
      default_view(curve([](double t) { return (1.0 + std::exp(60.0 * t - 50.0)) * std::sin(300.0 * t); })).cuts());
  const View view =
      default_view(curve([](double t) { return std::sin(9.0 * t) + (t > 0.99 ? 1.7e308 * std::sin(1e3 * t) : 0.0); }));
  EXPECT_TRUE(view.cuts());
  EXPECT_LT(view.shown.span(), 10.0);
}

TEST(PlotRange, IsOfTheBandWhereThereIsOne) {
  Curve made = curve([](double) { return 0.0; });
  made.band_t = {0.25, 0.75};
  made.low = {-1.0, -3.0};
  made.high = {2.0, std::numeric_limits<double>::quiet_NaN()};
  const View view = default_view(made);
  EXPECT_EQ(view.shown.low, -1.0);
  EXPECT_EQ(view.shown.high, 2.0);
}

TEST(PlotRange, HasNoneWithoutValues) {
  EXPECT_FALSE(default_view(Curve{"x", "m", {}, {}}).cuts());
  EXPECT_EQ(default_view(curve([](double) { return std::numeric_limits<double>::quiet_NaN(); })).shown.span(), 0.0);
}

}  // namespace
}  // namespace raak
