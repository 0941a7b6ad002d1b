#include "kinematics/slow/free_vibrations.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "base/error.h"
#include "base/linear/eigenvalues.h"
#include "base/text/text.h"
#include "kinematics/rank/constraint_frame.h"

namespace raak {
namespace {

constexpr double worth_naming = 0.3;  // of the largest motion, in scales of the mechanism
constexpr std::size_t most_names = 4;

// Columns of what the rows allow, in units of the coordinates.
Matrix allowed_directions(const ConstrainedSystem& system, double t, const Vector& q) {
  const Vector& scales = system.coordinate_scales();
  const ConstraintFrame frame(system, t, q);
  return scales.asDiagonal() * frame.motions(frame.rank(RankPolicy::zero));
}

}  // namespace

double FreeVibrations::frequency(Eigen::Index mode) const {
  return std::sqrt(std::max(0.0, squares[mode]));
}

FreeVibrations free_vibrations(const ConstrainedSystem& system, double t, const Vector& q) {
  const Eigen::Index n = system.coordinates();
  State rest = State::of_size(n, system.rows());
  rest.t = t;
  rest.q = q;
  update_accelerations(system, rest);
  FreeVibrations found;
  found.t = t;
  found.q = q;
  found.M.resize(n, n);
  Matrix f_q(n, n), f_v(n, n), K(n, n);
  system.mass(t, q, found.M);
  system.force_derivatives(t, q, rest.v, f_q, f_v);
  system.inertia_stiffness(rest, K);
  const Matrix N = allowed_directions(system, t, q);
  if (N.cols() == 0) return found;
  Matrix stiffness = N.transpose() * (K - f_q) * N;
  stiffness = (0.5 * (stiffness + stiffness.transpose())).eval();
  const Matrix mass = N.transpose() * found.M * N;
  if (stiffness.allFinite() && mass.allFinite()) {
    const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> modes(stiffness, mass);
    if (modes.info() == Eigen::Success) {
      found.squares = modes.eigenvalues();
      found.shapes = N * modes.eigenvectors();
      return found;
    }
  }
  throw Error(ErrorKind::computation,
              fmt::format("the vibrations at t = {:.6g} s are not defined: the stiffness is not finite, or some motion "
                          "has no inertia. Start from another configuration",
                          t));
}

std::string carriers_of(const ConstrainedSystem& system, const FreeVibrations& vibrations, Eigen::Index mode) {
  return carriers_of(system, vibrations.t, vibrations.q, vibrations.shapes.col(mode));
}

std::string carriers_of(const ConstrainedSystem& system, double t, const Vector& q, const Vector& v) {
  State moving = State::of_size(system.coordinates(), system.rows()), shown;
  moving.t = t;
  moving.q = q;
  moving.v = v;
  system.report_motion(moving, shown);
  const ReportedNames& reported = system.reported();
  Vector moves = shown.v.cwiseAbs();
  for (std::size_t i = 0; i < reported.velocity_units.size(); ++i)
    if (reported.velocity_units[i] == "m/s") moves[static_cast<Eigen::Index>(i)] /= system.description().length;
  std::vector<Eigen::Index> order(static_cast<std::size_t>(moves.size()));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](Eigen::Index a, Eigen::Index b) { return moves[a] > moves[b]; });
  std::vector<std::string> names;
  for (const Eigen::Index i : order)
    if (names.size() < most_names && moves[i] > worth_naming * moves.maxCoeff())
      names.push_back(fmt::format("\"{}\"", reported.velocities[static_cast<std::size_t>(i)]));
  return join(names);
}

}  // namespace raak
