// What a tape knows of the values recorded on it.
#include "base/tape/tape.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace raak {
namespace {

bool has(const std::vector<Recorded>& all, const Recorded& one) {
  return std::any_of(all.begin(), all.end(), [&](const Recorded& each) { return each.key() / 2 == one.key() / 2; });
}

TEST(Tape, FindsTheLargestFunctionsOfOneBlockOfInputs) {
  Tape tape;
  const Tape::Recording recording(tape);
  const Recorded t = tape.new_input(0), x = tape.new_input(1), p = tape.new_input(2);
  const Recorded bump = exp(-t * t);
  const Recorded swing = p * sin(3.0 * t);  // a function of t if p is a constant
  const Recorded alone = sqrt(t + 2.0);     // used by nothing
  const Recorded row = x - bump * t + swing;
  EXPECT_FALSE(row.is_constant());
  const auto found = tape.functions_of(0);
  EXPECT_TRUE(has(found, bump * t));
  EXPECT_TRUE(has(found, sin(3.0 * t)));
  EXPECT_TRUE(has(found, alone));
  EXPECT_FALSE(has(found, bump)) << "is part of a larger one";
  EXPECT_FALSE(has(found, swing));
  EXPECT_FALSE(has(found, x));
  EXPECT_EQ(found.size(), 3U);
  const auto with_constants = tape.functions_of(0, 2);
  EXPECT_TRUE(has(with_constants, swing));
  EXPECT_FALSE(has(with_constants, sin(3.0 * t)));
}

TEST(Tape, FindsNoFunctionOfAnInputThatNothingUses) {
  Tape tape;
  const Tape::Recording recording(tape);
  tape.new_input(0);
  const Recorded x = tape.new_input(1);
  EXPECT_FALSE(sin(x).is_constant());
  EXPECT_TRUE(tape.functions_of(0).empty());
}

}  // namespace
}  // namespace raak
