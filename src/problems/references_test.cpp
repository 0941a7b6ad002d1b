// The embedded reference files and what counts in them.
#include "problems/references.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace raak {
namespace {

TEST(References, ReadsEveryDigitThatADoubleHolds) {
  const auto values = read_reference("andrews.csv");
  EXPECT_EQ(values.size(), 2u);
  EXPECT_EQ(values.at(0.03).at("q.beta"), 15.81077119515370709711939);
  EXPECT_EQ(values.at(0.03).size(), 27u);
}

TEST(References, NamesTheRowThatLacksSomething) {
  EXPECT_EQ(values_of_reference("t,name,value\n1,x,2\n\n1,y,-3e-2\n", "good.csv").at(1.0).at("y"), -0.03);
  for (const char* row : {"one,x,2", "1,x,two", "1,,2", ",x,2", "1,x,", "1,x", "1,x,2,3"}) {
    try {
      values_of_reference(std::string("t,name,value\n1,y,0\n") + row + "\n", "bad.csv");
      FAIL() << row;
    } catch (const Error& error) {
      EXPECT_EQ(error.what(), "bad.csv:3: expected time,name,value, found \"" + std::string(row) + "\"");
    }
  }
}

TEST(References, KeepsValuesThatDoNotCount) {
  const auto reference = trusted_reference("pendulum.csv", 9.5, {{"q."}, {"q.", "v.", "a.", "lambda."}});
  EXPECT_EQ(reference.values.at(0.0).at("period"), 2.614189552191523952368803);
  EXPECT_TRUE(reference.values.at(2.57).contains("z.1"));
  EXPECT_EQ(reference.scored, (std::vector<std::string>{"q.phi", "q.x", "q.y"}));
  EXPECT_EQ(reference.measured.size(), 11u);
}

TEST(References, CountsOnlyWhatADocumentPrints) {
  const auto reference = published_reference("a table", 1.0, {{"q.x", 2.0}, {"F.x", 3.0}}, {{"q."}, {"q.", "v."}});
  EXPECT_EQ(reference.kind, Reference::Kind::published);
  EXPECT_EQ(reference.scored, std::vector<std::string>{"q.x"});
  EXPECT_EQ(reference.measured, std::vector<std::string>{"q.x"});
}

TEST(References, NamesAFileThatWasNotBuiltIn) {
  try {
    read_reference("pendelum.csv");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::internal);
    EXPECT_NE(std::string(error.what()).find("pendelum.csv"), std::string::npos);
  }
}

}  // namespace
}  // namespace raak
