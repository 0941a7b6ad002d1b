#include "study/nearest_pose.h"

#include <Eigen/Cholesky>
#include <cmath>

namespace raak {

Vector nearest_pose(const ConstrainedSystem& system, double t, Vector q) {
  constexpr int most_trials = 200;
  constexpr double settled = 1e-12, hopeless = 1e12;  // of a correction; of the damping
  const Eigen::Index rows = system.position_rows(), n = system.coordinates();
  if (rows == 0 || system.is_large()) return q;
  Vector g(rows), trial(rows);
  Matrix G(system.rows(), n);
  system.constraint(t, q, g);
  double damping = 1e-3;
  for (int i = 0; i < most_trials && g.allFinite() && damping < hopeless; ++i) {
    system.jacobian(t, q, G);
    const Matrix J = G.topRows(rows);
    Matrix normal = J.transpose() * J;
    normal.diagonal().array() += damping;
    const Vector correction = -normal.ldlt().solve(J.transpose() * g);
    system.constraint(t, q + correction, trial);
    if (!trial.allFinite() || trial.norm() > g.norm()) {
      damping *= 10.0;
      continue;
    }
    q += correction;
    g = trial;
    damping *= 0.2;
    if (correction.norm() < settled * (1.0 + q.norm())) break;
  }
  return q;
}

}  // namespace raak
