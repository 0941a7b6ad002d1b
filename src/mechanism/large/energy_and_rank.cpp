// What an evaluation reports beside the motion: energies, and which rows depend on each other.
#include <algorithm>
#include <cmath>
#include <random>

#include "base/linear/index.h"
#include "kinematics/rank/rank_policy.h"
#include "mechanism/large/evaluation.h"

namespace raak {
namespace {

// Of the original diagonal entry: the squared sine of the angle below which a row counts as dependent on others.
constexpr double square_of_weak = RankPolicy::weak * RankPolicy::weak;

void run_one(const Kernel& kernel, const double* const* in, double* const* out) {
  kernel.run_one(in, out);
}

}  // namespace

void LargeEvaluation::force_energies(double t, const double* q, const double* v,
                                     std::vector<ForceEnergy>& energies) const {
  energies.resize(elements_.forces.size());
  if (energies.empty()) return;
  const Work<double> w = work(t);
  place_bodies<double>(Solve::positions, q, v, w);
  for (std::size_t i = 0; i < energies.size(); ++i) {
    const ForceElement& force = elements_.forces[i];
    const double* in[4];
    read_inputs(force, true, w, in);
    double values[4];
    double* const out[3] = {values, nullptr, nullptr};
    run_one(*force.kernels->energy, in, out);
    energies[i] = {values[0], values[1], values[2], values[3]};
  }
}

void LargeEvaluation::row_powers(double t, const double* q, const double* v, const double* lambda,
                                 double* powers) const {
  if (moving_rows_.empty()) return;
  const Work<double> w = work(t);
  place_bodies<double>(Solve::positions, q, v, w);
  std::vector<double> multipliers, values;
  for (const RowElement& element : elements_.rows) {
    if (!element.kernels->power) continue;
    const double* in[4];
    read_inputs(element, true, w, in);
    multipliers.clear();
    for (const int row : element.rows) multipliers.push_back(lambda[row]);
    in[3] = multipliers.data();
    const std::vector<int>& moving = element.kernels->moving_rows();
    values.resize(moving.size());
    double* const out[3] = {values.data(), nullptr, nullptr};
    run_one(*element.kernels->power, in, out);
    for (std::size_t i = 0; i < moving.size(); ++i) powers[element.rows[z(moving[i])]] = values[i];
  }
}

int LargeEvaluation::multiplier_of(const SkippedRow& row) const {
  return elements_.rows[z(plan_.block_of[z(row.node)])].rows[z(row.row)];
}

double LargeEvaluation::eliminate_with_rank(Solve what, const double* q, const double* v, const Work<double>& w,
                                            std::vector<SkippedRow>& skipped) const {
  double squares = 0.0;
  int node = 0;
  for (const Step& step : steps_) {
    if (step.kind == Kind::eliminate) {
      eliminate_dependent(plan_, node++, w.memory, w.blocks, square_of_weak, skipped);
      continue;
    }
    run_step(step, what, q, v, w);
    squares += squares_on_the_right(step, w);
  }
  return std::sqrt(squares);
}

void LargeEvaluation::set_right_sides(const std::vector<double>& values, const Work<double>& w) const {
  for (std::size_t e = 0; e < elements_.rows.size(); ++e) {
    const RowElement& element = elements_.rows[e];
    double* const to = w.memory + record_of_[e] + element.kernels->right_side();
    for (std::size_t k = 0; k < element.rows.size(); ++k) to[k] = values[z(element.rows[k])];
  }
}

double LargeEvaluation::correct_dependent(Solve what, double t, double* q, double* v,
                                          std::vector<int>& left_out) const {
  const Work<double> w = work(t);
  std::vector<SkippedRow> skipped;
  const double norm = eliminate_with_rank(what, q, v, w, skipped);
  finish_solution(w);
  read_unknowns(w, what == Solve::positions ? q : v);
  for (const SkippedRow& row : skipped) left_out.push_back(multiplier_of(row));
  return norm;
}

std::vector<double> LargeEvaluation::pull_of(const std::vector<double>& lambda, double t, const double* q) const {
  const Work<double> w = work(t);
  std::vector<double> still(z(instance_->coordinates()), 0.0);
  std::vector<SkippedRow> unused;
  eliminate_with_rank(Solve::velocities, q, still.data(), w, unused);
  std::vector<double> opposite = lambda;
  for (double& number : opposite) number = -number;
  set_right_sides(opposite, w);
  for (int j = 0; j < plan_.nodes(); ++j) apply(j, w);
  read_unknowns(w, still.data());
  return still;
}

void LargeEvaluation::rates_of(const std::vector<double>& v, double t, const double* q,
                               std::vector<double>& values) const {
  const std::vector<double> still(v.size(), 0.0);
  std::vector<double> at_rest(values.size());
  residual(true, t, q, still.data(), at_rest.data());
  residual(true, t, q, v.data(), values.data());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] -= at_rest[i];
}

std::vector<double> LargeEvaluation::random_motion(double t, const double* q, unsigned seed) const {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> value(-1.0, 1.0);
  std::vector<double> v(z(instance_->coordinates()));
  for (double& entry : v) entry = value(random);
  // Against rows that move by themselves: only the part of v counts.
  std::vector<double> right(z(elements_.position_rows + elements_.velocity_rows));
  rates_of(v, t, q, right);
  const Work<double> w = work(t);
  std::vector<SkippedRow> skipped;
  eliminate_with_rank(Solve::velocities, q, v.data(), w, skipped);
  set_right_sides(right, w);
  for (int j = 0; j < plan_.nodes(); ++j) forward(plan_, j, w.memory, w.blocks);
  finish_solution(w);
  read_unknowns(w, v.data());
  double largest = 1e-300;
  for (const double entry : v) largest = std::max(largest, std::abs(entry));
  for (double& entry : v) entry /= largest;
  return v;
}

}  // namespace raak
