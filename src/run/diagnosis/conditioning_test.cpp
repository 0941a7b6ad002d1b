#include "run/diagnosis/conditioning.h"

#include <gtest/gtest.h>

namespace raak {
namespace {

// A joint of three bodies has its rows twice.
TEST(Conditioning, NamesARowOnce) {
  Conditioning found;
  for (const char* name : {"E", "E", "O", "A", "B", "C", "D", "D", "F"}) found.rows.emplace_back(Row(name), 1.0);
  EXPECT_EQ(names_of(found), "\"E\", \"O\", \"A\", \"B\", \"C\", \"D\" and 1 more");
}

}  // namespace
}  // namespace raak
