// A mechanism of many bodies is answered as one of few: the same mechanism recorded as a whole and evaluated element by
// element, as it would be beyond the crossover, has the same start, mobility report and refusals.
#include <gtest/gtest.h>

#include <cmath>

#include "kinematics/start/start_failure.h"
#include "modelfile/tests/test_support.h"

namespace raak {
namespace {

struct BothWays {
  explicit BothWays(const std::string& text)
      : few(model_of(text, Coordinates::maximal)), many(model_of(text, Coordinates::element_by_element)) {}
  Model few, many;
};

const std::string arm = R"(
[bodies.arm]
mass = 2.0
inertia = 0.5
points = { A = [0.0, 0.0], B = [1.0, 0.0] }
)";
const std::string two_arms = arm + R"(
[bodies.fore]
mass = 1.0
inertia = 0.2
points = { A = [0.0, 0.0], B = [0.8, 0.0] }
)";
const std::string head =
    "format = \"raak/1\"\ngravity = [0.0, -9.81]\n[ground.points]\nO = [0.0, 0.0]\nP = [1.5, 0.0]\n";

State shown_start(const Model& model) {
  const State start = consistent_start(model);
  State shown;
  model.system->report(start, shown);
  return shown;
}

void expect_same_refusal(const std::string& text, StartFailure::Cause cause) {
  const BothWays both(text);
  std::vector<std::string> open[2];
  for (const Model* model : {&both.few, &both.many}) {
    try {
      consistent_start(*model);
      ADD_FAILURE() << "a start was found";
    } catch (const StartFailure& failure) {
      EXPECT_EQ(failure.cause(), cause) << failure.what();
      EXPECT_FALSE(failure.advice().empty());
      for (const OpenJoint& joint : failure.open()) open[model == &both.many].push_back(joint.name);
    }
  }
  EXPECT_EQ(open[0], open[1]);
}

TEST(Crossover, GuessedRatesHoldWhereTheyCan) {
  const BothWays both(head + two_arms + R"([joints]
root = { type = "revolute", pins = ["ground.O", "arm.A"] }
elbow = { type = "revolute", pins = ["arm.B", "fore.A"] }
[start.guess]
"arm.angle" = 0.3
"fore.angle" = -0.4
"arm.omega" = 2.0
"fore.omega" = -1.0
)");
  const State few = shown_start(both.few), many = shown_start(both.many);
  EXPECT_LT((few.q - many.q).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_LT((few.v - many.v).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_NEAR(many.v[2], 2.0, 1e-12);
  EXPECT_NEAR(many.v[5], -1.0, 1e-12);
}

TEST(Crossover, WhatCannotCloseIsRefusedWithTheSameJoints) {
  expect_same_refusal(head + "Q = [9.0, 0.0]\n" + two_arms + R"([joints]
root = { type = "revolute", pins = ["ground.O", "arm.A"] }
elbow = { type = "revolute", pins = ["arm.B", "fore.A"] }
end = { type = "revolute", pins = ["fore.B", "ground.Q"] }
)",
                      StartFailure::Cause::open_joints);
}

TEST(Crossover, ValuesThatCannotBeReachedAreRefusedAlike) {
  expect_same_refusal(head + two_arms + R"([joints]
root = { type = "revolute", pins = ["ground.O", "arm.A"] }
elbow = { type = "revolute", pins = ["arm.B", "fore.A"] }
end = { type = "revolute", pins = ["fore.B", "ground.P"] }
[start.trust]
"arm.angle" = 2.5
)",
                      StartFailure::Cause::unreachable_values);
}

TEST(Crossover, RatesThatContradictEachOtherAreRefusedAlike) {
  expect_same_refusal(head + two_arms + R"([joints]
root = { type = "revolute", pins = ["ground.O", "arm.A"] }
elbow = { type = "revolute", pins = ["arm.B", "fore.A"] }
end = { type = "revolute", pins = ["fore.B", "ground.P"] }
[start.trust]
"arm.omega" = 1.0
"fore.omega" = 7.0
)",
                      StartFailure::Cause::contradicting_rates);
}

TEST(Crossover, RedundantJointsAreReportedAlike) {
  const BothWays both(head + arm + R"([joints]
root = { type = "revolute", pins = ["ground.O", "arm.A"] }
again = { type = "revolute", pins = ["ground.O", "arm.A"] }
[outputs]
F = "root.force.x"
)");
  ASSERT_TRUE(both.few.mobility && both.many.mobility);
  EXPECT_EQ(both.few.mobility->rank, both.many.mobility->rank);
  EXPECT_EQ(both.few.mobility->indeterminate, both.many.mobility->indeterminate);
  EXPECT_EQ(both.few.mobility->sharing, (std::vector<std::string>{"again", "root"}));
  EXPECT_EQ(both.few.mobility->sharing, both.many.mobility->sharing);
  for (const Model* model : {&both.few, &both.many}) {
    Vector outputs(1);
    model->system->evaluate_outputs(consistent_start(*model), outputs);
    EXPECT_TRUE(std::isnan(outputs[0]));
  }
}

// The linkage of equal opposite sides in one line, where two motions cross.
const std::string parallelogram = head + R"(
[bodies.crank]
mass = 1.0
inertia = 0.1
points = { A = [0.0, 0.0], B = [0.5, 0.0] }
[bodies.rocker]
mass = 1.0
inertia = 0.1
points = { A = [0.0, 0.0], B = [0.5, 0.0] }
[bodies.coupler]
mass = 1.0
inertia = 0.1
points = { A = [0.0, 0.0], B = [1.5, 0.0] }
[joints]
a = { type = "revolute", pins = ["ground.O", "crank.A"] }
b = { type = "revolute", pins = ["crank.B", "coupler.A"] }
c = { type = "revolute", pins = ["coupler.B", "rocker.B"] }
d = { type = "revolute", pins = ["rocker.A", "ground.P"] }
[start.guess]
"crank.angle" = 0.0
"rocker.angle" = 0.0
"coupler.angle" = 0.0
)";

TEST(Crossover, MotionsThatCrossAreRefusedAlike) {
  expect_same_refusal(parallelogram + "[start.trust]\n\"crank.omega\" = -4.0\n", StartFailure::Cause::singular);
}

TEST(Crossover, ASingularStartOnOneBranchIsTheSame) {
  const BothWays both(parallelogram + "[start.trust]\n\"crank.omega\" = -4.0\n\"rocker.omega\" = -4.0\n");
  const State few = shown_start(both.few), many = shown_start(both.many);
  EXPECT_LT((few.v - many.v).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_LT((few.a - many.a).cwiseAbs().maxCoeff(), 1e-4 * few.a.cwiseAbs().maxCoeff());
}

}  // namespace
}  // namespace raak
