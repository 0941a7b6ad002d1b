#include "mechanism/large/large_positions.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace raak {
namespace {

constexpr int most_iterations = 100;
constexpr int most_halvings = 30;

}  // namespace

std::vector<TrustedRow> trusted_rows(const std::vector<std::string>& names, const Vector& values,
                                     const std::vector<std::string>& trusted, bool velocity) {
  if (trusted.empty()) return {};
  std::unordered_map<std::string, int> index;
  for (std::size_t i = 0; i < names.size(); ++i) index.emplace(names[i], static_cast<int>(i));
  std::vector<TrustedRow> rows;
  for (const std::string& name : trusted) rows.push_back({index.at(name), values[index.at(name)], velocity});
  return rows;
}

std::shared_ptr<const LargeEvaluation> with_rows(const MaximalFormulas& formulas, const LargeEvaluation& evaluation,
                                                 const std::vector<TrustedRow>& rows) {
  if (rows.empty()) return {std::shared_ptr<void>(), &evaluation};
  return std::make_shared<const LargeEvaluation>(evaluation.instance(),
                                                 with_trusted(formulas, evaluation.elements(), rows));
}

double gap_at(const LargeEvaluation& evaluation, double t, const Vector& q, Vector& gaps) {
  gaps.setZero(evaluation.elements().position_rows);
  evaluation.residual(false, t, q.data(), nullptr, gaps.data());
  return gaps.norm();
}

bool close_positions(const LargeEvaluation& evaluation, double t, Vector& q, Vector& gaps) {
  double gap = gap_at(evaluation, t, q, gaps);
  const double size = std::max(1.0, q.size() > 0 ? q.cwiseAbs().maxCoeff() : 0.0);
  const double rounding = 1e-15 * size * std::sqrt(static_cast<double>(gaps.size()));
  for (int i = 0; i < most_iterations && gap > rounding; ++i) {
    Vector full = q;
    Vector unused = q;
    std::vector<int> left_out;
    evaluation.correct_dependent(Solve::positions, t, full.data(), unused.data(), left_out);
    if (!full.allFinite()) break;
    bool better = false;
    double length = 1.0;
    for (int k = 0; k < most_halvings && !better; ++k, length *= 0.5) {
      const Vector candidate = q + length * (full - q);
      Vector there;
      const double next = gap_at(evaluation, t, candidate, there);
      better = next < gap;
      if (!better) continue;
      q = candidate;
      gap = next;
      gaps = there;
    }
    if (!better) break;
  }
  return gaps.size() == 0 || gaps.cwiseAbs().maxCoeff() <= closed_gap * size;
}

}  // namespace raak
