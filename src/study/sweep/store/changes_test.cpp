// What has changed since a folder was begun is named in the words of the plan.
#include "study/sweep/store/changes.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace raak {
namespace {

Json passport(const Json& plan, int cases = 160, int block = 4) {
  return {{"program", "raak 0.1.0"}, {"exact", false}, {"cases", cases},
          {"block", block},          {"plan", plan},   {"files", Json::array()}};
}

std::string changes(const Json& before, const Json& now) {
  return changes_of(before, now, "", {});
}

TEST(Changes, OfTheSameSweepAreNone) {
  Json now = passport({{"seed", 1}});
  now["processor"] = "another one";
  EXPECT_EQ(changes(passport({{"seed", 1}}), now), "");
}

TEST(Changes, NameTheKeysInsteadOfWhatFollowsFromThem) {
  EXPECT_EQ(changes(passport({{"sobol-indices", true}}), passport({{"sobol-indices", false}}, 40, 1)),
            "sobol-indices was true and is false; the plan makes 40 cases and the folder has 160");
  EXPECT_EQ(changes(passport({{"run", nullptr}}), passport({{"run", "fast"}})), "run is new: \"fast\"");
  EXPECT_EQ(changes(passport({{"run", "fast"}, {"rtol", 1e-6}}), passport({{"run", nullptr}})),
            "run was \"fast\" and is left out; rtol was 1e-06 and is left out");
}

TEST(Changes, OfAWholePlanAreTheFirst) {
  const std::string text =
      changes(passport({{"a", 1}, {"b", 1}, {"c", 1}, {"d", 1}, {"e", 1}}), passport({{"a", 2}, {"b", 2}, {"f", 1}}));
  EXPECT_EQ(text, "a was 1 and is 2; b was 1 and is 2; f is new: 1; and 3 more of the plan");
}

TEST(Changes, OfHowItIsRun) {
  Json exact = passport({{"seed", 1}}), other = exact;
  exact["exact"] = true;
  other["program"] = "raak 0.2.0";
  EXPECT_EQ(changes(passport({{"seed", 1}}), exact), "it was begun without --exact");
  EXPECT_EQ(changes(exact, passport({{"seed", 1}})), "it was begun with --exact");
  EXPECT_EQ(changes(passport({{"seed", 1}}), other), "it was begun by \"raak 0.1.0\" and this is \"raak 0.2.0\"");
  EXPECT_EQ(changes(passport({{"seed", 1}}), passport({{"seed", 1}}, 160, 8)),
            "its blocks have 4 cases and would have 8 now");
}

}  // namespace
}  // namespace raak
