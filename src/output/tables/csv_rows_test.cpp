// Tables that were written come back with every bit, and others are refused with the line.
#include "output/tables/csv_rows.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>

#include "base/error.h"
#include "output/formats/csv.h"

namespace raak {
namespace {

namespace fs = std::filesystem;

fs::path file_of(const std::string& text) {
  fs::path path = fs::path(testing::TempDir()) / "csv_rows_test.csv";
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

TEST(CsvRows, GiveBackWhatWasWritten) {
  const fs::path path = fs::path(testing::TempDir()) / "csv_rows_written.csv";
  const double numbers[] = {0.1, -1e-300, std::numeric_limits<double>::infinity(), 1.0 / 3.0};
  CsvFile table(path, {"t", "a \"name\", with a comma"}, {"s", "N m"});
  for (const double number : numbers) {
    table.add(number);
    table.add(-number);
    table.end_row();
  }
  table.seal("it ended early");
  keep_sealed(path);
  CsvRows rows(path);
  EXPECT_EQ(rows.names(), (std::vector<std::string>{"t", "a \"name\", with a comma"}));
  EXPECT_EQ(rows.units(), (std::vector<std::string>{"s", "N m"}));
  ASSERT_EQ(rows.rows(), 4U);
  std::vector<std::vector<double>> values(2);
  std::size_t first = 0;
  for (const std::size_t count : {3U, 1U}) {
    rows.read_next(count, values);
    for (std::size_t i = 0; i < count; ++i) {
      EXPECT_EQ(values[0][i], numbers[first + i]);
      EXPECT_EQ(values[1][i], -numbers[first + i]);
    }
    first += count;
  }
}

TEST(CsvRows, HaveNoUnitsWhereTheFileHasNone) {
  CsvRows rows(file_of("t,x\r\n0,1\r\n1,nan"));
  EXPECT_EQ(rows.units(), (std::vector<std::string>{"", ""}));
  std::vector<std::vector<double>> values(2);
  rows.read_next(rows.rows(), values);
  EXPECT_TRUE(std::isnan(values[1][1]));
}

TEST(CsvRows, SayWhatIsWrong) {
  const std::pair<const char*, const char*> files[] = {
      {"", "is empty"},
      {"x,y\n1,2\n", "its header begins with \"x\", expected t"},
      {"t,x\n0,1\n1\n", "line 3 has fewer than the 2 cells"},
      {"t,x\n# units: s,m\n0,1,2\n", "line 3 has more than the 2 cells"},
      {"t,x\n0,one\n", "line 2 has \"one\" for x, expected a number"},
  };
  for (const auto& [text, words] : files) {
    try {
      CsvRows rows(file_of(text));
      std::vector<std::vector<double>> values(2);
      rows.read_next(rows.rows(), values);
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::request);
      EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace raak
