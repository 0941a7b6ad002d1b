#include "mechanism/rows/row_exchange.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/linear/factors.h"

namespace raak {
namespace {

Matrix seen_by(const NullSpaceSeen& at, const std::vector<DroppedRow>& dropped) {
  Matrix D(static_cast<Eigen::Index>(dropped.size()), at.parts->front().cols());
  for (std::size_t p = 0; p < dropped.size(); ++p)
    D.row(static_cast<Eigen::Index>(p)) =
        (*at.parts)[static_cast<std::size_t>(dropped[p].set)].row(static_cast<Eigen::Index>(dropped[p].row));
  return D;
}

// +1 or -1 for each configuration: null spaces are found anew at each, and their bases have any orientation.
std::vector<double> orientations(const std::vector<NullSpaceSeen>& seen) {
  std::vector<double> signs(seen.size(), 1.0);
  for (std::size_t i = 1; i < seen.size(); ++i) {
    const std::size_t before = seen[i].before;
    const Matrix overlap = seen[before].parts->front().transpose() * seen[i].parts->front();
    signs[i] = overlap.determinant() < 0.0 ? -signs[before] : signs[before];
  }
  return signs;
}

// The determinant as a function of row p: its gradient at each configuration, with the orientation of the basis.
std::vector<Vector> gradients(const std::vector<NullSpaceSeen>& seen, const std::vector<double>& signs,
                              const std::vector<DroppedRow>& dropped, std::size_t p) {
  std::vector<Vector> result;
  const auto row = static_cast<Eigen::Index>(p);
  for (std::size_t i = 0; i < seen.size(); ++i) {
    Matrix D = seen_by(seen[i], dropped);
    Vector slope(D.cols());
    for (Eigen::Index k = 0; k < D.cols(); ++k) {
      D.row(row) = Vector::Unit(D.cols(), k).transpose();
      slope[k] = signs[i] * D.determinant();
    }
    result.push_back(std::move(slope));
  }
  return result;
}

// The smallest over the configurations of what `value` gives, in the sign of the first.
template <class Value>
double least_in_sign(std::size_t count, const Value& value) {
  const double sign = value(0) < 0.0 ? -1.0 : 1.0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < count; ++i) least = std::min(least, sign * value(i));
  return least;
}

double volume(const std::vector<NullSpaceSeen>& seen, const std::vector<double>& signs,
              const std::vector<DroppedRow>& dropped) {
  return least_in_sign(seen.size(), [&](std::size_t i) { return signs[i] * seen_by(seen[i], dropped).determinant(); });
}

double a_row(double volume, std::size_t rows) {
  return std::copysign(std::pow(std::abs(volume), 1.0 / static_cast<double>(rows)), volume);
}

std::size_t first_of_vector(const std::vector<MechanismRow>& owners, std::size_t row) {
  return row - static_cast<std::size_t>(owners[row].component.place);
}

bool may_replace(const std::vector<MechanismRow>& owners, const std::vector<DroppedRow>& dropped, std::size_t p,
                 const DroppedRow& candidate) {
  if (owners[candidate.row].kind == Row::Kind::normalization) return false;
  for (std::size_t other = 0; other < dropped.size(); ++other) {
    if (other == p) continue;
    if (dropped[other].row == candidate.row) return false;
    if (first_of_vector(owners, dropped[other].row) == first_of_vector(owners, candidate.row) &&
        dropped[other].set != candidate.set)
      return false;
  }
  return true;
}

}  // namespace

double lasting_volume(const std::vector<NullSpaceSeen>& seen, const std::vector<DroppedRow>& dropped) {
  return a_row(volume(seen, orientations(seen), dropped), dropped.size());
}

double exchange_rows(const std::vector<MechanismRow>& owners, const std::vector<NullSpaceSeen>& seen,
                     std::vector<DroppedRow>& dropped) {
  constexpr double worthwhile = 0.01;  // of the volume, by which another row has to be better
  constexpr int most_rounds = 10;
  const std::vector<double> signs = orientations(seen);
  double best = volume(seen, signs, dropped);
  bool better = true;
  for (int round = 0; better && round < most_rounds; ++round) {
    better = false;
    for (std::size_t p = 0; p < dropped.size(); ++p) {
      const std::vector<Vector> slopes = gradients(seen, signs, dropped, p);
      DroppedRow chosen = dropped[p];
      for (std::size_t row = 0; row < owners.size(); ++row)
        for (int set = 0; set < owners[row].component.sets; ++set) {
          if (!may_replace(owners, dropped, p, {row, set})) continue;
          const double there = least_in_sign(seen.size(), [&](std::size_t i) {
            return (*seen[i].parts)[static_cast<std::size_t>(set)].row(static_cast<Eigen::Index>(row)).dot(slopes[i]);
          });
          if (!(there > best + worthwhile * std::abs(best))) continue;
          best = there;
          chosen = {row, set};
          better = true;
        }
      dropped[p] = chosen;
    }
  }
  return a_row(best, dropped.size());
}

}  // namespace raak
