// Both forms of a table of known values, and what is wrong with others, each with its place.
#include "modelfile/history_file.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace raak {
namespace {

TEST(HistoryFile, ReadsARowATimeAndARowAValueAlike) {
  const HistoryFile wide = parse_history("t, F.x ,\"F.y\"\r\n# units: s,m,m\n0,1,2\r\n\n0.5,3,-4e-1\n", "f.csv");
  const HistoryFile rows = parse_history("t,name,value\n0.5,F.x,3\n0,F.x,1\n0,F.y,2\n0.5,F.y,-0.4\n", "f.csv");
  EXPECT_TRUE(wide.wide);
  EXPECT_FALSE(rows.wide);
  EXPECT_EQ(wide.values, rows.values);
  ASSERT_EQ(wide.values.size(), 2U);
  EXPECT_EQ(wide.values.at(0.5).at("F.y"), -0.4);
  ASSERT_EQ(wide.names.size(), 2U);
  EXPECT_EQ(wide.names[1].first, "F.y");
  EXPECT_EQ(wide.names[1].second.text(), "f.csv:1:9");
  EXPECT_EQ(wide.times[1].second.text(), "f.csv:5:1");
}

// As spreadsheets write them where the comma is the decimal point.
TEST(HistoryFile, TakesSemicolonsAndTabsForCommas) {
  const HistoryFile plain = parse_history("t,F.x,F.y\n0,1,2\n0.5,3,-0.4\n", "f.csv");
  for (const char* text : {"t;F.x;F.y\n0;1;2\n0.5;3;-0.4\n", "\"t\"\t\"F.x\"\tF.y\r\n0\t1\t2\r\n0.5\t3\t -0.4\r\n",
                           "t;name;value\n0;F.x;1\n0;F.y;2\n0.5;F.x;3\n0.5;F.y;-0.4\n"})
    EXPECT_EQ(parse_history(text, "f.csv").values, plain.values) << text;
}

// A run backwards has a table with falling times.
TEST(HistoryFile, TakesFallingTimes) {
  EXPECT_EQ(parse_history("t,x\n0,1\n-1,2\n-2,3\n", "f.csv").times.size(), 3U);
}

TEST(HistoryFile, SaysWhereItIsWrong) {
  const std::pair<const char*, const char*> files[] = {
      {"", "f.csv: found nothing, expected a header"},
      {"t,x\n", "f.csv:1:1: found no values after the header"},
      {"0.0,1.0\n0.1,2.0\n", "f.csv:1:1: expected a header that names the columns"},
      {"0.0 1.0\n", "f.csv:1:1: expected a header that names the columns"},
      {"t\n0\n", "f.csv:1:1: expected a header that names the columns"},
      {"t x y\n0 1 2\n", "f.csv:1:1: found blanks between the columns, expected commas, semicolons or tabs"},
      {"t;x\n0;1\n1,2\n",
       "f.csv:3:2: found commas between the cells of this row, expected semicolons as in the header"},
      {"t,x\n0\t1\n", "f.csv:2:2: found tabs between the cells of this row, expected commas as in the header"},
      {"t;x\n0,5;1\n", "f.csv:2:1: expected a number with a decimal point for t, found \"0,5\" with a comma"},
      {"t,x,\n0,1,2\n", "f.csv:1:5: expected the name of a column, found none"},
      {"t,x,x\n0,1,2\n", "f.csv:1:5: there are two columns \"x\""},
      {"t,x,y\n0,1,2\n1,2\n", "f.csv:3:4: found 2 cells in this row, expected 3: y has none"},
      {"t,x\n0,1,2\n", "f.csv:2:5: found 3 cells in this row, expected 2"},
      {"t,x,y\n0,1,2\n1,,3\n", "f.csv:3:3: found no value of x, expected a number"},
      {"t,x,y\n0,1,2\n1, 2, three\n", "f.csv:3:7: expected a number for y, found \"three\""},
      {"t,x\n0,nan\n", "f.csv:2:3: expected a number for x, found \"nan\""},
      {"t,x\n0,1.5.2\n", "f.csv:2:3: expected a number for x, found \"1.5.2\""},
      {"t,x\nnow,1\n", "f.csv:2:1: expected a number for t, found \"now\""},
      {"t,x\n0,1\n2,1\n1,1\n", "f.csv:4:1: t = 1 follows t = 2: expected times that increase, each once"},
      {"t,x\n0,1\n0,1\n", "f.csv:3:1: t = 0 follows t = 0: expected times that increase, each once"},
      {"t,x\n0,1\n-2,1\n-1,1\n", "f.csv:4:1: t = -1 follows t = -2: expected times that fall, each once"},
      {"t,name,value\n1,x\n", "f.csv:2:1: found 2 cells in this row, expected 3: t,name,value"},
      {"t,name,value\n1,x,2\n1,x,3\n", "f.csv:3:3: there is a value of x at t = 1 already"},
      {"t,name,value\n1,,2\n", "f.csv:2:3: expected the name of a coordinate or output, found none"},
      {"t,name,value\n1,x,two\n", "f.csv:2:5: expected a number for x, found \"two\""},
  };
  for (const auto& [text, words] : files) {
    try {
      parse_history(text, "f.csv");
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::model_file);
      EXPECT_TRUE(std::string(error.what()).starts_with(words)) << error.what();
    }
  }
}

TEST(HistoryFile, RefusesTimesOutsideTheRun) {
  const HistoryFile history = parse_history("t,x\n0,1\n50,2\n", "f.csv");
  EXPECT_NO_THROW(require_times_within(history, 0.0, 50.0 * (1.0 - 1e-14), "default"));
  try {
    require_times_within(history, 0.0, 0.05, "default");
    FAIL();
  } catch (const Error& error) {
    EXPECT_TRUE(
        std::string(error.what()).starts_with("f.csv:3:1: t = 50 s lies outside run \"default\", from 0 to 0.05 s"))
        << error.what();
  }
  EXPECT_TRUE(is_reached(-1.0, 0.0, -2.0));
  EXPECT_FALSE(is_reached(1.0, 0.0, -2.0));
  EXPECT_FALSE(is_reached(-3.0, 0.0, -2.0));
}

}  // namespace
}  // namespace raak
