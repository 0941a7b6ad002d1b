// Starts without a search: where the guess is near they are those of a search, whatever start was found before, and
// elsewhere there is none.
#include "mechanism/start/near_start.h"

#include <gtest/gtest.h>

#include "mechanism/bodies/placement.h"
#include "modelfile/tests/test_support.h"

namespace raak {
namespace {

struct Numbers {
  double coupler = 0.34;  // m
  double guess = 1.6;     // rad, of the rocker
  double rate = 3.0;      // rad/s, of the crank
  std::string trusted = R"("crank.angle" = 0.5, "crank.omega" = "rate")";
  std::string guessed = "";
};

std::string four_bar(const Numbers& numbers) {
  return fmt::format(R"(format = "raak/1"
[parameters]
b = {}
guess = {}
rate = {}
[ground.points]
A = [0.0, 0.0]
D = [0.4, 0.0]
[bodies.crank]
mass = 0.3
inertia = 4e-4
com = [0.06, 0.0]
points = {{ A = [0.0, 0.0], B = [0.12, 0.0] }}
[bodies.coupler]
mass = 0.8
inertia = 8e-3
com = ["b/2", 0.0]
points = {{ B = [0.0, 0.0], C = ["b", 0.0] }}
[bodies.rocker]
mass = 0.6
inertia = 3e-3
points = {{ D = [0.0, 0.0], C = [0.26, 0.0] }}
[joints]
A = {{ type = "revolute", pins = ["ground.A", "crank.A"] }}
B = {{ type = "revolute", pins = ["crank.B", "coupler.B"] }}
C = {{ type = "revolute", pins = ["coupler.C", "rocker.C"] }}
D = {{ type = "revolute", pins = ["ground.D", "rocker.D"] }}
[start]
trust = {{ {} }}
guess = {{ {}"coupler.angle" = "0.45*guess", "rocker.angle" = "guess" }}
)",
                     numbers.coupler, numbers.guess, numbers.rate, numbers.trusted, numbers.guessed);
}

State reported_start(const Model& model) {
  State shown;
  model.system->report(consistent_start(model), shown);
  return shown;
}

void expect_start_of(const Model& model, const Numbers& numbers) {
  const State found = reported_start(model);
  const State fresh = reported_start(model_of(four_bar(numbers), Coordinates::automatic));
  EXPECT_LT((found.q - fresh.q).cwiseAbs().maxCoeff(), 1e-13);
  EXPECT_LT((found.v - fresh.v).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_LT((found.a - fresh.a).cwiseAbs().maxCoeff(), 1e-9);
}

// What NearStart finds for a mechanism as it is written, in the coordinates of its bodies.
std::optional<State> near_start_of(const std::string& text) {
  const Model model = model_of(text, Coordinates::maximal);
  const ScratchModel file(text);
  const auto mechanism = std::make_shared<const Mechanism>(read_mechanism(read_document(file.path()), file.path()));
  const Instance instance(mechanism, declared_parameters(*mechanism));
  const NearStart near(*model.system, model.system->reported(), {}, model.start);
  return near.find(*model.system, inner_state(instance, 0.0, model.start.q, model.start.v), model.start);
}

TEST(NearStart, IsThatOfASearch) {
  for (const double rate : {0.0, 3.0}) {
    const std::string text = four_bar({.rate = rate});
    const auto found = near_start_of(text);
    ASSERT_TRUE(found);
    const State start = consistent_start(model_of(text, Coordinates::maximal));
    EXPECT_LT((found->q - start.q).cwiseAbs().maxCoeff(), 1e-14);
    EXPECT_LT((found->v - start.v).cwiseAbs().maxCoeff(), 1e-13);
  }
}

TEST(NearStart, IsNoneWhereTheGuessIsFarOrDoesNotDetermineIt) {
  EXPECT_FALSE(near_start_of(four_bar({.guess = 0.9})));
  EXPECT_FALSE(near_start_of(four_bar({.trusted = R"("crank.omega" = "rate")"})));
  EXPECT_FALSE(
      near_start_of(four_bar({.trusted = R"("crank.angle" = 0.5)", .guessed = R"("crank.omega" = "rate", )"})));
}

TEST(NearStart, IsThatOfAModelBuiltAnewForEveryLength) {
  Model model = model_of(four_bar({}), Coordinates::automatic);
  for (const double length : {0.33, 0.3401, 0.36, 0.31, 0.34}) {
    ASSERT_TRUE(model.live->set(model, {{"b", length}}));
    expect_start_of(model, {.coupler = length});
  }
}

// The start before lies on the branch that the guess no longer means.
TEST(NearStart, FollowsTheGuessToAnotherBranch) {
  Model model = model_of(four_bar({}), Coordinates::automatic);
  const double angle = reported_start(model).q[8];
  ASSERT_TRUE(model.live->set(model, {{"guess", -2.1}, {"b", 0.35}}));
  expect_start_of(model, {.coupler = 0.35, .guess = -2.1});
  EXPECT_LT(reported_start(model).q[8] * angle, 0.0);
}

TEST(NearStart, LeavesTheModelAsItWasWhereNothingCloses) {
  Model model = model_of(four_bar({}), Coordinates::automatic);
  EXPECT_FALSE(model.live->set(model, {{"b", 0.9}}));
  expect_start_of(model, {});
}

}  // namespace
}  // namespace raak
