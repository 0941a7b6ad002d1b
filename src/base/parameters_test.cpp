// Copies of parameters share what they have in common, and never a value that one of them is given.
#include "base/parameters.h"

#include <gtest/gtest.h>

namespace raak {
namespace {

TEST(Parameters, AreSetInOneCopyOnly) {
  Parameters first({Parameters::number("a", 1.0, "m", "a length"), Parameters::choice("c", {"x", "y"}, "a choice")});
  Parameters second = first;
  EXPECT_TRUE(first == second);
  EXPECT_EQ(&first.all(), &second.all());
  second.set("a", "2");
  EXPECT_EQ(first.number("a"), 1.0);
  EXPECT_EQ(second.number("a"), 2.0);
  EXPECT_FALSE(first == second);
  first.set("c", "y");
  EXPECT_EQ(second.choice("c"), "x");
  second.set("a", "1");
  second.set("c", "y");
  EXPECT_TRUE(first == second);
}

TEST(Parameters, OutliveWhatTheyWereCopiedFrom) {
  Parameters kept;
  {
    const Parameters declared({Parameters::number("a", 1.0, "m", "a length")});
    kept = declared;
    kept.set("a", "3");
  }
  EXPECT_EQ(kept.number("a"), 3.0);
  EXPECT_TRUE(Parameters().all().empty());
}

}  // namespace
}  // namespace raak
