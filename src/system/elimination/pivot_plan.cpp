#include "system/elimination/pivot_plan.h"

#include <algorithm>
#include <cmath>

namespace raak {
namespace {

constexpr double rounding_of_entries = 1e-9;  // beside their row: no pivot

}  // namespace

bool PivotPlan::eliminates_like(const PivotPlan& other) const {
  return independent == other.independent &&
         std::equal(
             blocks.begin(), blocks.end(), other.blocks.begin(), other.blocks.end(),
             [](const Block& a, const Block& b) { return a.size == b.size && a.row == b.row && a.column == b.column; });
}

PivotChooser::PivotChooser(int rows, int columns, double good_share)
    : good_share_(good_share),
      weighted_(rows, columns),
      root_mass_(columns),
      length_(rows),
      row_done_(static_cast<std::size_t>(rows)),
      column_done_(static_cast<std::size_t>(columns)) {
  plan_.blocks.reserve(static_cast<std::size_t>(rows));
  plan_.independent.reserve(static_cast<std::size_t>(columns));
  pair_columns_.reserve(static_cast<std::size_t>(columns));
}

bool PivotChooser::choose(const Matrix& G, const Vector& mass_diagonal) {
  const double least = 1e-12 * mass_diagonal.maxCoeff();  // massless components count as very light ones
  for (Eigen::Index j = 0; j < G.cols(); ++j) root_mass_[j] = std::sqrt(std::max(mass_diagonal[j], least));
  for (Eigen::Index j = 0; j < G.cols(); ++j) weighted_.col(j) = G.col(j) / root_mass_[j];
  for (Eigen::Index i = 0; i < G.rows(); ++i) length_[i] = weighted_.row(i).norm();
  std::fill(row_done_.begin(), row_done_.end(), 0);
  std::fill(column_done_.begin(), column_done_.end(), 0);
  plan_.blocks.clear();
  plan_.independent.clear();
  weakest_ = 1.0;
  for (Eigen::Index rows_left = weighted_.rows(); rows_left > 0;) {
    Candidate best;
    bool found = false;
    for (Eigen::Index r = 0; r < weighted_.rows(); ++r) {
      if (row_done_[static_cast<std::size_t>(r)]) continue;
      const bool pair =
          r + 1 < weighted_.rows() && !row_done_[static_cast<std::size_t>(r + 1)] && share_columns(r, r + 1);
      const Candidate c = pair ? best_pair(r) : best_single(r);
      if (c.size > 0.0 && (!found || c.fill < best.fill || (c.fill == best.fill && c.size > best.size))) {
        best = c;
        found = true;
      }
      if (pair) ++r;
    }
    if (!found) {
      plan_.blocks.clear();
      weakest_ = 0.0;
      return false;
    }
    weakest_ = std::min(weakest_, independence(best));
    take(best.block);
    rows_left -= best.block.size;
    plan_.blocks.push_back(best.block);
  }
  for (Eigen::Index j = 0; j < weighted_.cols(); ++j)
    if (free(j)) plan_.independent.push_back(static_cast<int>(j));
  return true;
}

// Where both rows of a pair vanish, their determinant is the product of two small distances: that of the pair is its
// determinant over what is left of the rows.
double PivotChooser::independence(const Candidate& of) const {
  const auto [r, s] = of.block.row;
  if (of.block.size == 1) return of.size / length_[r];
  const auto [x, y] = of.block.column;
  const double first = std::hypot(weighted_(r, x), weighted_(r, y)) / length_[r];
  const double second = std::hypot(weighted_(s, x), weighted_(s, y)) / length_[s];
  return of.size / (length_[r] * length_[s] * std::min(1.0, std::hypot(first, second)));
}

bool PivotChooser::share_columns(Eigen::Index r, Eigen::Index s) const {
  int shared = 0;
  for (Eigen::Index j = 0; j < weighted_.cols(); ++j) {
    const bool one = weighted_(r, j) != 0.0;
    const bool other = weighted_(s, j) != 0.0;
    shared += one && other ? 1 : 0;
  }
  return shared >= 2;
}

// Entries that eliminating these columns touches in the other rows left.
int PivotChooser::fill(Eigen::Index r, Eigen::Index s, Eigen::Index x, Eigen::Index y) const {
  int count = 0;
  for (Eigen::Index i = 0; i < weighted_.rows(); ++i) {
    if (row_done_[static_cast<std::size_t>(i)] || i == r || i == s) continue;
    if (weighted_(i, x) != 0.0 || (y >= 0 && weighted_(i, y) != 0.0)) ++count;
  }
  return count;
}

PivotChooser::Candidate PivotChooser::best_single(Eigen::Index r) const {
  double largest = 0.0;
  for (Eigen::Index j = 0; j < weighted_.cols(); ++j)
    if (free(j)) largest = std::max(largest, std::abs(weighted_(r, j)));
  Candidate best;
  for (Eigen::Index j = 0; j < weighted_.cols(); ++j) {
    const double size = std::abs(weighted_(r, j));
    if (!free(j) || size < good_share_ * largest || size < rounding_of_entries * weighted_.row(r).norm()) continue;
    const int f = fill(r, -1, j, -1);
    if (best.size == 0.0 || f < best.fill || (f == best.fill && size > best.size))
      best = {{{static_cast<int>(r), -1}, {static_cast<int>(j), -1}, 1, weighted_(r, j) * root_mass_[j]}, f, size};
  }
  return best;
}

PivotChooser::Candidate PivotChooser::best_pair(Eigen::Index r) const {
  const auto determinant = [&](Eigen::Index x, Eigen::Index y) {
    return weighted_(r, x) * weighted_(r + 1, y) - weighted_(r, y) * weighted_(r + 1, x);
  };
  pair_columns_.clear();
  for (Eigen::Index x = 0; x < weighted_.cols(); ++x)
    if (free(x) && (weighted_(r, x) != 0.0 || weighted_(r + 1, x) != 0.0)) pair_columns_.push_back(x);
  pair_sizes_.clear();
  double largest = 0.0;
  for (auto x = pair_columns_.begin(); x != pair_columns_.end(); ++x)
    for (auto y = x + 1; y != pair_columns_.end(); ++y) {
      pair_sizes_.push_back(std::abs(determinant(*x, *y)));
      largest = std::max(largest, pair_sizes_.back());
    }
  const double noise = rounding_of_entries * weighted_.row(r).norm() * weighted_.row(r + 1).norm();
  const double least = std::max(good_share_ * largest, noise);
  Candidate best;
  auto size = pair_sizes_.begin();
  for (auto x = pair_columns_.begin(); x != pair_columns_.end(); ++x)
    for (auto y = x + 1; y != pair_columns_.end(); ++y, ++size) {
      if (*size < least) continue;
      const int f = fill(r, r + 1, *x, *y);
      if (best.size != 0.0 && (f > best.fill || (f == best.fill && *size <= best.size))) continue;
      best = {{{static_cast<int>(r), static_cast<int>(r + 1)},
               {static_cast<int>(*x), static_cast<int>(*y)},
               2,
               determinant(*x, *y) * root_mass_[*x] * root_mass_[*y]},
              f,
              *size};
    }
  return best;
}

// Eliminates numerically, so that later pivots are judged by what is left.
void PivotChooser::take(const PivotPlan::Block& block) {
  for (int i = 0; i < block.size; ++i) {
    row_done_[static_cast<std::size_t>(block.row[static_cast<std::size_t>(i)])] = 1;
    column_done_[static_cast<std::size_t>(block.column[static_cast<std::size_t>(i)])] = 1;
  }
  auto& m = weighted_;
  const int r = block.row[0];
  const int x = block.column[0];
  for (Eigen::Index i = 0; i < m.rows(); ++i) {
    if (row_done_[static_cast<std::size_t>(i)]) continue;
    if (block.size == 1) {
      if (m(i, x) != 0.0) m.row(i) -= m(i, x) / m(r, x) * m.row(r);
      m(i, x) = 0.0;
      continue;
    }
    const int s = block.row[1];
    const int y = block.column[1];
    if (m(i, x) == 0.0 && m(i, y) == 0.0) continue;
    const double det = m(r, x) * m(s, y) - m(r, y) * m(s, x);
    const double u = (m(i, x) * m(s, y) - m(i, y) * m(s, x)) / det;
    const double v = (m(i, y) * m(r, x) - m(i, x) * m(r, y)) / det;
    m.row(i) -= u * m.row(r) + v * m.row(s);
    m(i, x) = m(i, y) = 0.0;
  }
}

PivotPlan choose_pivots(const Matrix& G, const Vector& mass_diagonal) {
  constexpr double good_share = 0.2;
  PivotChooser chooser(static_cast<int>(G.rows()), static_cast<int>(G.cols()), good_share);
  return chooser.choose(G, mass_diagonal) ? chooser.plan() : PivotPlan{};
}

}  // namespace raak
