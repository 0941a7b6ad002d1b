#include "methods/composite/singularity_locator.h"

#include <gtest/gtest.h>

#include <cmath>

#include "methods/collocation/collocation.h"

namespace raak {
namespace {

const std::vector<double>& nodes() {
  return collocation_rule(Collocation::Kind::gauss, 8).c;
}

std::vector<double> pivots(double (*pivot)(double)) {
  std::vector<double> values;
  for (const double c : nodes()) values.push_back(pivot(c));
  return values;
}

TEST(SingularityLocator, FindsWhereAPivotChangesItsSign) {
  SingularityLocator passage(nodes());
  ASSERT_TRUE(passage.look(pivots([](double x) { return std::cos(2.0 * x); })));
  ASSERT_EQ(passage.zeros().size(), 1U);
  EXPECT_NEAR(passage.zeros()[0], 0.7853981633974483, 1e-4);
  EXPECT_TRUE(passage.passes());
}

TEST(SingularityLocator, LeavesAStepAloneThatHasTheSingularityInItsMiddle) {
  SingularityLocator passage(nodes());
  ASSERT_TRUE(passage.look(pivots([](double x) { return 0.5 - x; })));
  EXPECT_EQ(passage.best_share(), 1.0);
}

TEST(SingularityLocator, ShortensAStepThatHasANodeInTheSingularity) {
  SingularityLocator passage(nodes());
  ASSERT_TRUE(passage.look(pivots([](double x) { return 0.763 - x; })));
  const double share = passage.best_share();
  EXPECT_LT(share, 1.0);
  for (const double c : nodes()) EXPECT_GT(std::abs(share * c - 0.763), 0.04);
  EXPECT_GT(std::abs(share - 0.763), 0.04);
}

TEST(SingularityLocator, SeesASingularityAheadOfTheEndAndOneAtTheStart) {
  SingularityLocator passage(nodes());
  ASSERT_TRUE(passage.look(pivots([](double x) { return 1.02 - x; })));
  EXPECT_FALSE(passage.passes());
  EXPECT_LT(passage.best_share(), 1.0);
  ASSERT_TRUE(passage.look(pivots([](double x) { return -x; })));
  EXPECT_NEAR(passage.zeros().front(), 0.0, 1e-12);
}

TEST(SingularityLocator, FindsWhereTheDeterminantOfTwoRowsThatVanishTogetherTouchesZero) {
  SingularityLocator passage(nodes());
  for (double at = 0.0; at < 1.0; at += 0.03) {
    std::vector<double> values;
    for (const double c : nodes()) values.push_back((c - at) * (c - at) * (1.0 + 0.3 * c));
    ASSERT_TRUE(passage.look(values)) << at;
    ASSERT_EQ(passage.zeros().size(), 1U) << at;
    EXPECT_NEAR(passage.zeros()[0], at, 2e-3);
    EXPECT_TRUE(passage.passes());
  }
}

TEST(SingularityLocator, SeesWhereSuchADeterminantWillVanish) {
  SingularityLocator passage(nodes());
  ASSERT_TRUE(passage.look(pivots([](double x) { return (1.3 - x) * (1.3 - x); })));
  ASSERT_EQ(passage.zeros().size(), 1U);
  EXPECT_NEAR(passage.zeros()[0], 1.3, 1e-6);
  EXPECT_NEAR(passage.nearest(), 1.3 - nodes().back(), 1e-12);
  ASSERT_TRUE(passage.look(pivots([](double x) { return 1.3 - x; })));
  ASSERT_EQ(passage.zeros().size(), 1U);
  EXPECT_NEAR(passage.zeros()[0], 1.3, 1e-12);
}

TEST(SingularityLocator, TakesAPivotThatOnlyComesNearForNoPassage) {
  SingularityLocator passage(nodes());
  EXPECT_FALSE(passage.look(pivots([](double x) { return (x - 0.3) * (x - 0.6); })));
  EXPECT_FALSE(passage.look(pivots([](double x) { return (x - 0.5) * (x - 0.5) + 0.01; })));
  ASSERT_TRUE(passage.look(pivots([](double x) { return (x - 0.5) * (x - 0.5) + 0.05; })));
  EXPECT_TRUE(passage.zeros().empty());
}

}  // namespace
}  // namespace raak
