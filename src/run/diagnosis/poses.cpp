#include "run/diagnosis/poses.h"

#include <algorithm>
#include <cmath>

#include "base/linear/svd.h"

namespace raak {
namespace {

constexpr double dependent = 1e-3;  // of the largest singular value: the pose is known to a few digits only
constexpr double taking_part = 1e-3;
constexpr std::size_t most_named_poses = 8;  // the joints of later ones are those of the last one named

}  // namespace

std::vector<std::string> dependent_joints(const ConstrainedSystem& system, double t, const Vector& q) {
  Matrix G(system.rows(), system.coordinates());
  system.jacobian(t, q, G);
  G = (system.row_scales().cwiseInverse().asDiagonal() * G * system.coordinate_scales().asDiagonal()).eval();
  const Svd svd(G);
  const Vector& sigma = svd.singular_values();
  const auto larger = std::count_if(sigma.begin(), sigma.end(), [&](double s) { return s > dependent * sigma[0]; });
  const auto rank = G.rows() > 1 ? larger : 0;  // the only row vanishes as a whole
  const Matrix null_space = svd.left_vectors().rightCols(G.rows() - rank);
  std::vector<std::string> joints;
  for (Eigen::Index i = 0; i < G.rows(); ++i) {
    if (null_space.row(i).norm() < taking_part) continue;
    const Row& row = system.description().constraints[static_cast<std::size_t>(i)];
    if (row.holds_by_definition()) continue;
    if (std::find(joints.begin(), joints.end(), row.owner) == joints.end()) joints.push_back(row.owner);
  }
  return joints;
}

std::vector<PassedPose> passed_poses(const ConstrainedSystem& system, const std::vector<PoseRecord>& poses) {
  std::vector<PassedPose> passed;
  for (const PoseRecord& pose : poses) {
    const bool named = passed.size() < most_named_poses;
    PassedPose one{pose.t, named ? dependent_joints(system, pose.t, pose.q) : passed.back().joints};
    if (!one.joints.empty()) passed.push_back(std::move(one));
  }
  return passed;
}

}  // namespace raak
