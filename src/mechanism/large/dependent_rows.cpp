// Which rows depend on others. A pivot of S = G M^-1 G' is the squared sine of the angle between a row and those before
// it, and rounding makes eps/sigma^2 of one that should vanish, where sigma is the smallest singular value of the rows
// that do not depend on each other: along a chain of n links 1/n to 1/n^2. Pivots alone cannot tell there. So what they
// leave is looked at again: inverse iteration with S + delta D finds combinations of unit rows that (nearly) vanish
// (sparse_frame.h), and how long they are is computed from G, whose rounding errors are not squared.
#include <algorithm>
#include <cmath>
#include <random>

#include "base/linear/eigenvalues.h"
#include "base/linear/factors.h"
#include "base/linear/index.h"
#include "kinematics/rank/rank_policy.h"
#include "mechanism/bodies/catalogue.h"
#include "mechanism/large/evaluation.h"

namespace raak {
namespace {

constexpr double delta = RankPolicy::weak * RankPolicy::weak;
constexpr Eigen::Index first_count = 4;  // vectors looked for at once; more where all of them vanish

// One of the rows for each of the combinations: greedily those with the largest part.
std::vector<Eigen::Index> rows_of(Matrix combinations) {
  std::vector<Eigen::Index> rows;
  for (Eigen::Index k = 0; k < combinations.cols(); ++k) {
    Eigen::Index row = 0;
    combinations.rowwise().squaredNorm().maxCoeff(&row);
    rows.push_back(row);
    const Vector along = combinations.row(row).transpose().normalized();
    combinations -= (combinations * along).eval() * along.transpose();
  }
  return rows;
}

}  // namespace

void LargeEvaluation::eliminate_without(const std::vector<char>& leaves_out, double share, const double* q,
                                        const Work<double>& w) const {
  const std::vector<double> still(z(instance_->coordinates()), 0.0);
  int node = 0;
  for (const Step& step : steps_) {
    if (step.kind != Kind::eliminate) {
      run_step(step, Solve::velocities, q, still.data(), w);
      continue;
    }
    const std::vector<int>& rows = elements_.rows[z(plan_.block_of[z(node)])].rows;
    raak::eliminate_without(plan_, node++, w.memory, w.blocks, rows.data(), leaves_out, share);
  }
}

void LargeEvaluation::solve_again(const std::vector<double>& right, const Work<double>& w,
                                  std::vector<double>& multipliers) const {
  set_right_sides(right, w);
  for (int j = 0; j < plan_.nodes(); ++j) forward(plan_, j, w.memory, w.blocks);
  finish_solution(w);
  read_multipliers(w, multipliers.data());
}

Matrix LargeEvaluation::vanishing_combinations(const std::vector<char>& leaves_out, Eigen::Index count, double t,
                                               const double* q) const {
  constexpr int iterations = 4;
  constexpr double least_square = 1e-200;
  const auto m = static_cast<Eigen::Index>(leaves_out.size());
  const Work<double> w = work(t);
  eliminate_without(leaves_out, delta, q, w);
  Vector lengths(m);  // of the rows
  for (std::size_t e = 0; e < elements_.rows.size(); ++e) {
    const RowElement& element = elements_.rows[e];
    const double* const squares = w.memory + record_of_[e] + element.kernels->right_side() - element.rows.size();
    for (std::size_t k = 0; k < element.rows.size(); ++k)
      lengths[element.rows[k]] = std::sqrt(std::max(squares[k], least_square));
  }
  Vector stays(m);
  for (Eigen::Index i = 0; i < m; ++i) stays[i] = leaves_out[z(static_cast<int>(i))] != 0 ? 0.0 : 1.0;
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> value(-1.0, 1.0);
  Matrix found(m, count);
  for (double& entry : found.reshaped()) entry = value(random);
  std::vector<double> right(leaves_out.size()), solution(leaves_out.size());
  const auto as_vector = [m](std::vector<double>& values) { return Eigen::Map<Vector>(values.data(), m); };
  for (int i = 0; i < iterations; ++i) {
    for (auto column : found.colwise()) {
      as_vector(right) = column.cwiseProduct(stays).cwiseProduct(lengths);
      solve_again(right, w, solution);
      column = as_vector(solution).cwiseProduct(lengths);
    }
    if (!found.allFinite()) return Matrix(m, 0);
    found = orthonormal_columns(found);
  }
  Vector root_mass(instance_->coordinates());
  for (const Body& body : instance_->bodies())
    if (!body.ground) body.kind->mass_diagonal(body, q + body.first, root_mass.data() + body.first);
  root_mass = root_mass.cwiseMax(0.0).cwiseSqrt();
  Matrix pulls(root_mass.size(), count);
  for (Eigen::Index k = 0; k < count; ++k) {
    as_vector(right) = found.col(k).cwiseProduct(stays).cwiseQuotient(lengths);
    std::vector<double> pull = pull_of(right, t, q);
    pulls.col(k) = root_mass.cwiseProduct(Eigen::Map<const Vector>(pull.data(), root_mass.size()));
  }
  const Eigen::SelfAdjointEigenSolver<Matrix> squares(Matrix(pulls.transpose() * pulls));
  const auto vanish = (squares.eigenvalues().array() < RankPolicy::weak * RankPolicy::weak).count();
  return found * squares.eigenvectors().leftCols(vanish);
}

std::vector<int> LargeEvaluation::dependent_rows(double t, const double* q) const {
  std::vector<char> leaves_out(z(elements_.position_rows + elements_.velocity_rows), 0);
  std::vector<SkippedRow> skipped;
  const std::vector<double> still(z(instance_->coordinates()), 0.0);
  eliminate_with_rank(Solve::velocities, q, still.data(), work(t), skipped);
  for (const SkippedRow& row : skipped) leaves_out[z(multiplier_of(row))] = 1;
  auto left = static_cast<Eigen::Index>(leaves_out.size() - skipped.size());
  for (Eigen::Index count = first_count; left > 0;) {
    count = std::min(count, left);
    const Matrix vanishing = vanishing_combinations(leaves_out, count, t, q);
    for (const Eigen::Index row : rows_of(vanishing)) leaves_out[z(static_cast<int>(row))] = 1;
    left -= vanishing.cols();
    if (vanishing.cols() < count) break;
    count *= 2;
  }
  std::vector<int> rows;
  for (std::size_t i = 0; i < leaves_out.size(); ++i)
    if (leaves_out[i] != 0) rows.push_back(static_cast<int>(i));
  return rows;
}

// A row s that is left out depends on the others, S_kk x = S_ks: (x, -1) is a null vector. For all such rows at once,
// with random factors y: S (0, y) = G M^-1 G' (0, y) on the right. Then once more with what is left of it.
std::vector<double> LargeEvaluation::null_multipliers(double t, const double* q,
                                                      const std::vector<int>& dependent) const {
  constexpr int passes = 2;
  std::vector<double> multipliers(z(elements_.position_rows + elements_.velocity_rows), 0.0);
  std::vector<char> leaves_out(multipliers.size(), 0);
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> value(0.5, 1.5);
  for (const int row : dependent) {
    leaves_out[z(row)] = 1;
    multipliers[z(row)] = -value(random);
  }
  std::vector<double> right(multipliers.size()), change(multipliers.size());
  for (int pass = 0; pass < passes && !dependent.empty(); ++pass) {
    rates_of(pull_of(multipliers, t, q), t, q, right);
    for (const int row : dependent) right[z(row)] = 0.0;
    const Work<double> w = work(t);
    eliminate_without(leaves_out, 0.0, q, w);
    solve_again(right, w, change);
    for (std::size_t i = 0; i < multipliers.size(); ++i)
      if (leaves_out[i] == 0) multipliers[i] -= change[i];
  }
  return multipliers;
}

}  // namespace raak
