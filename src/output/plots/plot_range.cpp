#include "output/plots/plot_range.h"

#include <algorithm>

namespace raak {
namespace {

constexpr double bulk = 0.9, nearly_all = 0.99;  // of the time
constexpr double blow_up = 20.0, growth = 1.2, span_of_constants = 1e-12;

struct Moment {
  double progress, t, low, high;  // progress: s since the start, whichever way the run goes
};

std::vector<Moment> moments_of(const Curve& curve) {
  std::vector<Moment> moments;
  if (curve.t.empty()) return moments;
  const auto add = [&](double t, double low, double high) {
    if (std::isfinite(low) && std::isfinite(high)) moments.push_back({std::abs(t - curve.t.front()), t, low, high});
  };
  for (std::size_t i = 0; i < curve.t.size(); ++i) add(curve.t[i], curve.values[i], curve.values[i]);
  for (std::size_t i = 0; i < curve.band_t.size(); ++i) add(curve.band_t[i], curve.low[i], curve.high[i]);
  std::stable_sort(moments.begin(), moments.end(),
                   [](const Moment& a, const Moment& b) { return a.progress < b.progress; });
  return moments;
}

ValueRange range_until(const std::vector<Moment>& moments, double progress) {
  ValueRange range;
  for (const Moment& moment : moments) {
    if (moment.progress > progress) break;
    range.reach(moment.low);
    range.reach(moment.high);
  }
  return range;
}

}  // namespace

View default_view(const Curve& curve) {
  const std::vector<Moment> moments = moments_of(curve);
  View view;
  if (moments.empty()) return view;
  const double whole = moments.back().progress;
  view.all = view.shown = range_until(moments, whole);
  const ValueRange before = range_until(moments, bulk * whole), late = range_until(moments, nearly_all * whole);
  const double size = std::max(std::abs(before.low), std::abs(before.high));
  // Halves: the span of what runs away to both sides may be more than double holds.
  const bool far = 0.5 * view.all.high - 0.5 * view.all.low > blow_up * 0.5 * before.span();
  const bool grows = 0.5 * view.all.high - 0.5 * view.all.low > growth * (0.5 * late.high - 0.5 * late.low);
  if (!far || !grows || before.span() <= span_of_constants * size) return view;
  view.shown = {std::max(view.all.low, before.low - before.span()),
                std::min(view.all.high, before.high + before.span())};
  for (const Moment& moment : moments) {
    if (moment.low >= view.shown.low && moment.high <= view.shown.high) continue;
    view.leaves = moment.t;
    break;
  }
  return view;
}

}  // namespace raak
