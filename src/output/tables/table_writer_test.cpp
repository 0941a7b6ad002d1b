// The contract of table formats: whatever is in the catalogue passes it.
#include "output/tables/table_writer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "output/catalogue.h"
#include "output/folder/partial_file.h"
#include "output/formats/zip_reader.h"
#include "output/tables/result_table.h"
#include "output/test_support.h"

namespace raak {
namespace {

namespace fs = std::filesystem;

class FewRows final : public TableRows {
 public:
  explicit FewRows(std::vector<std::vector<double>> values) : values_(std::move(values)) {
    names_ = {"t", "q.\"a, b\""};
    units_ = {"s", "rad"};
  }
  std::size_t rows() const override { return values_.front().size(); }
  void read_next(std::size_t, std::vector<std::vector<double>>& values) override { values = values_; }

 private:
  std::vector<std::vector<double>> values_;
};

const std::vector<std::vector<double>> numbers{{0.0, 0.1, 1e-310},
                                               {-1.0 / 3.0, std::nan(""), std::numeric_limits<double>::infinity()}};

class TableFormat : public testing::TestWithParam<const FormatInfo*> {
 protected:
  void SetUp() override {
    if (GetParam()->require == nullptr) return;
    try {
      GetParam()->require();
    } catch (const Error& error) {
      GTEST_SKIP() << error.what();
    }
  }
  fs::path file() const { return scratch_ / GetParam()->files.front(); }
  ScratchFolder scratch_;
};
INSTANTIATE_TEST_SUITE_P(Catalogue, TableFormat, testing::ValuesIn(table_formats()),
                         [](const auto& format) { return format.param->name; });

TEST_P(TableFormat, IsCompleteUnderThePartialNameOnly) {
  FewRows table(numbers);
  write_table(table, *GetParam()->make(file()), {});
  EXPECT_TRUE(fs::exists(partial_path(file())));
  EXPECT_FALSE(fs::exists(file()));
}

TEST_P(TableFormat, LeavesNothingBehindWithoutFinish) {
  {
    FewRows table(numbers);
    const auto writer = GetParam()->make(file());
    writer->begin(table);
    writer->rows(0, numbers);
  }
  EXPECT_TRUE(fs::is_empty(scratch_ / ""));
}

TEST_P(TableFormat, TakesATableWithoutRows) {
  FewRows table({{}, {}});
  write_table(table, *GetParam()->make(file()), {});
  EXPECT_GT(fs::file_size(partial_path(file())), 0U);
}

TEST_P(TableFormat, IsNamedAfterItsEnding) {
  EXPECT_EQ(file().extension(), "." + GetParam()->name);
  EXPECT_GT(GetParam()->usual_bytes, 0.0);
}

// Through each format that raak convert reads.
TEST(TableFormats, RoundTripThroughConvert) {
  const ScratchFolder scratch;
  FewRows table(numbers);
  write_table(table, *journal_format().make(scratch / "a.csv"), {});
  keep_sealed(scratch / "a.csv");
  convert_results(scratch / "a.csv", scratch / "b.npz");
  convert_results(scratch / "b.npz", scratch / "c.csv");
  EXPECT_EQ(text_in(scratch / "c.csv"), text_in(scratch / "a.csv"));
  convert_results(scratch / "b.npz", scratch / "d.json");
  EXPECT_EQ(Json::parse(text_in(scratch / "d.json")),
            Json::parse(R"({"columns": ["t", "q.\"a, b\""], "units": ["s", "rad"],
                            "rows": [[0, -0.3333333333333333], [0.1, null], [1e-310, null]]})"));
}

// What a sweep brings along: its causes.
TEST(TableFormats, HoldMoreBesideTheRows) {
  const ScratchFolder scratch;
  const Json more{{"causes", {{{"cause", "no start"}, {"first_case", 3}}}}};
  for (const char* name : {"npz", "json"}) {
    FewRows table(numbers);
    const fs::path file = scratch / (std::string("a.") + name);
    write_table(table, *chosen_formats({name}).front()->make(file), {.more = &more});
    keep_sealed(file);
  }
  EXPECT_EQ(Json::parse(text_in(scratch / "a.json")).at("causes"), more.at("causes"));
  const Json about = Json::parse(ZipReader(scratch / "a.npz").read("report.json"));
  EXPECT_EQ(about.at("causes"), more.at("causes"));
  EXPECT_EQ(about.at("units"), Json({"s", "rad"}));
}

TEST(TableFormats, AreChosenByName) {
  EXPECT_EQ(chosen_formats({}), chosen_formats({"npz", "csv"}));
  EXPECT_EQ(chosen_formats({"json"}).front()->files.front(), "result.json");
  try {
    chosen_formats({"npx"});
    FAIL() << "it is refused";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::request);
    EXPECT_NE(std::string(error.what()).find("\"npz\""), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace raak
