#include "kinematics/rank/infinitesimal_motions.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/linear/eigenvalues.h"
#include "kinematics/rank/constraint_frame.h"

namespace raak {
namespace {

constexpr double vanishes = 1e-5;  // relative to the largest bias of a row: a form that is zero but for rounding
constexpr double rounding_of_biases = 1e-6;  // of the bias of any motion: biases below are zero but for rounding
constexpr Eigen::Index most_ways = 40;       // the forms take the square of it in evaluations

// The largest bias of a row for a motion that moves everything, whatever the constraints.
double bias_of_any_motion(const ConstrainedSystem& system, double t, const Vector& q, const Vector& lengths) {
  Vector u(system.coordinates()), bias(system.rows());
  for (Eigen::Index i = 0; i < u.size(); ++i) u[i] = std::cos(1.0 + static_cast<double>(i));
  system.acceleration_bias(t, q, u, bias);
  return bias.cwiseQuotient(lengths).cwiseAbs().maxCoeff();
}

// z' form z = w' b(N z), one for each column w of the left null space.
std::vector<Matrix> quadratic_forms(const ConstrainedSystem& system, double t, const Vector& q, const Matrix& motions,
                                    const Matrix& combinations, const Vector& lengths, double& scale) {
  Vector bias(system.rows());
  const auto forms_of = [&](const Vector& u) {
    system.acceleration_bias(t, q, u, bias);
    bias = bias.cwiseQuotient(lengths);
    scale = std::max(scale, bias.cwiseAbs().maxCoeff());
    return Vector(combinations.transpose() * bias);
  };
  const Eigen::Index ways = motions.cols();
  std::vector<Matrix> forms(static_cast<std::size_t>(combinations.cols()), Matrix::Zero(ways, ways));
  std::vector<Vector> alone;
  for (Eigen::Index j = 0; j < ways; ++j) alone.push_back(forms_of(motions.col(j)));
  for (Eigen::Index j = 0; j < ways; ++j)
    for (Eigen::Index k = 0; k <= j; ++k) {
      const Vector& own = alone[static_cast<std::size_t>(j)];
      const Vector both =
          j == k ? own
                 : Vector(0.5 * (forms_of(motions.col(j) + motions.col(k)) - own - alone[static_cast<std::size_t>(k)]));
      for (std::size_t i = 0; i < forms.size(); ++i)
        forms[i](j, k) = forms[i](k, j) = both[static_cast<Eigen::Index>(i)];
    }
  return forms;
}

// A combination of the forms that is nowhere negative, by turning it away from where it is most so (the perceptron of
// Rosenblatt); empty: none was found.
Matrix nowhere_negative(const std::vector<Matrix>& forms, double small) {
  constexpr int most_turns = 500;
  Vector weights(static_cast<Eigen::Index>(forms.size()));
  for (std::size_t i = 0; i < forms.size(); ++i) weights[static_cast<Eigen::Index>(i)] = forms[i].trace();
  for (int turn = 0; turn < most_turns && weights.norm() > small; ++turn) {
    Matrix sum = Matrix::Zero(forms.front().rows(), forms.front().cols());
    for (std::size_t i = 0; i < forms.size(); ++i)
      sum += weights[static_cast<Eigen::Index>(i)] / weights.norm() * forms[i];
    const Eigen::SelfAdjointEigenSolver<Matrix> eigen(sum);
    if (eigen.eigenvalues()[0] >= -small) return sum;
    const Vector worst = eigen.eigenvectors().col(0);
    for (std::size_t i = 0; i < forms.size(); ++i) weights[static_cast<Eigen::Index>(i)] += worst.dot(forms[i] * worst);
  }
  return {};
}

}  // namespace

int infinitesimal_motions(const ConstrainedSystem& system, double t, const Vector& q, int rank) {
  const Eigen::Index n = system.coordinates();
  const Eigen::Index m = system.rows();
  if (rank >= std::min(n, m) || n - rank > most_ways) return 0;
  Matrix G(m, n);
  system.jacobian(t, q, G);
  const ConstraintFrame frame(std::move(G));
  const Vector& lengths = frame.lengths();
  const Matrix combinations = frame.dependences(rank);
  Matrix motions = frame.motions(rank);
  // Of motions that no row sees, as those of a body without joints, all biases are rounding.
  const double least = rounding_of_biases * bias_of_any_motion(system, t, q, lengths);
  while (motions.cols() > 0) {
    double scale = least;
    const std::vector<Matrix> forms = quadratic_forms(system, t, q, motions, combinations, lengths, scale);
    const double small = vanishes * scale;
    const Matrix form = nowhere_negative(forms, small);
    if (form.size() == 0) break;
    const Eigen::SelfAdjointEigenSolver<Matrix> eigen(form);
    const Eigen::Index left = (eigen.eigenvalues().array() <= small).count();
    if (left == motions.cols()) break;
    motions = (motions * eigen.eigenvectors().leftCols(left)).eval();
  }
  return static_cast<int>(n - rank - motions.cols());
}

}  // namespace raak
