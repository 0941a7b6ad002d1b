// Rows of joints in directions that move with bodies: whichever set is taken, the same motions are constrained, and
// multipliers are those of set 0 again when they are turned back.
#include <gtest/gtest.h>

#include "mechanism/bodies/placement.h"
#include "mechanism/formulas/row_turns.h"
#include "mechanism/start/start_motion.h"
#include "modelfile/tests/test_support.h"

namespace raak {
namespace {

const std::string bodies = R"toml(format = "raak/1"
space = "spatial"
[bodies.a]
mass = 2.0
inertia = [0.3, 0.4, 0.5]
points = { P = [0.3, -0.2, 0.5] }
axes = { e = [0.2, 0.5, 0.9] }
[bodies.b]
mass = 1.0
inertia = [0.1, 0.2, 0.15]
com = [0.1, 0.0, -0.1]
points = { P = [-0.4, 0.1, 0.2] }
axes = { e = [0.7, -0.3, 0.1] }
[start.guess]
"a.rotation" = [0.4, 1.1, -0.7]
"b.rotation" = [-0.9, 0.3, 1.3]
"b.position" = [1.0, 0.2, 0.4]
)toml";

std::shared_ptr<const Instance> instance_of(const std::string& joint) {
  const ScratchModel file(bodies + "[joints]\nj = " + joint + "\n");
  const auto mechanism = std::make_shared<const Mechanism>(read_mechanism(read_document(file.path()), file.path()));
  return std::make_shared<const Instance>(mechanism, declared_parameters(*mechanism));
}

// A configuration that satisfies the joint, in maximal coordinates.
State start_of(const std::shared_ptr<const MaximalFormulas>& formulas, const MechanismSystem& system) {
  const ReportedNames names = reported_names(*formulas);
  return find_motion(formulas, system, placed_start(formulas->instance(), names.positions, names.velocities));
}

class RowDirections : public testing::TestWithParam<std::string> {};

TEST_P(RowDirections, OfEverySetConstrainTheSameMotions) {
  const auto all = std::make_shared<const MaximalFormulas>(instance_of(GetParam()));
  const MechanismSystem system(all);
  const State configuration = start_of(all, system);
  Matrix expected(system.rows(), system.coordinates());
  system.jacobian(configuration.t, configuration.q, expected);
  int sets = 1;
  for (const MechanismRow& row : all->all_rows()) sets = std::max(sets, row.component.sets);
  ASSERT_GT(sets, 1);
  for (int set = 1; set < sets; ++set) {
    const auto turned = std::make_shared<MaximalFormulas>(*all);
    std::vector<int> directions;
    for (const MechanismRow& row : all->all_rows()) directions.push_back(std::min(set, row.component.sets - 1));
    turned->keep(all->kept(), directions);
    Matrix rows(system.rows(), system.coordinates());
    MechanismSystem(turned).jacobian(configuration.t, configuration.q, rows);
    EXPECT_GT((rows - expected).norm(), 1e-3) << "set " << set << " has the directions of set 0";
    const RowTurns turns(turned);
    Vector cosines;
    turns.cosines(configuration.t, configuration.q, cosines);
    Eigen::Index next = 0;
    for (const RowTurns::Group& group : turns.groups()) {
      const auto size = static_cast<Eigen::Index>(group.size);
      Matrix C(size, size);
      for (Eigen::Index i = 0; i < size; ++i)
        for (Eigen::Index j = 0; j < size; ++j) C(i, j) = cosines[next++];
      EXPECT_LT((C * C.transpose() - Matrix::Identity(size, size)).norm(), 1e-10);
      auto these = rows.middleRows(static_cast<Eigen::Index>(group.row), size);
      these = (C * these).eval();
    }
    EXPECT_LT((rows - expected).norm(), 1e-9) << "set " << set;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Joints, RowDirections,
    testing::Values(R"({ type = "revolute", pins = ["a.P", "b.P"], axes = ["a.e", "b.e"] })",
                    R"({ type = "spherical", pins = ["a.P", "b.P"] })",
                    R"({ type = "universal", pins = ["a.P", "b.P"], axes = ["a.e", "b.e"] })",
                    R"({ type = "fixed", pins = ["a.P", "b.P"] })",
                    R"({ type = "cylindrical", pins = ["a.P", "b.P"], axes = ["a.e", "b.e"] })",
                    R"({ type = "screw", pins = ["a.P", "b.P"], axes = ["a.e", "b.e"], pitch = 0.1 })",
                    R"({ type = "planar", pins = ["a.P", "b.P"], axes = ["a.e", "b.e"] })",
                    R"({ type = "rolling-disc", pins = ["a.P", "b.P"], axes = ["a.e", "b.e"], radius = 0.3 })"),
    [](const auto& joint) {
      std::string name = joint.param.substr(joint.param.find('"') + 1);
      name = name.substr(0, name.find('"'));
      std::erase(name, '-');
      return name;
    });

}  // namespace
}  // namespace raak
