#include "kinematics/start/open_joints.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "base/linear/factors.h"
#include "base/sort_stably.h"
#include "base/text/text.h"
#include "kinematics/rank/sparse_step.h"

namespace raak {
namespace {

constexpr double heaviest = 1e4;         // weight of the rows that are to hold
constexpr double counts_as_open = 1e-4;  // of the largest gap: what the weights leave of the others is less
constexpr double smallest_gap = 1e-9;
constexpr int most_coordinates_examined =
    700;  // beyond it the joints are not separated so finely: matrices take too long
constexpr int most_joints = 8;
// In sizes of the mechanism: bodies that are to meet have no reason to go farther, and nothing is looked for beyond.
constexpr double runs_away = 2.0, farthest_open = 4.0;
constexpr std::size_t most_joints_listed = 8;

// Newton steps, the shortest ones, until the rows that hold by definition do.
void restore_held(const ConstrainedSystem& system, double t, Vector& q, const std::vector<int>& held) {
  constexpr int most = 8;
  if (held.empty()) return;
  Vector g(system.position_rows());
  Matrix G(system.rows(), system.coordinates());
  for (int i = 0; i < most; ++i) {
    system.constraint(t, q, g);
    const Vector open = g(held);
    if (!open.allFinite() || open.cwiseAbs().maxCoeff() < 1e-14) return;
    system.jacobian(t, q, G);
    q -= solve_shortest(G(held, Eigen::all), open);
  }
}

// Levenberg and Marquardt on |weights g|^2 over the configurations in which the rows held do hold.
Vector closest_configuration(const ConstrainedSystem& system, double t, Vector q, const Vector& weights,
                             const std::vector<int>& held, const ConfigurationBounds& bounds) {
  constexpr int most_iterations = 60;
  const Eigen::Index n = system.coordinates();
  const Eigen::Index m = system.position_rows();
  Vector g(m);
  Matrix G(system.rows(), n);
  const bool many = n > many_unknowns;
  Matrix stacked = Matrix::Zero(many ? m : m + n, n);
  Vector right = Vector::Zero(stacked.rows());
  double mu = 1e-3;
  restore_held(system, t, q, held);
  const double bound = std::max(farthest_open, bounds.distance(q));
  system.constraint(t, q, g);
  double before = g.cwiseProduct(weights).norm();
  for (int i = 0; i < most_iterations && mu < 1e8; ++i) {
    system.jacobian(t, q, G);
    stacked.topRows(m) = weights.asDiagonal() * G.topRows(m);
    right.head(m) = -weights.cwiseProduct(g);
    Vector candidate = q;
    if (many) {
      candidate += sparse_damped_solution(stacked, right, mu);
    } else {
      stacked.bottomRows(n).diagonal().setConstant(std::sqrt(mu));
      candidate += Eigen::HouseholderQR<Matrix>(stacked).solve(right);
    }
    restore_held(system, t, candidate, held);
    Vector there(m);
    system.constraint(t, candidate, there);
    const double after = there.cwiseProduct(weights).norm();
    if (!(after < before) || bounds.distance(candidate) > bound) {
      mu *= 10.0;
      continue;
    }
    const bool done = after > (1.0 - 1e-10) * before;
    q = candidate;
    g = there;
    before = after;
    mu = std::max(1e-12, 0.1 * mu);
    if (done) break;
  }
  return q;
}

// The configuration in which only the rows marked as open have gaps, as far as that can be.
Vector configuration_with_open(const ConstrainedSystem& system, double t, Vector q, const std::vector<char>& open,
                               const Vector& least_weights, const std::vector<int>& held,
                               const ConfigurationBounds& bounds) {
  Vector weights(system.position_rows());
  for (double weight = 10.0; weight <= heaviest; weight *= 10.0) {
    for (Eigen::Index i = 0; i < weights.size(); ++i) weights[i] = open[static_cast<std::size_t>(i)] ? 1.0 : weight;
    weights = weights.cwiseMax(least_weights);
    weights(held).setConstant(heaviest);
    q = closest_configuration(system, t, q, weights, held, bounds);
  }
  return q;
}

std::vector<OpenJoint> gaps_at(const ConstrainedSystem& system, double t, const Vector& q) {
  const std::vector<Row>& rows = system.description().constraints;
  Vector g(system.position_rows());
  system.constraint(t, q, g);
  g(normalization_rows(rows)).setZero();
  const double largest = g.size() > 0 ? g.cwiseAbs().maxCoeff() : 0.0;
  return gather_gaps(rows, g, std::max(smallest_gap, counts_as_open * largest), system.row_units());
}

// The closest of a few: links that lie in one line, as they do where nothing is guessed, cannot turn back from there.
Vector closest_of_few(const ConstrainedSystem& system, double t, const Vector& q, const Vector& weights,
                      const std::vector<int>& held, const ConfigurationBounds& bounds) {
  constexpr int tries = 6, few_coordinates = 50;
  const auto gap = [&](const Vector& configuration) {
    Vector g(system.position_rows());
    system.constraint(t, configuration, g);
    return g.cwiseProduct(weights).norm();
  };
  Vector best = closest_configuration(system, t, q, weights, held, bounds);
  if (system.coordinates() > few_coordinates) return best;
  const double reach = std::max(1e-3, std::min(1.0, q.cwiseAbs().maxCoeff()));
  std::minstd_rand random(1);
  std::uniform_real_distribution<double> any(-reach, reach);
  for (int i = 0; i < tries; ++i) {
    Vector beside = q;
    for (double& x : beside) x += any(random);
    beside = closest_configuration(system, t, beside, weights, held, bounds);
    if (gap(beside) < 0.999 * gap(best)) best = beside;
  }
  return best;
}

struct LeastOpen {
  Vector q, weights;  // of its rows
};

// Where guides lie side by side the sum of squares is least far away, where hardly an angle spans what is between them.
// There angles are to hold: what stays open is a length.
LeastOpen find_least_open(const ConstrainedSystem& system, double t, const Vector& q, const std::vector<int>& held,
                          const ConfigurationBounds& bounds) {
  Vector weights = Vector::Ones(system.position_rows());
  weights(held).setConstant(heaviest);
  if (bounds.distance(q) < runs_away) {
    const Vector at = closest_of_few(system, t, q, weights, held, bounds);
    if (bounds.distance(at) < runs_away) return {at, weights};
  }
  weights.setConstant(heaviest * std::max(1.0, bounds.size));
  weights(bounds.rows).setOnes();
  return {closest_of_few(system, t, bounds.given, weights, held, bounds), weights};
}

}  // namespace

Vector least_open_configuration(const ConstrainedSystem& system, double t, const Vector& q,
                                const std::vector<int>& held) {
  return system.position_rows() == 0 || !system.has_dense_matrices() ? q : find_least_open(system, t, q, held, {}).q;
}

std::vector<OpenJoint> gather_gaps(const std::vector<Row>& rows, const Vector& gaps, double closed,
                                   const Vector& row_units, Row::Level level) {
  const bool rates = level == Row::Level::velocity;
  std::vector<OpenJoint> found;
  std::vector<int> first_row;
  for (Eigen::Index i = 0; i < gaps.size(); ++i) {
    const Row& row = rows[static_cast<std::size_t>(i)];
    const std::string unit = row.unit.empty() || !rates ? row.unit : row.unit + "/s";
    const auto same = [&](const OpenJoint& j) { return j.name == row.owner && j.unit == unit; };
    auto joint = std::find_if(found.begin(), found.end(), same);
    if (joint == found.end()) {
      joint = found.insert(found.end(), {row.owner, 0.0, unit});
      first_row.push_back(static_cast<int>(i));
    }
    // A gap of one row keeps its sign, which matters to what it means.
    joint->gap = joint->gap == 0.0 ? gaps[i] : std::hypot(joint->gap, gaps[i]);
  }
  std::vector<std::pair<double, OpenJoint>> by_size;
  for (std::size_t k = 0; k < found.size(); ++k) {
    const double unit = row_units[first_row[k]];
    const double gap = unit * found[k].gap;
    found[k].gap = std::abs(rates ? gap : rows[static_cast<std::size_t>(first_row[k])].reading(gap));
    const double size = found[k].gap / unit;
    if (size > closed) by_size.emplace_back(size, std::move(found[k]));
  }
  sort_stably(by_size, [](const auto& a, const auto& b) { return a.first > b.first; });
  found.clear();
  for (auto& [size, joint] : by_size) found.push_back(std::move(joint));
  return found;
}

std::string text_of(const std::vector<OpenJoint>& open, const std::string& what) {
  std::vector<std::string> parts;
  for (const OpenJoint& joint : open) {
    if (parts.size() == most_joints_listed) {
      parts.push_back(fmt::format("and {} more", open.size() - most_joints_listed));
      break;
    }
    const bool pure = joint.unit.empty() || joint.unit == "1";
    parts.push_back(fmt::format("\"{}\" {}by {:.4g}{}{}", joint.name, parts.empty() ? what + " " : "", joint.gap,
                                pure ? "" : " ", pure ? "" : joint.unit));
  }
  return join(parts);
}

OpenJoints find_open_joints(const ConstrainedSystem& system, double t, const Vector& q,
                            const ConfigurationBounds& bounds) {
  const auto m = static_cast<std::size_t>(system.position_rows());
  if (m == 0 || !system.has_dense_matrices()) return {q, {}};
  if (system.coordinates() > most_coordinates_examined) return {q, gaps_at(system, t, q)};
  const std::vector<Row>& rows = system.description().constraints;
  const std::vector<int> held = normalization_rows(rows);
  std::vector<int> suspects = doubtful_rows(rows);
  std::erase_if(suspects, [&](int row) { return row >= system.position_rows(); });
  std::vector<char> open(m, 0);
  const auto only_open = [&](const std::vector<OpenJoint>& gaps) {
    return std::all_of(gaps.begin(), gaps.end(), [&](const OpenJoint& joint) {
      for (std::size_t i = 0; i < m; ++i)
        if (open[i] && rows[i].owner == joint.name) return true;
      return false;
    });
  };
  const auto gaps_of = [&](const Vector& configuration) { return gaps_at(system, t, configuration); };
  for (const int row : suspects) open[static_cast<std::size_t>(row)] = 1;
  // From a line links do not bend, whoever gives way: it is tried from beside it too.
  constexpr int suspicions = 3;
  std::minstd_rand random(1);
  std::uniform_real_distribution<double> any(-0.3, 0.3);
  for (int i = 0; i < suspicions && !suspects.empty(); ++i) {
    Vector from = q;
    if (i > 0)
      for (double& x : from) x += any(random);
    const Vector at =
        configuration_with_open(system, t, from, open, Vector::Ones(system.position_rows()), held, bounds);
    std::vector<OpenJoint> gaps = gaps_of(at);
    if (only_open(gaps)) return {at, std::move(gaps)};
  }
  std::fill(open.begin(), open.end(), 0);
  const LeastOpen least = find_least_open(system, t, q, held, bounds);
  Vector at = least.q;
  std::vector<OpenJoint> gaps = gaps_of(at);
  for (int joints = 0; joints < most_joints && !only_open(gaps); ++joints) {
    for (const OpenJoint& joint : gaps) {
      bool added = false;
      for (std::size_t i = 0; i < m; ++i) {
        if (open[i] || least.weights[static_cast<Eigen::Index>(i)] > 1.0 || rows[i].owner != joint.name) continue;
        open[i] = 1;
        added = true;
      }
      if (added) break;  // the widest of those that were to hold
    }
    at = configuration_with_open(system, t, at, open, least.weights, held, bounds);
    gaps = gaps_of(at);
  }
  return {std::move(at), std::move(gaps)};
}

ContradictingRates find_contradicting_rates(const ConstrainedSystem& system, double t, const Vector& q) {
  constexpr int sharpenings = 12;
  const Eigen::Index n = system.coordinates();
  const Eigen::Index m = system.rows();
  if (m == 0 || !system.has_dense_matrices()) return {};
  Matrix G(m, n);
  Vector c(m);
  system.jacobian(t, q, G);
  system.velocity_constraint(t, q, Vector::Zero(n), c);
  const std::vector<Row>& rows = system.description().constraints;
  const std::vector<int> suspects = doubtful_rows(rows);
  const auto missed_with = [&](const Vector& weights, Vector& left) {
    const Matrix weighted = weights.asDiagonal() * G;
    const Vector v = solve_least(weighted, -weights.cwiseProduct(c));
    left = G * v + c;
    return gather_gaps(rows, left, counts_as_open * left.cwiseAbs().maxCoeff(), system.row_units(),
                       Row::Level::velocity);
  };
  Vector weights = Vector::Constant(m, heaviest);
  for (std::size_t i = 0; i < suspects.size(); ++i) weights[suspects[i]] = 1.0 / (1.0 + 0.1 * static_cast<double>(i));
  Vector left;
  const std::vector<OpenJoint> all = missed_with(weights, left);
  ContradictingRates result{all, {}};
  // Weights that follow the sizes leave few of them.
  for (int i = 0; i < sharpenings; ++i) {
    const double largest = left.cwiseAbs().maxCoeff();
    for (const int row : suspects) weights[row] = 1.0 / (std::abs(left[row]) / largest + 1e-3);
    result.missed = missed_with(weights, left);
  }
  for (const OpenJoint& rate : all) {
    const auto same = [&](const OpenJoint& missed) { return missed.name == rate.name; };
    if (std::none_of(result.missed.begin(), result.missed.end(), same))
      result.against.push_back(fmt::format("\"{}\"", rate.name));
  }
  return result;
}

}  // namespace raak
