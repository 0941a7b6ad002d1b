#include "base/text/some_of.h"

#include <gtest/gtest.h>

namespace raak {
namespace {

TEST(SomeOf, NamesAllOfAFewAndCountsTheRestOfMany) {
  EXPECT_EQ(some_of({}, 2), "");
  EXPECT_EQ(some_of({"a", "b"}, 2), "a, b");
  EXPECT_EQ(some_of({"a", "b", "c"}, 2), "a, b and 1 more");
  EXPECT_EQ(some_of(std::vector<std::string>(12, "x")).find("more"), std::string::npos);
  EXPECT_NE(some_of(std::vector<std::string>(13, "x")).find(" and 1 more"), std::string::npos);
}

TEST(SomeOf, ShowsTheBeginningAndTheEndOfAChain) {
  EXPECT_EQ(some_of_chain({"a", "b", "a"}, " -> ", 4), "a -> b -> a");
  EXPECT_EQ(some_of_chain({"a", "b", "c", "d", "e", "f", "a"}, " -> ", 4), "a -> b -> (3 more) -> f -> a");
  EXPECT_EQ(some_of_chain({"a", "b", "c", "d", "e", "a"}, " -> ", 5), "a -> b -> c -> (1 more) -> e -> a");
}

}  // namespace
}  // namespace raak
