#include "output/plots/plot_axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numbers>

namespace raak {
namespace {

// Ticks at 1, 2 or 5 times a power of ten.
double nice_step(double span, double ticks) {
  const double rough = span / ticks;
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double nice : {1.0, 2.0, 5.0}) {
    if (nice * power >= rough) return nice * power;
  }
  return 10.0 * power;
}

}  // namespace

// Rounded to the step, so that 0 is 0 and not 1e-17.
std::string Axis::text(double value) const {
  if (powers) return fmt::format("1e{}", std::lround(value));
  if (!turn) return fmt::format("{:.6g}", std::round(value / step) * step + 0.0);
  static const std::array<std::string, 5> quarters{"-π", "-π/2", "0", "π/2", "π"};
  return quarters.at(static_cast<std::size_t>(std::lround(value / step) + 2));
}

std::vector<double> Axis::marks() const {
  std::vector<double> values;
  for (double v = std::ceil(from / step - 1e-9) * step; v <= to + 1e-9 * step; v += step) values.push_back(v);
  return values;
}

Axis axis_over(ValueRange range, double ticks, bool round_ends, double start, double end) {
  auto [low, high] = range;
  if (!(low <= high)) low = 0.0, high = 1.0;
  if (high - low <= 1e-12 * std::max(std::abs(low), std::abs(high)) || high == low) {
    const double half = std::max(1e-6 * std::abs(low), low == 0.0 ? 1.0 : 0.0);
    low -= half;
    high += half;
  }
  Axis axis{low, high, nice_step(high - low, ticks), start, end};
  if (round_ends) {
    axis.from = std::floor(low / axis.step) * axis.step;
    axis.to = std::ceil(high / axis.step) * axis.step;
  }
  return axis;
}

Axis axis_of_powers(ValueRange range, double ticks, double start, double end) {
  const double low = std::floor(range.low), high = std::max(std::ceil(range.high), low + 1.0);
  const double step = std::max(1.0, std::ceil((high - low) / ticks));
  return {low, low + step * std::ceil((high - low) / step), step, start, end, false, true};
}

Axis axis_of_a_turn(double start, double end) {
  return {-std::numbers::pi, std::numbers::pi, 0.5 * std::numbers::pi, start, end, true};
}

}  // namespace raak
