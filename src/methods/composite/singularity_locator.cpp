#include "methods/composite/singularity_locator.h"

#include <algorithm>
#include <cmath>

namespace raak {
namespace {

constexpr double near_zero = 0.02;         // a pivot that comes nearer without changing sign is no passage
constexpr double farthest_ahead = 2.0;     // steps; later singularities do not matter yet
constexpr double enough_clearance = 0.06;  // of the step: two thirds of what eight nodes leave in the middle
constexpr double serving_share = 0.8;      // of the best clearance that a step of another length would have
constexpr double least_share_of_step = 0.3;
constexpr int tried_shares = 36;

}  // namespace

SingularityLocator::SingularityLocator(const std::vector<double>& nodes) : nodes_(nodes) {}

bool SingularityLocator::look(const std::vector<double>& pivots) {
  zeros_.clear();
  const std::size_t s = nodes_.size();
  for (std::size_t k = 0; k + s <= pivots.size(); k += s) {
    const double* p = pivots.data() + k;
    int changes = 0;
    bool close = false;
    bool rises = true;
    bool falls = true;
    for (std::size_t i = 0; i < s; ++i) {
      if (!std::isfinite(p[i]) || p[i] == 0.0) return false;
      if (i > 0 && (p[i] > 0.0) != (p[i - 1] > 0.0)) ++changes;
      if (std::abs(p[i]) < near_zero) close = true;
      if (i == 0) continue;
      rises = rises && std::abs(p[i]) > std::abs(p[i - 1]);
      falls = falls && std::abs(p[i]) < std::abs(p[i - 1]);
    }
    if (changes > 1 || (changes == 0 && close && !rises && !falls)) return false;
    add_zeros(p);
  }
  std::sort(zeros_.begin(), zeros_.end());
  return true;
}

void SingularityLocator::add_zeros(const double* p) {
  const std::size_t s = nodes_.size();
  const auto& c = nodes_;
  for (std::size_t i = 1; i < s; ++i) {
    if ((p[i] > 0.0) == (p[i - 1] > 0.0)) continue;
    // The zero of the cubic through the four nodes around, by bisection.
    const std::size_t first = std::min(i < 2 ? 0 : i - 2, s - 4);
    const auto value = [&](double x) {
      double sum = 0.0;
      for (std::size_t j = first; j < first + 4; ++j) {
        double basis = p[j];
        for (std::size_t l = first; l < first + 4; ++l)
          if (l != j) basis *= (x - c[l]) / (c[j] - c[l]);
        sum += basis;
      }
      return sum;
    };
    double low = c[i - 1];
    double high = c[i];
    for (int bisection = 0; bisection < 30; ++bisection) {
      const double middle = 0.5 * (low + high);
      ((value(middle) > 0.0) == (p[i - 1] > 0.0) ? low : high) = middle;
    }
    zeros_.push_back(0.5 * (low + high));
    return;
  }
  // All of one sign: the zero is behind the first node or ahead of the last one.
  const auto extrapolated = [&](std::size_t i, std::size_t j) { return c[j] - p[j] * (c[i] - c[j]) / (p[i] - p[j]); };
  const double ahead = extrapolated(s - 2, s - 1);
  if (ahead > c[s - 1] && ahead < farthest_ahead) zeros_.push_back(ahead);
  const double behind = extrapolated(1, 0);
  if (behind < c[0] && behind > (p[0] < 0.0 ? -1.0 : -c[0])) zeros_.push_back(std::max(0.0, behind));
}

double SingularityLocator::clearance(double share) const {
  double least = 1.0;
  for (const double zero : zeros_) {
    least = std::min(least, std::abs(share - zero));
    for (const double c : nodes_) least = std::min(least, std::abs(share * c - zero));
  }
  return least;
}

double SingularityLocator::best_share() const {
  if (zeros_.empty()) return 1.0;
  // A step that ends before the last singularity leaves it to the next one, which can be as long.
  const auto value = [&](double share) {
    const double here = clearance(share);
    if (zeros_.back() < share) return here;
    double next = 0.0;
    for (double length = 1.0; length > least_share_of_step; length -= 0.02) {
      double there = 1.0;
      for (const double zero : zeros_) {
        if (zero < share) continue;
        there = std::min(there, std::abs(share + length - zero));
        for (const double c : nodes_) there = std::min(there, std::abs(share + c * length - zero));
      }
      next = std::max(next, there);
    }
    return std::min(here, next);
  };
  double best = value(1.0);
  if (best >= enough_clearance) return 1.0;
  double best_share = 1.0;
  for (int i = 1; i < tried_shares; ++i) {
    const double share = 1.0 - (1.0 - least_share_of_step) * i / tried_shares;
    const double found = value(share);
    if (found * serving_share <= best) continue;
    best = found;
    best_share = share;
    if (best >= enough_clearance) break;
  }
  return best_share;
}

}  // namespace raak
