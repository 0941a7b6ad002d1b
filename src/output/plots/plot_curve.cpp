#include "output/plots/plot_curve.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace raak {

Curve powers_of(Curve curve) {
  curve.powers = std::any_of(curve.values.begin(), curve.values.end(), [](double value) { return value > 0.0; });
  if (!curve.powers) return curve;
  for (double& value : curve.values) value = value > 0.0 ? std::log10(value) : std::numeric_limits<double>::quiet_NaN();
  return curve;
}

Curve curve_of(const std::string& column, const Recording& recording) {
  const std::size_t stride = recording.columns.size(), rows = recording.frame_count();
  const auto place = static_cast<std::size_t>(std::find(recording.columns.begin(), recording.columns.end(), column) -
                                              recording.columns.begin());
  Curve curve{column, place < recording.units.size() ? recording.units[place] : "", {}, {}};
  for (std::size_t i = 0; i < rows; ++i) {
    curve.t.push_back(recording.frames[i * stride]);
    curve.values.push_back(recording.frames[i * stride + place]);
  }
  const Bands& bands = recording.bands;
  const std::size_t band = bands.find(place), width = bands.columns.size();
  if (band == width) return curve;
  curve.band_t = bands.t;
  for (std::size_t bin = 0; bin < bands.t.size(); ++bin) {
    curve.low.push_back(bands.lows[bin * width + band]);
    curve.high.push_back(bands.highs[bin * width + band]);
  }
  return curve;
}

double turn_of(double angle) {
  return std::floor((angle + std::numbers::pi) / (2.0 * std::numbers::pi));
}

double folded(double angle) {
  return angle - 2.0 * std::numbers::pi * turn_of(angle);
}

bool leaves_its_turn(const Curve& curve) {
  double least = std::numeric_limits<double>::infinity(), largest = -least;
  for (const std::vector<double>* values : {&curve.values, &curve.low, &curve.high})
    for (const double value : *values) {
      if (!std::isfinite(value)) continue;
      least = std::min(least, turn_of(value));
      largest = std::max(largest, turn_of(value));
    }
  return least < largest;
}

}  // namespace raak
