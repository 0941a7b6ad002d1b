#include "run/diagnosis/conditioning.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/sort_stably.h"
#include "base/text/text.h"
#include "kinematics/rank/constraint_frame.h"

namespace raak {
namespace {

constexpr double shared_weight = 0.3;  // of a constraint in a singular vector of length 1

void name_rows(const ConstrainedSystem& system, const Vector& weights, Conditioning& found) {
  const std::vector<Row>& rows = system.description().constraints;
  const std::vector<int> free = other_rows(system.description().constraints);
  // In a vector of many small parts the largest ones count.
  const double least = std::min(shared_weight, 0.7 * weights.cwiseAbs().maxCoeff());
  for (Eigen::Index i = 0; i < weights.size(); ++i)
    if (std::abs(weights[i]) >= least)
      found.rows.emplace_back(rows[static_cast<std::size_t>(free[static_cast<std::size_t>(i)])], std::abs(weights[i]));
  sort_stably(found.rows, [](const auto& a, const auto& b) { return a.second > b.second; });
}

// Columns in comparable units, so that a metre does not weigh more than a radian. Rows that hold by definition are left
// out, and of the others the part that they leave: what joints do to each other in configurations that there are.
Matrix scaled_jacobian(const ConstrainedSystem& system, double t, const Vector& q) {
  const Eigen::Index m = system.rows(), n = system.coordinates();
  if (m == 0 || m > most_rows_to_decompose || !system.has_dense_matrices()) return {};
  Matrix G(m, n);
  system.jacobian(t, q, G);
  G = (system.row_scales().cwiseInverse().asDiagonal() * G * system.coordinate_scales().asDiagonal()).eval();
  const std::vector<int> held = normalization_rows(system.description().constraints);
  if (held.empty()) return G;
  Matrix J = G(other_rows(system.description().constraints), Eigen::all);
  for (const int row : held) {  // each of other coordinates than the next
    const Vector along = G.row(row).transpose().normalized();
    J -= (J * along).eval() * along.transpose();
  }
  return J;
}

// Of a coordinate that has the size of 1, whatever the size of the mechanism.
bool is_turn(const ConstrainedSystem& system, Eigen::Index coordinate) {
  const std::vector<std::string>& units = system.description().units;
  const auto i = static_cast<std::size_t>(coordinate);
  return i < units.size() && units[i] != "m";
}

}  // namespace

Vector row_lengths(const ConstrainedSystem& system, double t, const Vector& q) {
  constexpr double away = 0.3;  // rad, or of a length that there is
  constexpr int probes_beside = 2;
  Vector lengths;
  for (int probe = 0; probe <= probes_beside; ++probe) {
    Vector beside = q;
    for (Eigen::Index i = 0; i < q.size() && probe > 0; ++i)
      beside[i] += away * std::sin(1.3 * static_cast<double>(i + 1) * probe + 0.7) * (is_turn(system, i) ? 1.0 : q[i]);
    const Matrix J = scaled_jacobian(system, t, beside);
    if (J.rows() == 0 || !J.allFinite()) continue;
    const Vector here = J.rowwise().norm();
    lengths = lengths.size() == 0 ? here : lengths.cwiseMax(here).eval();
  }
  return lengths;
}

Conditioning conditioning_at(const ConstrainedSystem& system, double t, const Vector& q, const Vector& usual) {
  Conditioning found;
  found.t = t;
  if (!system.has_dense_matrices()) {  // a pivot of G M^-1 G' is the squared distance of a row from those before it
    State at = State::of_size(system.coordinates(), system.rows());
    at.t = t;
    at.q = q;
    const double pivot = update_accelerations(system, at);
    found.ratio = pivot > 0.0 ? std::min(1.0, std::sqrt(pivot)) : 0.0;
    return found;
  }
  const Matrix J = scaled_jacobian(system, t, q);
  if (J.rows() == 0 || !J.allFinite()) return found;
  const Eigen::Index m = J.rows();
  const ConstraintFrame::Weakest weakest =
      ConstraintFrame(J, usual).weakest(system.coordinates() - (system.rows() - m), usual.size() == m);
  found.ratio = weakest.ratio;
  name_rows(system, weakest.rows, found);
  return found;
}

Conditioning conditioning_anywhere(const ConstrainedSystem& system, double t) {
  Conditioning best;
  best.ratio = -1.0;
  for (int probe = 1; probe <= 3; ++probe) {  // the best of three: one may be singular by chance
    Vector q(system.coordinates());
    for (Eigen::Index i = 0; i < q.size(); ++i)
      q[i] = std::sin(1.7 * probe + 2.3 * static_cast<double>(i) * probe + 0.4);
    Conditioning here = conditioning_at(system, t, q);
    if (here.ratio > best.ratio) best = std::move(here);
  }
  return best;
}

std::string names_of(const Conditioning& conditioning) {
  constexpr std::size_t most = 6;
  std::vector<std::string> names;  // a joint of several bodies has rows of one name
  for (const auto& [row, weight] : conditioning.rows)
    if (std::string name = fmt::format("\"{}\"", row.name()); !holds(names, name)) names.push_back(std::move(name));
  const std::size_t more = names.size() - std::min(most, names.size());
  names.resize(names.size() - more);
  return join(names) + (more > 0 ? fmt::format(" and {} more", more) : "");
}

}  // namespace raak
