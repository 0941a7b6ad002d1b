// Collocation and the explicit methods of order eight show their orders by halving a fixed step, each with every number
// of its stages; declared_order_test.cpp does so for the direct methods and their forms.
#include <gtest/gtest.h>

#include <cmath>

#include "methods/charts/partitioned_gauss.h"
#include "methods/collocation/gauss.h"
#include "methods/collocation/radau.h"
#include "methods/test_pendulum.h"

namespace raak {
namespace {

TEST(Dop853, HasOrderEightInsideItsStepsAsAtTheirEnds) {
  const State start = pendulum_start();
  const State exact =
      advance(*find_method("dop853").make(*pendulum, Form::index1, Tolerances::uniform(1e-14, 1e-14)), start, 0.8);
  for (const char* name : {"dop853", "svd-dop853"}) {
    const auto error = [&](double h) {
      return distance(
          advance(*find_method(name).make(*pendulum, Form::index1, Tolerances::uniform(1e9, 1e9)), start, 0.8, h),
          exact);
    };
    const double order = std::log2(error(0.1) / error(0.05));
    EXPECT_GT(order, 7.5) << name;
    EXPECT_LT(order, 10.0) << name;
  }
  const auto dense_error = [&](double h) {
    const auto method = find_method("dop853").make(*pendulum, Form::index1, Tolerances::uniform(1e9, 1e9));
    method->begin(start, h);
    EXPECT_TRUE(method->attempt(h).acceptable);
    method->accept();
    Vector q(2), v(2);
    method->interpolate(0.4 * h, q, v);
    const State at = advance(*find_method("dop853").make(*pendulum, Form::index1, Tolerances::uniform(1e-14, 1e-14)),
                             start, 0.4 * h);
    return (q - at.q).norm();
  };
  EXPECT_GT(std::log2(dense_error(0.4) / dense_error(0.2)), 8.5);  // a local error is of one order more
}

// The order that two fixed step lengths show, h and h / 2, over a time of 0.8 s.
double observed_order(Integrator& coarse, Integrator& fine, double h, const State& start = pendulum_start()) {
  const State exact =
      advance(*find_method("dop853").make(*pendulum, Form::index1, Tolerances::uniform(1e-14, 1e-14)), start, 0.8);
  coarse.use_fixed_steps();
  fine.use_fixed_steps();
  const double error = distance(advance(coarse, start, 0.8, h), exact);
  return std::log2(error / distance(advance(fine, start, 0.8, 0.5 * h), exact));
}

TEST(Gauss, HasOrderEightWithFourStagesAndSixteenWithEight) {
  const Tolerances any = Tolerances::uniform(1e-6, 1e-6);
  Gauss<4> four(*pendulum, Form::index1, any), four_fine(*pendulum, Form::index1, any);
  EXPECT_NEAR(observed_order(four, four_fine, 0.2), 8.0, 0.5);
  Gauss<8> eight(*pendulum, Form::index1, any), eight_fine(*pendulum, Form::index1, any);
  EXPECT_NEAR(observed_order(eight, eight_fine, 0.8), 16.0, 2.5);
  EXPECT_EQ(four.order(), 8);
  EXPECT_EQ(eight.order(), 16);
}

// A swing in which y is determined by x all the way.
State low_swing() {
  StartRequest r;
  r.q = (Vector(2) << 0.9, -1.2).finished();
  r.v = Vector::Zero(2);
  r.trusted_positions = {"x"};
  r.trusted_velocities = {"x"};
  return make_consistent(*pendulum, r);
}

TEST(PartitionedGauss, HasOrderEightWithFourStagesAndSixteenWithEight) {
  const State start = low_swing();
  const Tolerances any = Tolerances::uniform(1e-6, 1e-6);
  PartitionedGauss<4> four(*pendulum, any), four_fine(*pendulum, any);
  EXPECT_NEAR(observed_order(four, four_fine, 0.2, start), 8.0, 0.7);
  PartitionedGauss<8> eight(*pendulum, any), eight_fine(*pendulum, any);
  EXPECT_NEAR(observed_order(eight, eight_fine, 0.8, start), 16.0, 2.5);
}

TEST(Radau, HasOrderSevenWithFourStagesAndFifteenWithEight) {
  const Tolerances any = Tolerances::uniform(1e-6, 1e-6);
  Radau radau(*pendulum, Form::index1, any), fine(*pendulum, Form::index1, any);
  radau.fix_stages(4);
  fine.fix_stages(4);
  EXPECT_NEAR(observed_order(radau, fine, 0.2, low_swing()), 7.0, 0.5);
  EXPECT_EQ(radau.order(), 7);
  radau.fix_stages(8);
  fine.fix_stages(8);
  EXPECT_NEAR(observed_order(radau, fine, 0.8, low_swing()), 15.0, 1.5);
  EXPECT_EQ(radau.order(), 15);
}

}  // namespace
}  // namespace raak
