#include "kinematics/start/straight_guess.h"

#include <algorithm>
#include <cmath>

#include "base/linear/eigenvalues.h"
#include "kinematics/rank/constraint_frame.h"
#include "kinematics/rank/scaled_equations.h"

namespace raak {
namespace {

constexpr double no_part = 1e-8;             // of the gap
constexpr double bend = 0.1;                 // rad, or of the size of the mechanism
constexpr Eigen::Index most_unknowns = 200;  // beyond it the matrices take too long

// How the combination w of rows curves along the motions V, both in scaled variables.
Matrix curvature_along(const ConstrainedSystem& system, double t, const Vector& q, const ScaledEquations& at,
                       const Vector& w, const Matrix& V, Eigen::Index rows) {
  constexpr double reach = 1e-4;
  Matrix G(system.rows(), system.coordinates());
  const Vector factors = w.head(rows).cwiseQuotient(at.row.head(rows));
  const auto slope = [&](const Vector& there) -> Vector {
    system.jacobian(t, there, G);
    return V.transpose() * at.column.cwiseProduct(G.topRows(rows).transpose() * factors);
  };
  Matrix H(V.cols(), V.cols());
  for (Eigen::Index k = 0; k < V.cols(); ++k) {
    const Vector way = reach * at.column.cwiseProduct(V.col(k));
    H.col(k) = (slope(q + way) - slope(q - way)) / (2.0 * reach);
  }
  return 0.5 * (H + H.transpose());
}

// All angles to the left, then one more than the other.
std::vector<Vector> left_turns(const ConstrainedSystem& system, const StartRequest& request) {
  if (request.frames != nullptr) return request.frames->left_turns(request.q);
  const std::vector<std::string>& units = system.description().units;
  Vector alike = Vector::Zero(system.coordinates()), rising = alike;
  for (std::size_t i = 0; i < units.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    if (units[i] == "m") continue;
    alike[k] = 1.0;
    rising[k] = static_cast<double>(i + 1);
  }
  return {alike, rising};
}

}  // namespace

Vector guess_off_line(const ConstrainedSystem& system, const StartRequest& request, const std::vector<int>& trusted) {
  const Vector& q = request.q;
  const Eigen::Index n = system.coordinates(), m = system.position_rows();
  if (m == 0 || n > most_unknowns) return q;
  Vector g(m);
  Matrix G(system.rows(), n);
  system.constraint(request.t, q, g);
  system.jacobian(request.t, q, G);
  if (!g.allFinite() || !G.allFinite() || request.bounds.are_closed(q, g)) return q;
  ScaledEquations at(system, request.t, q, G.topRows(m), g, trusted, q, q);
  if (ConstraintFrame(at.A).is_regular()) return q;
  // Rows of unit length would be other ones in another direction: those of a gap are the components of one vector.
  at.A = at.row.asDiagonal() * at.A;
  at.residual = at.residual.cwiseProduct(at.row);
  at.row.setOnes();
  const auto frame = ConstraintFrame::with_alike_lengths(at.A);
  const Eigen::Index rank = frame.rank_by_values();
  if (rank == at.A.rows() || rank == n) return q;
  const Matrix W = frame.dependences(rank);
  Vector w = W * (W.transpose() * at.residual);
  if (!(w.norm() > no_part * at.residual.norm())) return q;
  w.normalize();
  const Matrix V = frame.motions(rank);
  const Eigen::SelfAdjointEigenSolver<Matrix> modes(curvature_along(system, request.t, q, at, w, V, m));
  const Vector& bends = modes.eigenvalues();
  // The combination is open by w' residual; what closes it curves the other way.
  const double side = w.dot(at.residual) > 0.0 ? -1.0 : 1.0;
  const double strongest = std::max(std::abs(bends[0]), std::abs(bends[bends.size() - 1]));
  Matrix closing(n, 0);
  for (Eigen::Index k = 0; k < bends.size(); ++k) {
    if (!(side * bends[k] > 1e-3 * strongest)) continue;
    closing.conservativeResize(Eigen::NoChange, closing.cols() + 1);
    closing.col(closing.cols() - 1) = V * modes.eigenvectors().col(k);
  }
  if (closing.cols() == 0) return q;
  Vector turn;
  for (const Vector& left : left_turns(system, request)) {
    turn = closing * (closing.transpose() * left.cwiseQuotient(at.column));
    if (turn.norm() > 1e-6) break;
  }
  if (!(turn.norm() > 1e-6)) turn = closing * Vector::Ones(closing.cols());  // to the left and to the right alike
  const Vector way = at.column.cwiseProduct(turn);
  const Vector seen = request.frames != nullptr ? request.frames->from_coordinates(q, way) : way;
  return q + bend / seen.cwiseAbs().maxCoeff() * way;
}

}  // namespace raak
