#include "mechanism/row_selection.h"

#include <Eigen/QR>
#include <algorithm>
#include <limits>

namespace raak {
namespace {

constexpr double weak_pose = 1e-3;  // of the largest diagonal entry of R: nearer to a singular pose nothing is judged

constexpr double least_share = 1e-3;  // of a redundancy in a row that is left out: noise decides nothing

struct Pose {
  Matrix tangent;     // G tangent = 0
  Matrix redundancy;  // of the rows at unit length: orthonormal, G' redundancy = 0
};

// False in a singular pose.
bool look_at(const ConstrainedSystem& system, double t, const Vector& q, int rank, Pose& pose) {
  Matrix G(system.rows(), system.coordinates());
  system.jacobian(t, q, G);
  G.rowwise().normalize();
  const Eigen::ColPivHouseholderQR<Matrix> by_rows(G.transpose());
  const auto diagonal = by_rows.matrixR().diagonal().cwiseAbs();
  if (!(diagonal[rank - 1] > weak_pose * diagonal[0])) return false;
  const Eigen::Index n = G.cols();
  const Eigen::Index spare = G.rows() - rank;
  pose.tangent = by_rows.householderQ() * Matrix::Identity(n, n).rightCols(n - rank);
  // G' P = Q [R S; 0 0]: the combinations P [-R^-1 S; I] of rows vanish.
  Matrix combinations(G.rows(), spare);
  combinations.topRows(rank) = -by_rows.matrixR()
                                    .topLeftCorner(rank, rank)
                                    .triangularView<Eigen::Upper>()
                                    .solve(by_rows.matrixR().topRightCorner(rank, spare));
  combinations.bottomRows(spare).setIdentity();
  combinations = by_rows.colsPermutation() * combinations;
  pose.redundancy = Eigen::HouseholderQR<Matrix>(combinations).householderQ() * Matrix::Identity(G.rows(), spare);
  return true;
}

// Newton corrections; all rows count, of which some say nothing new.
bool bring_back(const ConstrainedSystem& system, double t, Vector& q) {
  constexpr int most = 6;
  constexpr double close = 1e-10;
  Matrix G(system.rows(), system.coordinates());
  Vector g(system.position_rows());
  for (int i = 0; i < most; ++i) {
    system.constraint(t, q, g);
    if (g.norm() < close) return true;
    system.jacobian(t, q, G);
    q -= G.topRows(g.size()).completeOrthogonalDecomposition().solve(g);
  }
  return false;
}

// The redundancy at q and at poses to both sides of it, as far as the motion leads on.
std::vector<Matrix> redundancy_along_motion(const ConstrainedSystem& system, double t, const Vector& q, int rank) {
  constexpr int poses = 8;       // to each side
  constexpr double apart = 0.2;  // rad or m, of the component that moves most
  std::vector<Matrix> found;
  Pose pose;
  for (const double sign : {1.0, -1.0}) {
    Vector at = q;
    Vector onwards = Vector::Constant(q.size(), sign);
    for (int k = 0; k <= poses; ++k) {
      if (!look_at(system, t, at, rank, pose)) break;
      if (k > 0 || found.empty()) found.push_back(pose.redundancy);
      onwards = pose.tangent * (pose.tangent.transpose() * onwards);
      const double size = onwards.size() > 0 ? onwards.cwiseAbs().maxCoeff() : 0.0;
      if (!(size > 0.0)) break;
      at += apart / size * onwards;
      if (!bring_back(system, t, at)) break;
    }
  }
  return found;
}

}  // namespace

void prefer_lasting_rows(const std::vector<RowOwner>& owners, const ConstrainedSystem& system, double t,
                         const Vector& q, std::vector<std::size_t>& kept) {
  const auto rank = static_cast<int>(kept.size());
  std::vector<Matrix> poses = redundancy_along_motion(system, t, q, rank);
  if (poses.empty()) return;
  std::vector<char> stays(owners.size(), 1);
  for (int left_out = 0; left_out < system.rows() - rank; ++left_out) {
    std::size_t best = owners.size();
    double largest = 0.0;
    for (std::size_t i = 0; i < owners.size(); ++i) {
      if (!stays[i] || owners[i].kind == RowOwner::Kind::unit_length) continue;
      double smallest = std::numeric_limits<double>::infinity();
      for (const Matrix& part : poses) smallest = std::min(smallest, part.row(static_cast<Eigen::Index>(i)).norm());
      // Of rows that are equally good the first, whatever rounding says.
      if (smallest <= 1.001 * largest) continue;
      largest = smallest;
      best = i;
    }
    if (!(largest > least_share)) return;  // no choice lasts over all of these poses
    stays[best] = 0;
    for (Matrix& part : poses) {
      const Vector along = part.row(static_cast<Eigen::Index>(best)).transpose().normalized();
      part -= (part * along).eval() * along.transpose();
    }
  }
  kept.clear();
  for (std::size_t i = 0; i < stays.size(); ++i)
    if (stays[i]) kept.push_back(i);
}

}  // namespace raak
