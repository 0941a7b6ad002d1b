#include "run/diagnosis/passed_singularities.h"

#include <algorithm>
#include <cmath>

#include "kinematics/rank/constraint_frame.h"

namespace raak {
namespace {

constexpr double part_in_dependence = 1e-3;
constexpr std::size_t most_named_singularities = 8;  // the joints of later ones are those of the last one named

}  // namespace

std::vector<std::string> dependent_joints(const ConstrainedSystem& system, double t, const Vector& q) {
  const auto frame = ConstraintFrame::with_alike_lengths(ConstraintFrame::scaled_rows(system, t, q));
  // The configuration is known to a few digits only. A single row vanishes as a whole.
  const Eigen::Index rank = system.rows() > 1 ? frame.rank_by_values(RankPolicy::regular) : 0;
  const Matrix null_space = frame.dependences(rank);
  std::vector<std::string> joints;
  for (Eigen::Index i = 0; i < null_space.rows(); ++i) {
    if (null_space.row(i).norm() < part_in_dependence) continue;
    const Row& row = system.description().constraints[static_cast<std::size_t>(i)];
    if (row.holds_by_definition()) continue;
    if (std::find(joints.begin(), joints.end(), row.owner) == joints.end()) joints.push_back(row.owner);
  }
  return joints;
}

std::vector<PassedSingularity> passed_singularities(const ConstrainedSystem& system,
                                                    const std::vector<SingularityRecord>& singularities) {
  std::vector<PassedSingularity> passed;
  for (const SingularityRecord& at : singularities) {
    const bool named = passed.size() < most_named_singularities;
    PassedSingularity one{at.t, named ? dependent_joints(system, at.t, at.q) : passed.back().joints};
    if (!one.joints.empty()) passed.push_back(std::move(one));
  }
  return passed;
}

}  // namespace raak
