// Independent coordinates: the recorded evaluation against the dense one, the Newton step, the choice of pivots.
#include "system/recorded/partition/partition.h"

#include <gtest/gtest.h>

#include <cmath>

#include "system/example_systems.h"

namespace raak {
namespace {

// A four-bar whose support moves: three angles, one loop of two rows.
struct MovingFourBar {
  static constexpr int coordinates = 3;
  static constexpr int constraints = 2;

  void mass(const auto&, const auto& q, auto& M) const {
    M(0, 0) = 2.0;
    M(1, 1) = 1.5;
    M(2, 2) = 1.0;
    M(1, 0) = 0.4 * cos(q[0] - q[1]);
  }
  void force(const auto&, const auto& q, const auto& v, auto& f) const {
    f[0] = -3.0 * cos(q[0]) - 0.1 * v[0];
    f[1] = 0.2 * v[0] * v[1];
    f[2] = -cos(q[2]);
  }
  void constraint(const auto& t, const auto& q, auto& g) const {
    g[0] = cos(q[0]) + 2.0 * cos(q[1]) - 1.5 * cos(q[2]) - 1.8 - 0.1 * sin(t);
    g[1] = sin(q[0]) + 2.0 * sin(q[1]) - 1.5 * sin(q[2]);
  }
};

struct Evaluated {
  alignas(32) double a[12], dependent[24], determinants[8];
};

class FourBar : public testing::Test {
 protected:
  static constexpr int n = 3, m = 2;

  FourBar() {
    system->mass(0.0, q0, M);
    system->jacobian(0.0, q0, G);
    found = chooser.choose(G, M.diagonal());
    for (int lane = 0; lane < lanes; ++lane) {
      t[lane] = 0.1 * lane;
      for (int d = 0; d < n; ++d) {
        q[lanes * d + lane] = q0[d] + 0.02 * lane + 0.01 * d;
        v[lanes * d + lane] = 0.5 + 0.1 * lane - 0.3 * d;
      }
    }
  }
  Evaluated evaluate(const Partition& partition) {
    Evaluated e{};
    partition.evaluate(t, q, v, {e.a, e.dependent, e.determinants});
    return e;
  }

  std::shared_ptr<const ConstrainedSystem> system = make_system(MovingFourBar{});
  Vector q0{{1.2, 0.3, 1.4}};
  Matrix M{n, n}, G{m, n};
  PivotChooser chooser{m, n, 0.5};
  bool found = false;
  alignas(32) double t[lanes], q[lanes * n], v[lanes * n];
};

TEST_F(FourBar, IsEvaluatedAlikeByTheRecordedAndTheDensePartition) {
  ASSERT_TRUE(found);
  const Partition* recorded = system->partition(chooser.plan());
  ASSERT_NE(recorded, nullptr);
  const Evaluated one = evaluate(*recorded);
  const Evaluated other = evaluate(DensePartition(*system, chooser.plan()));
  for (int i = 0; i < lanes * n; ++i) EXPECT_NEAR(one.a[i], other.a[i], 1e-12) << i;
  for (int i = 0; i < lanes * m * 3; ++i) EXPECT_NEAR(one.dependent[i], other.dependent[i], 1e-12) << i;
  for (int i = 0; i < lanes * static_cast<int>(chooser.plan().blocks.size()); ++i)
    EXPECT_NEAR(one.determinants[i], other.determinants[i], 1e-12) << i;
}

TEST_F(FourBar, FindsTheAccelerationsOfTheFullCoordinatesWhereTheVelocitiesAreConsistent) {
  const Partition& partition = *system->partition(chooser.plan());
  const Evaluated e = evaluate(partition);
  for (int lane = 0; lane < lanes; ++lane) {
    Vector at(n), rate(n), a(n), lambda(m), c(m);
    for (int d = 0; d < n; ++d) {
      at[d] = q[lanes * d + lane];
      rate[d] = v[lanes * d + lane];
    }
    for (int k = 0; k < m; ++k)
      rate[partition.dependent()[static_cast<std::size_t>(k)]] = e.dependent[lanes * (m + k) + lane];
    system->velocity_constraint(t[lane], at, rate, c);
    EXPECT_LT(c.norm(), 1e-13);
    system->accelerate(t[lane], at.data(), rate.data(), a.data(), lambda.data());
    for (int d = 0; d < n; ++d) EXPECT_NEAR(e.a[lanes * d + lane], a[d], 1e-11);
  }
}

TEST_F(FourBar, ComesToTheConstraintsByNewtonStepsOfTheDependentPart) {
  const Partition& partition = *system->partition(chooser.plan());
  for (int iteration = 0; iteration < 6; ++iteration) {
    const Evaluated e = evaluate(partition);
    for (int k = 0; k < m; ++k)
      for (int lane = 0; lane < lanes; ++lane)
        q[lanes * partition.dependent()[static_cast<std::size_t>(k)] + lane] = e.dependent[lanes * k + lane];
  }
  for (int lane = 0; lane < lanes; ++lane) {
    Vector at(n), g(m);
    for (int d = 0; d < n; ++d) at[d] = q[lanes * d + lane];
    system->constraint(t[lane], at, g);
    EXPECT_LT(g.norm(), 1e-14);
  }
}

TEST_F(FourBar, KeepsOnePartitionForEachChoiceOfPivots) {
  const Partition* first = system->partition(chooser.plan());
  PivotPlan elsewhere = chooser.plan();
  elsewhere.blocks[0].reference *= 2.0;
  EXPECT_EQ(system->partition(elsewhere), first);
  std::swap(elsewhere.blocks[0].column[0], elsewhere.independent[0]);
  EXPECT_NE(system->partition(elsewhere), first);
  EXPECT_EQ(system->partition(chooser.plan()), first);
}

TEST(PivotChooser, RefusesDependentRowsAndSaysHowWeakOthersAre) {
  const Vector masses = Vector::Ones(3);
  PivotChooser chooser(2, 3, 0.5);
  EXPECT_FALSE(chooser.choose(Matrix{{1.0, 2.0, 0.0}, {2.0, 4.0, 0.0}}, masses));
  EXPECT_TRUE(chooser.choose(Matrix{{1.0, 2.0, 0.0}, {2.0, 4.0, 1e-5}}, masses));
  EXPECT_LT(chooser.weakest(), 1e-5);
  EXPECT_TRUE(chooser.choose(Matrix{{1.0, 0.0, 0.0}, {0.0, 3.0, 0.0}}, masses));
  EXPECT_NEAR(chooser.weakest(), 1.0, 1e-12);
  EXPECT_EQ(chooser.plan().independent, std::vector<int>{2});
}

TEST(PivotChooser, LeavesTheHeavierCoordinateIndependent) {
  PivotChooser chooser(1, 2, 0.5);
  ASSERT_TRUE(chooser.choose(Matrix{{1.0, 1.0}}, Vector{{9.0, 1.0}}));
  EXPECT_EQ(chooser.plan().independent, std::vector<int>{0});
}

}  // namespace
}  // namespace raak
