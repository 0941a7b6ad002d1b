#include "methods/composite/singularity_locator.h"

#include <algorithm>
#include <cmath>

namespace raak {
namespace {

constexpr double near_zero = 0.02;         // a pivot that comes nearer without passing zero is no passage
constexpr double smooth_roots = 0.1;       // how far those of the nodes around may be from those next to them
constexpr double farthest_ahead = 2.0;     // steps; later singularities do not matter yet
constexpr double enough_clearance = 0.06;  // of the step: two thirds of what eight nodes leave in the middle
constexpr double serving_share = 0.8;      // of the best clearance that a step of another length would have
constexpr double least_share_of_step = 0.3;
constexpr int tried_shares = 36;

}  // namespace

SingularityLocator::SingularityLocator(const std::vector<double>& nodes) : nodes_(nodes), distance_(nodes.size()) {}

bool SingularityLocator::look(const std::vector<double>& pivots) {
  zeros_.clear();
  nearest_ = 1.0;
  const std::size_t s = nodes_.size();
  for (std::size_t k = 0; k + s <= pivots.size(); k += s) {
    const double* p = pivots.data() + k;
    int changes = 0;
    bool rises = true;
    bool falls = true;
    for (std::size_t i = 0; i < s; ++i) {
      if (!std::isfinite(p[i]) || p[i] == 0.0) return false;
      if (i == 0) continue;
      if ((p[i] > 0.0) != (p[i - 1] > 0.0)) ++changes;
      rises = rises && std::abs(p[i]) > std::abs(p[i - 1]);
      falls = falls && std::abs(p[i]) < std::abs(p[i - 1]);
    }
    if (changes > 1) return false;
    if (changes == 1) {
      distance_.assign(p, p + s);
      add_change_of_sign();
    } else if (rises || falls) {
      add_zero_at_end(p, falls);
    } else if (!add_touch(p) && smallest_distance() < near_zero) {
      return false;
    }
    nearest_ = std::min(nearest_, smallest_distance());
  }
  std::sort(zeros_.begin(), zeros_.end());
  return true;
}

double SingularityLocator::smallest_distance() const {
  double smallest = std::abs(distance_.front());
  for (const double d : distance_) smallest = std::min(smallest, std::abs(d));
  return smallest;
}

// The cubic through the distances at four nodes.
double SingularityLocator::cubic(std::size_t first, double x) const {
  double sum = 0.0;
  for (std::size_t j = first; j < first + 4; ++j) {
    double basis = distance_[j];
    for (std::size_t l = first; l < first + 4; ++l)
      if (l != j) basis *= (x - nodes_[l]) / (nodes_[j] - nodes_[l]);
    sum += basis;
  }
  return sum;
}

// By bisection of the cubic through the four nodes around.
void SingularityLocator::add_change_of_sign() {
  const std::size_t s = nodes_.size();
  const auto& d = distance_;
  std::size_t i = 1;
  while (i < s && (d[i] > 0.0) == (d[i - 1] > 0.0)) ++i;
  const std::size_t first = std::min(i < 2 ? 0 : i - 2, s - 4);
  double low = nodes_[i - 1];
  double high = nodes_[i];
  for (int bisection = 0; bisection < 30; ++bisection) {
    const double middle = 0.5 * (low + high);
    ((cubic(first, middle) > 0.0) == (d[i - 1] > 0.0) ? low : high) = middle;
  }
  zeros_.push_back(0.5 * (low + high));
}

// All of one sign, and ever larger or ever smaller: the zero is behind the first node or ahead of the last one; a
// double one may also be on the other side of that node. Which of them it is the three nodes next to it tell: they
// agree best where it is.
void SingularityLocator::add_zero_at_end(const double* p, bool ahead) {
  const std::size_t s = nodes_.size();
  const auto& c = nodes_;
  const std::size_t last = ahead ? s - 1 : 0;
  const std::size_t middle = ahead ? s - 2 : 1;
  const std::size_t far = ahead ? s - 3 : 2;
  const auto zero = [&](std::size_t i, std::size_t j) {
    return c[j] - distance_[j] * (c[i] - c[j]) / (distance_[i] - distance_[j]);
  };
  const auto disagreement = [&] { return std::abs(zero(middle, last) - zero(far, middle)); };
  distance_.assign(p, p + s);
  const double of_simple_zero = disagreement();
  take_roots(p, 0);
  const double of_double_zero_outside = disagreement();
  const bool smooth = roughness(p, std::max(last, middle)) < smooth_roots;
  if (smooth && disagreement() < std::min(of_simple_zero, of_double_zero_outside)) return add_change_of_sign();
  take_roots(p, 0);
  // Far away nothing tells them apart.
  const bool is_double = of_double_zero_outside < of_simple_zero && std::abs(zero(middle, last) - 0.5) < farthest_ahead;
  if (!is_double) distance_.assign(p, p + s);
  const double at = zero(middle, last);
  if (ahead && at > c[s - 1] && at < farthest_ahead) zeros_.push_back(at);
  if (!ahead && at < c[0] && at > (p[0] < 0.0 ? -1.0 : -c[0])) zeros_.push_back(std::max(0.0, at));
}

// Rows that vanish together in one block make its determinant the product of two distances: its root changes sign.
void SingularityLocator::take_roots(const double* p, std::size_t from) {
  const std::size_t s = nodes_.size();
  for (std::size_t i = 0; i < s; ++i) distance_[i] = (i < from ? -1.0 : 1.0) * std::sqrt(std::abs(p[i]));
}

// How far roots that change sign at a node are from what those of the four nodes around say of the next ones.
double SingularityLocator::roughness(const double* p, std::size_t from) {
  const std::size_t s = nodes_.size();
  take_roots(p, from);
  const std::size_t first = std::min(from < 2 ? 0 : from - 2, s - 4);
  if (s == 4) return HUGE_VAL;
  double off = 0.0;
  const auto compare = [&](std::size_t i) {
    off = std::max(off, std::abs(cubic(first, nodes_[i]) / distance_[i] - 1.0));
  };
  if (first > 0) compare(first - 1);
  if (first + 4 < s) compare(first + 4);
  return off;
}

// Between the smallest determinant and one of its neighbours, if the roots go smoothly through zero there.
bool SingularityLocator::add_touch(const double* p) {
  const std::size_t s = nodes_.size();
  std::size_t smallest = 0;
  for (std::size_t i = 1; i < s; ++i)
    if (std::abs(p[i]) < std::abs(p[smallest])) smallest = i;
  const std::size_t before = std::max<std::size_t>(smallest, 1);
  const std::size_t behind = std::min(smallest + 1, s - 1);
  const std::size_t best = roughness(p, before) < roughness(p, behind) ? before : behind;
  if (!(roughness(p, best) < smooth_roots)) {
    distance_.assign(p, p + s);
    return false;
  }
  add_change_of_sign();
  return true;
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
