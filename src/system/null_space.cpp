#include "system/null_space.h"

#include <cmath>

namespace raak {
namespace {

constexpr double good_share = 0.2;  // of the largest determinant: good enough if it saves fill

struct Candidate {
  PivotPlan::Block block{};
  int fill = 0;
  double size = 0.0;  // |determinant|, weighted
};

class Chooser {
 public:
  Chooser(const Matrix& G, const Vector& mass_diagonal)
      : G_(G),
        weighted_(G * mass_diagonal.cwiseSqrt().cwiseInverse().asDiagonal()),
        row_done_(static_cast<std::size_t>(G.rows()), 0),
        column_done_(static_cast<std::size_t>(G.cols()), 0) {}

  PivotPlan plan() {
    PivotPlan result;
    Eigen::Index rows_left = G_.rows();
    while (rows_left > 0) {
      Candidate best;
      bool found = false;
      for (Eigen::Index r = 0; r < G_.rows(); ++r) {
        if (row_done_[static_cast<std::size_t>(r)]) continue;
        const bool pair = r + 1 < G_.rows() && !row_done_[static_cast<std::size_t>(r + 1)] && same_pattern(r, r + 1);
        const Candidate c = pair ? best_pair(r) : best_single(r);
        if (c.size > 0.0 && (!found || c.fill < best.fill || (c.fill == best.fill && c.size > best.size))) {
          best = c;
          found = true;
        }
        if (pair) ++r;
      }
      if (!found) return {};
      take(best.block);
      rows_left -= best.block.size;
      result.blocks.push_back(best.block);
    }
    for (Eigen::Index j = 0; j < G_.cols(); ++j)
      if (!column_done_[static_cast<std::size_t>(j)]) result.independent.push_back(static_cast<int>(j));
    return result;
  }

 private:
  bool same_pattern(Eigen::Index r, Eigen::Index s) const {
    int shared = 0;
    for (Eigen::Index j = 0; j < G_.cols(); ++j) {
      const bool one = G_(r, j) != 0.0;
      const bool other = G_(s, j) != 0.0;
      shared += one && other ? 1 : 0;
    }
    return shared >= 2;
  }
  // Entries that eliminating these columns touches in the other rows left.
  int fill(Eigen::Index r, Eigen::Index s, Eigen::Index x, Eigen::Index y) const {
    int count = 0;
    for (Eigen::Index i = 0; i < G_.rows(); ++i) {
      if (row_done_[static_cast<std::size_t>(i)] || i == r || i == s) continue;
      if (G_(i, x) != 0.0 || (y >= 0 && G_(i, y) != 0.0)) ++count;
    }
    return count;
  }
  bool free(Eigen::Index j) const { return !column_done_[static_cast<std::size_t>(j)]; }

  Candidate best_single(Eigen::Index r) const {
    double largest = 0.0;
    for (Eigen::Index j = 0; j < G_.cols(); ++j)
      if (free(j)) largest = std::max(largest, std::abs(weighted_(r, j)));
    Candidate best;
    for (Eigen::Index j = 0; j < G_.cols(); ++j) {
      const double size = std::abs(weighted_(r, j));
      if (!free(j) || size < good_share * largest || size < 1e-9 * weighted_.row(r).norm()) continue;
      const int f = fill(r, -1, j, -1);
      if (best.size == 0.0 || f < best.fill || (f == best.fill && size > best.size))
        best = {{{static_cast<int>(r), -1}, {static_cast<int>(j), -1}, 1, std::abs(G_(r, j))}, f, size};
    }
    return best;
  }
  Candidate best_pair(Eigen::Index r) const {
    const auto determinant = [&](const Matrix& m, Eigen::Index x, Eigen::Index y) {
      return m(r, x) * m(r + 1, y) - m(r, y) * m(r + 1, x);
    };
    double largest = 0.0;
    for (Eigen::Index x = 0; x < G_.cols(); ++x)
      for (Eigen::Index y = x + 1; y < G_.cols(); ++y)
        if (free(x) && free(y)) largest = std::max(largest, std::abs(determinant(weighted_, x, y)));
    Candidate best;
    const double noise = 1e-9 * weighted_.row(r).norm() * weighted_.row(r + 1).norm();
    for (Eigen::Index x = 0; x < G_.cols(); ++x) {
      for (Eigen::Index y = x + 1; y < G_.cols(); ++y) {
        const double size = std::abs(determinant(weighted_, x, y));
        if (!free(x) || !free(y) || size < good_share * largest || size < noise) continue;
        const int f = fill(r, r + 1, x, y);
        if (best.size != 0.0 && (f > best.fill || (f == best.fill && size <= best.size))) continue;
        best = {{{static_cast<int>(r), static_cast<int>(r + 1)},
                 {static_cast<int>(x), static_cast<int>(y)},
                 2,
                 std::abs(determinant(G_, x, y))},
                f,
                size};
      }
    }
    return best;
  }
  // Eliminates numerically, so that later pivots are judged by what is left.
  void take(const PivotPlan::Block& block) {
    const Eigen::Index size = block.size;
    for (Eigen::Index i = 0; i < size; ++i) {
      row_done_[static_cast<std::size_t>(block.row[static_cast<std::size_t>(i)])] = 1;
      column_done_[static_cast<std::size_t>(block.column[static_cast<std::size_t>(i)])] = 1;
    }
    const auto eliminate = [&](Matrix& m) {
      for (Eigen::Index i = 0; i < m.rows(); ++i) {
        if (row_done_[static_cast<std::size_t>(i)]) continue;
        const int r = block.row[0];
        const int x = block.column[0];
        if (size == 1) {
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
    };
    eliminate(G_);
    eliminate(weighted_);
  }

  Matrix G_, weighted_;
  std::vector<char> row_done_, column_done_;
};

}  // namespace

PivotPlan choose_pivots(const Matrix& G, const Vector& mass_diagonal) {
  return Chooser(G, mass_diagonal).plan();
}

}  // namespace raak
