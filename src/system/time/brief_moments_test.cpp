// Functions of time that act briefly are found, wherever they do and in either direction of a run; others are not.
#include "system/time/brief_moments.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/pack.h"

namespace raak {
namespace {

TimeFunctions functions_of(std::function<double(double)> f) {
  return {1, 0, [f = std::move(f)](const double* t, double* values) {
            for (int k = 0; k < lanes; ++k) values[k] = f(t[k]);
          }};
}

// Steps from the start of a run as long as they may be; calls seen(t, h) for each.
template <class Seen>
int walk(const BriefMoments& moments, double from, double until, Seen&& seen) {
  int steps = 0;
  for (double t = from; t != until && steps < 100'000; ++steps) {
    double h = moments.limited(t, until - t);
    if (std::abs(h) >= (1.0 - 1e-12) * std::abs(until - t)) h = until - t;
    seen(t, h);
    t = h == until - t ? until : t + h;
  }
  return steps;
}

// Whatever the width, the moment and the direction: the steps that meet the pulse are about as short as it is, and the
// others are few.
TEST(BriefMoments, LimitStepsToTheLengthOfAPulse) {
  for (const double span : {1e-3, 1.0, 3e4})
    for (const double until : {span, -span})
      for (const double width : {1e-6, 1e-5, 1e-4, 5e-4, 2e-3, 1e-2, 4e-2})
        for (double where = 0.15; where < 0.9; where += 0.0371) {
          // Where none of the samples sees it, as of the narrowest, nothing can be found.
          const double w = width * span, at = where * until;
          const auto pulse = [=](double t) { return std::exp(-std::pow((t - at) / w, 2)); };
          const double nearest = std::abs(std::remainder(at, span / 2048.0)) / w;
          if (nearest > 25.0) continue;
          const BriefMoments moments(functions_of(pulse), 0.0, until);
          double longest = 0.0;
          const int steps = walk(moments, 0.0, until, [&](double t, double h) {
            const double begin = std::min(t, t + h), end = std::max(t, t + h);
            if (begin < at + 2.5 * w && end > at - 2.5 * w) longest = std::max(longest, end - begin);
          });
          EXPECT_LT(longest, 4.0 * w) << span << ' ' << until << ' ' << width << ' ' << where;
          EXPECT_LT(steps, 120) << span << ' ' << until << ' ' << width << ' ' << where;
        }
}

TEST(BriefMoments, FindWhatIsSmallBesideTheRestOfAFormula) {
  for (const double size : {1.0, 1e-2, 1e-4}) {
    const auto driven = [=](double t) {
      return 40.0 * t + std::sin(2.0 * t) + size * std::exp(-std::pow(t - 7.0, 2) * 1e4);
    };
    const BriefMoments moments(functions_of(driven), 0.0, 10.0);
    EXPECT_LT(moments.limited(7.0, 3.0), 0.03) << size;
    EXPECT_GT(moments.limited(0.0, 3.0), 2.0) << size;
  }
}

TEST(BriefMoments, AreNotFoundInWhatActsAllTheTime) {
  const std::pair<const char*, std::function<double(double)>> smooth[] = {
      {"constant", [](double) { return 7.0; }},
      {"polynomial", [](double t) { return 1.0 + t * (2.0 - t * (0.3 + 0.01 * t * t)); }},
      {"slow sine", [](double t) { return std::sin(0.3 * t); }},
      {"sine", [](double t) { return std::sin(10.0 * t); }},
      {"fast sine", [](double t) { return std::sin(1e4 * t + 0.2); }},
      {"nearly aliased sine", [](double t) { return std::sin(2047.0 * 2.0 * 3.14159265358979 / 10.0 * t); }},
      {"two sines", [](double t) { return std::sin(3.0 * t) + 1e-3 * std::sin(4e3 * t); }},
      {"beat", [](double t) { return std::sin(50.0 * t) * std::sin(3.0 * t); }},
      {"road of a car axis", [](double t) { return std::sqrt(1.0 - std::pow(0.1 * std::sin(10.0 * t), 2)); }},
      {"slow exponential", [](double t) { return std::exp(-0.3 * t); }},
      {"not a number", [](double) { return std::nan(""); }},
  };
  for (const auto& [name, f] : smooth) {
    EXPECT_TRUE(BriefMoments(functions_of(f), 0.0, 10.0).empty()) << name;
    EXPECT_TRUE(BriefMoments(functions_of(f), 10.0, 0.0).empty()) << name;
  }
}

// Where a branch changes a formula may have a kink or jump, and steps end there for that reason.
TEST(BriefMoments, AreNotFoundWhereAFormulaChangesItsBranch) {
  const auto kinked = [](double t) { return std::abs(t - 3.3); };
  EXPECT_FALSE(BriefMoments(functions_of(kinked), 0.0, 10.0).empty());
  TimeFunctions with_switch{1, 1, [=](const double* t, double* values) {
                              for (int k = 0; k < lanes; ++k) {
                                values[k] = kinked(t[k]);
                                values[lanes + k] = t[k] - 3.3;
                              }
                            }};
  EXPECT_TRUE(BriefMoments(with_switch, 0.0, 10.0).empty());
}

}  // namespace
}  // namespace raak
