#include "kinematics/rank/quadratic_zeros.h"

#include <gtest/gtest.h>

namespace raak {
namespace {

// (z_k - z_{k-1}) z_{k-1} = 0 from z_{-1} = 1, as the rates of cranks along a chain of loops; all of them mixed.
QuadraticEquations chain(Eigen::Index loops) {
  return [loops](const Vector& z) {
    Vector each(loops);
    for (Eigen::Index k = 0; k < loops; ++k) {
      const double before = k > 0 ? z[k - 1] : 1.0;
      each[k] = (z[k] - before) * before;
    }
    Vector mixed(loops);
    for (Eigen::Index k = 0; k < loops; ++k) mixed[k] = 0.5 * each[k] + 0.3 * each[loops - 1 - k] + 0.2 * each[0];
    return mixed;
  };
}

TEST(QuadraticZeros, FollowAChainOfLoops) {
  for (const Eigen::Index loops : {1, 2, 7, 25, 60}) {
    const auto zeros = quadratic_zeros(chain(loops), loops);
    ASSERT_EQ(zeros.size(), 1U) << loops;
    EXPECT_LT((zeros[0] - Vector::Ones(loops)).cwiseAbs().maxCoeff(), 1e-12) << loops;
  }
}

TEST(QuadraticZeros, AreAllFoundWhereTwoMotionsCross) {
  const QuadraticEquations crossing = [](const Vector& z) {
    return Vector{{z[0] * z[0] - 1.0, z[1] - 2.0 * z[0], z[2] + z[1]}};
  };
  const auto zeros = quadratic_zeros(crossing, 3);
  ASSERT_EQ(zeros.size(), 2U);
  for (const Vector& z : zeros) {
    EXPECT_NEAR(std::abs(z[0]), 1.0, 1e-12);
    EXPECT_NEAR(z[1], 2.0 * z[0], 1e-12);
    EXPECT_NEAR(z[2], -z[1], 1e-12);
  }
}

TEST(QuadraticZeros, AreFoundWhereNoCombinationIsLinear) {
  const QuadraticEquations circles = [](const Vector& z) {
    return Vector{{z[0] * z[0] + z[1] * z[1] - 1.0, z[0] * z[1] - 0.25, z[0] * z[0] - z[1] * z[1] - std::sqrt(0.75)}};
  };
  const auto zeros = quadratic_zeros(circles, 2);
  ASSERT_EQ(zeros.size(), 2U);
  for (const Vector& z : zeros) EXPECT_TRUE(are_zero(circles(z)));
}

TEST(QuadraticZeros, AreNoneWhereEquationsContradictEachOtherOrHaveNoRealRoot) {
  const QuadraticEquations contradicting = [](const Vector& z) {
    return Vector{{z[0] - 1.0, z[0] * z[1] - 2.0, z[1] - 3.0}};
  };
  EXPECT_TRUE(quadratic_zeros(contradicting, 2).empty());
  EXPECT_TRUE(quadratic_zeros([](const Vector& z) { return Vector{{z[0] * z[0] + 1.0}}; }, 1).empty());
}

TEST(QuadraticZeros, AreNotToldWhereTheOnlyOneIsMultiple) {
  const QuadraticEquations touching = [](const Vector& z) { return Vector{{z[0] * z[0], z[1] * z[1], z[0] * z[1]}}; };
  EXPECT_TRUE(quadratic_zeros(touching, 2).empty());
}

}  // namespace
}  // namespace raak
