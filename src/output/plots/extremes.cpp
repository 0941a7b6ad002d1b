#include "output/plots/extremes.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace raak {
namespace {

constexpr std::size_t most_numbers = 500'000;  // of the lows of all columns
constexpr std::size_t fewest_bins = 32, most_bins = 1024;
constexpr long first_moments_a_bin = 4;
constexpr double missed = 0.1;  // of the range of a column: what a curve may leave out

const double unknown = std::numeric_limits<double>::quiet_NaN();

void lower(double& low, double value) {
  if (value < low || std::isnan(low)) low = value;
}
void raise(double& high, double value) {
  if (value > high || std::isnan(high)) high = value;
}

// Where the parabola through three moments turns, y at its vertex; the middle one is the least or the largest.
double vertex(const double (&t)[3], const double (&y)[3]) {
  const double before = (y[1] - y[0]) / (t[1] - t[0]), after = (y[2] - y[1]) / (t[2] - t[1]);
  const double curvature = (after - before) / (t[2] - t[0]);
  const double slope = before + curvature * (t[1] - t[0]);
  return y[1] - slope * slope / (4.0 * curvature);
}

}  // namespace

std::size_t Bands::find(std::size_t column) const {
  return static_cast<std::size_t>(std::find(columns.begin(), columns.end(), column) - columns.begin());
}

Extremes::Extremes(std::size_t columns)
    : columns_(columns),
      most_bins_(std::clamp(most_numbers / std::max<std::size_t>(1, columns), fewest_bins, most_bins)),
      moments_a_bin_(first_moments_a_bin),
      before_(columns),
      now_(columns) {}

void Extremes::begin_bin(double t) {
  first_.push_back(t);
  last_.push_back(t);
  lows_.resize(lows_.size() + columns_, unknown);
  highs_.resize(lows_.size(), unknown);
  turns_.resize(lows_.size(), 0);
  in_bin_ = 0;
}

void Extremes::take(std::size_t column, double value) {
  const std::size_t at = lows_.size() - columns_ + column;
  lower(lows_[at], value);
  raise(highs_[at], value);
}

void Extremes::add(double t, const double* values) {
  if (first_.empty()) begin_bin(t);
  if (in_bin_ == moments_a_bin_) {
    if (bins() == most_bins_) halve();
    // A bin begins where the one before ended, so that nothing is missed between them.
    if (in_bin_ == moments_a_bin_) {
      begin_bin(time_now_);
      for (std::size_t c = 0; c < columns_; ++c) take(c, now_[c]);
    }
  }
  const bool turns = seen_ == 2 && t != time_now_ && time_now_ != time_before_;
  for (std::size_t c = 0; c < columns_; ++c) {
    take(c, values[c]);
    if (!turns || !((values[c] - now_[c]) * (now_[c] - before_[c]) < 0.0)) continue;
    take(c, vertex({time_before_, time_now_, t}, {before_[c], now_[c], values[c]}));
    std::uint8_t& count = turns_[turns_.size() - columns_ + c];
    if (count < std::numeric_limits<std::uint8_t>::max()) ++count;
  }
  last_.back() = t;
  ++in_bin_;
  before_.swap(now_);
  std::copy_n(values, columns_, now_.begin());
  time_before_ = time_now_;
  time_now_ = t;
  seen_ = std::min(2, seen_ + 1);
}

// Two neighbours become one.
void Extremes::halve() {
  const std::size_t left = (bins() + 1) / 2;
  for (std::size_t i = 0; i < left; ++i) {
    const std::size_t from = 2 * i, other = std::min(2 * i + 1, bins() - 1);
    first_[i] = first_[from];
    last_[i] = last_[other];
    for (std::size_t c = 0; c < columns_; ++c) {
      const std::size_t to = i * columns_ + c, a = from * columns_ + c, b = other * columns_ + c;
      const int turns = a == b ? turns_[a] : turns_[a] + turns_[b];
      double low = lows_[a], high = highs_[a];
      lower(low, lows_[b]);
      raise(high, highs_[b]);
      lows_[to] = low;
      highs_[to] = high;
      turns_[to] = static_cast<std::uint8_t>(std::min<int>(turns, std::numeric_limits<std::uint8_t>::max()));
    }
  }
  in_bin_ = bins() % 2 == 0 ? 2 * moments_a_bin_ : moments_a_bin_;
  first_.resize(left);
  last_.resize(left);
  lows_.resize(left * columns_);
  highs_.resize(left * columns_);
  turns_.resize(left * columns_);
  moments_a_bin_ *= 2;
}

bool Extremes::misses(std::size_t column, const std::vector<double>& t, const std::vector<double>& values) const {
  double low = unknown, high = unknown;
  for (std::size_t bin = 0; bin < bins(); ++bin) {
    lower(low, lows_[bin * columns_ + column]);
    raise(high, highs_[bin * columns_ + column]);
  }
  const double allowed = missed * (high - low);
  if (!(allowed > 0.0)) return false;
  const double direction = t.back() >= t.front() ? 1.0 : -1.0;
  std::size_t next = 0;
  for (std::size_t bin = 0; bin < bins(); ++bin) {
    // The points that span the bin: from the last one before it to the first one after it.
    while (next + 1 < t.size() && (t[next + 1] - first_[bin]) * direction <= 0.0) ++next;
    double least = unknown, most = unknown;
    long points = 0;
    for (std::size_t i = next; i < t.size(); ++i, ++points) {
      lower(least, values[i]);
      raise(most, values[i]);
      if ((t[i] - last_[bin]) * direction >= 0.0) break;
    }
    const long moments = bin + 1 == bins() ? in_bin_ : moments_a_bin_;
    if (points >= moments) continue;  // they see more than the moments of the run did
    const double below = least - lows_[bin * columns_ + column], above = highs_[bin * columns_ + column] - most;
    if (below > allowed || above > allowed) return true;
  }
  return false;
}

Bands Extremes::bands(const std::vector<double>& rows, std::size_t columns, const std::vector<double>& others) const {
  Bands found;
  const std::size_t count = columns > 0 ? rows.size() / columns : 0;
  if (count < 2 || bins() < 2) return found;
  const std::size_t beside = others.size() / count;
  std::vector<double> t(count), values(count);
  for (std::size_t i = 0; i < count; ++i) t[i] = rows[i * columns];
  for (std::size_t c = 1; c < std::min(columns + beside, columns_); ++c) {
    for (std::size_t i = 0; i < count; ++i)
      values[i] = c < columns ? rows[i * columns + c] : others[i * beside + (c - columns)];
    if (misses(c, t, values)) found.columns.push_back(c);
  }
  if (found.empty()) return found;
  for (std::size_t bin = 0; bin < bins(); ++bin) {
    found.t.push_back(0.5 * (first_[bin] + last_[bin]));
    for (const std::size_t c : found.columns) {
      // A bin shorter than a period may hold a least value and no largest one, and its neighbour the other way round:
      // edges drawn from bin to bin would show a beat themselves. There the neighbours count too.
      constexpr std::size_t reach = 3;
      int turns = 0;
      const std::size_t begin = bin > reach ? bin - reach : 0, end = std::min(bins(), bin + reach + 1);
      for (std::size_t i = begin; i < end; ++i) turns += turns_[i * columns_ + c];
      const bool fast = 3 * turns > 2 * static_cast<int>(end - begin);
      double low = unknown, high = unknown;
      const std::size_t around = fast ? 1 : 0;
      for (std::size_t i = bin > around ? bin - around : 0; i < std::min(bins(), bin + around + 1); ++i) {
        lower(low, lows_[i * columns_ + c]);
        raise(high, highs_[i * columns_ + c]);
      }
      found.lows.push_back(low);
      found.highs.push_back(high);
    }
  }
  return found;
}

}  // namespace raak
