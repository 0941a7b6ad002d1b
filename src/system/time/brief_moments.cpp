#include "system/time/brief_moments.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/linear/index.h"
#include "base/pack.h"

namespace raak {
namespace {

constexpr int cells_of_run = 2048;
constexpr int zoom = 16;  // times finer where a formula is too quick for the cells
constexpr int most_zooms = 5;
constexpr long most_samples = 1L << 17;
constexpr int window = 16;           // strides
constexpr double negligible = 1e-9;  // of the largest value of a formula
constexpr double large = 0.1;        // of the largest difference in a window
constexpr int finest = 2;            // cells: the longest step where the cells do not follow a formula
constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

}  // namespace

class BriefMomentSearch {
 public:
  BriefMomentSearch(const TimeFunctions& functions, BriefMoments& to, double length)
      : functions_(functions), to_(to), packs_(z(functions.formulas + functions.switches)) {
    look({0.0, length, cells_of_run}, std::vector<double>(z(functions.formulas), 0.0), 0);
  }

 private:
  // A part of the run.
  struct Grid {
    double begin, length;  // s, along the run
    int cells;
    double at(double cell) const { return begin + length * (cell / cells); }
  };

  void look(const Grid& grid, std::vector<double> sizes, int zooms) {
    sample(grid);
    limits_.assign(z(grid.cells), 0);
    find_changes(grid);
    for (int i = 0; i < functions_.formulas; ++i) {
      double& size = sizes[z(i)];
      for (const double value : values_[z(i)])
        if (std::abs(value) > size && std::isfinite(value)) size = std::abs(value);
      for (int stride = 1; window * stride <= grid.cells; stride *= 2) find_brief(values_[z(i)], stride, size);
    }
    std::vector<Grid> too_quick;
    for (int i = 0, end = 0; i < grid.cells; i = end) {
      const int limit = limits_[z(i)];
      while (end < grid.cells && limits_[z(end)] == limit) ++end;
      if (limit == 0) continue;
      to_.moments_.push_back({grid.at(i), grid.at(end), grid.length * limit / grid.cells});
      if (limit != finest) continue;
      const int first = std::max(i - 1, 0), last = std::min(end + 1, grid.cells);
      too_quick.push_back({grid.at(first), grid.length * (last - first) / grid.cells, zoom * (last - first)});
    }
    for (const Grid& part : too_quick)
      if (zooms < most_zooms && samples_ + part.cells < most_samples) look(part, sizes, zooms + 1);
  }

  void sample(const Grid& grid) {
    values_.resize(packs_.size());
    for (std::vector<double>& each : values_) each.resize(z(grid.cells) + 1);
    samples_ += grid.cells;
    alignas(Pack) double t[lanes];
    for (int i = 0; i <= grid.cells; i += lanes) {
      for (int k = 0; k < lanes; ++k) t[k] = to_.from_ + to_.direction_ * grid.at(std::min(i + k, grid.cells));
      functions_.evaluate(t, reinterpret_cast<double*>(packs_.data()));
      for (std::size_t f = 0; f < packs_.size(); ++f)
        for (int k = 0; k < lanes && i + k <= grid.cells; ++k) values_[f][z(i + k)] = packs_[f][k];
    }
  }

  // Where branches change no difference says anything: steps end there by themselves (run/watches/discontinuities.h).
  void find_changes(const Grid& grid) {
    changes_.assign(z(grid.cells) + 1, 0);
    for (std::size_t f = z(functions_.formulas); f < values_.size(); ++f)
      for (std::size_t i = 1; i < changes_.size(); ++i) {
        const double a = values_[f][i - 1], b = values_[f][i];
        if (a * b <= 0.0 && (a != 0.0 || b != 0.0)) ++changes_[i];
      }
    for (std::size_t i = 1; i < changes_.size(); ++i) changes_[i] += changes_[i - 1];
  }

  void find_differences(const std::vector<double>& s, int stride) {
    const std::size_t k = z(stride);
    differences_.resize(s.size() - 4 * k);
    for (std::size_t j = 0; j < differences_.size(); ++j) {
      const double d = s[j] - 4.0 * (s[j + k] + s[j + 3 * k]) + 6.0 * s[j + 2 * k] + s[j + 4 * k];
      differences_[j] = std::isfinite(d) && changes_[j + 4 * k] == changes_[j] ? d : nothing;
    }
  }

  void find_brief(const std::vector<double>& s, int stride, double size) {
    find_differences(s, stride);
    const int strides = static_cast<int>(s.size() - 1) / stride;
    for (int first = 0; first + window <= strides; first += window / 4) {
      const int begin = first * stride, end = (first + window - 4) * stride;  // of the differences, both included
      double fourth = 0.0, fifth = 0.0;
      for (int j = begin; j <= end; ++j) {
        fourth = std::max(fourth, std::abs(differences_[z(j)]));  // the first argument, where the second is none
        if (j + stride <= end) fifth = std::max(fifth, std::abs(differences_[z(j + stride)] - differences_[z(j)]));
      }
      if (!(fourth > negligible * size) || fifth <= fourth) continue;
      int known = 0, acting = 0;
      for (int j = begin; j <= end; ++j) {
        if (!std::isnan(differences_[z(j)])) ++known;
        if (std::abs(differences_[z(j)]) > large * fourth) ++acting;
      }
      if (2 * acting >= known) continue;
      for (int j = begin; j <= end; ++j)
        if (std::abs(differences_[z(j)]) > large * fourth) limit(j, 4 * stride);
    }
  }

  void limit(int first, int cells) {
    const int longest = cells == 4 ? finest : cells;
    for (int i = first; i < first + cells; ++i)
      if (int& there = limits_[z(i)]; there == 0 || there > longest) there = longest;
  }

  const TimeFunctions& functions_;
  BriefMoments& to_;
  std::vector<Pack> packs_;
  std::vector<std::vector<double>> values_;  // function by function, at the ends of the cells
  std::vector<int> changes_;                 // of branches up to there
  std::vector<double> differences_;
  std::vector<int> limits_;  // cells, by cell; 0: none
  long samples_ = 0;
};

BriefMoments::BriefMoments(const TimeFunctions& functions, double from, double until)
    : from_(from), direction_(until < from ? -1.0 : 1.0) {
  if (functions.formulas == 0 || until == from) return;
  BriefMomentSearch(functions, *this, std::abs(until - from));
  std::sort(moments_.begin(), moments_.end(), [](const Moment& a, const Moment& b) { return a.begin < b.begin; });
  double end = 0.0;
  for (const Moment& each : moments_) largest_end_.push_back(end = std::max(end, each.end));
}

double BriefMoments::limited(double t, double h) const {
  const double now = direction_ * (t - from_);
  double step = std::abs(h);
  const auto first = std::upper_bound(largest_end_.begin(), largest_end_.end(), now) - largest_end_.begin();
  for (auto each = moments_.begin() + first; each != moments_.end() && each->begin - now < step; ++each)
    if (each->end > now) step = std::min(step, std::max(each->step, each->begin - now));
  return std::copysign(step, h);
}

}  // namespace raak
