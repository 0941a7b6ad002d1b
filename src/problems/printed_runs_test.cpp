#include "problems/printed_runs.h"

#include <gtest/gtest.h>

#include <cmath>

namespace raak {
namespace {

TEST(PrintedSettings, AreTheGridsOfTheDocuments) {
  const std::vector<double> andrews = find_printed_runs("andrews")->settings.rtols();
  ASSERT_EQ(andrews.size(), 49U);  // 10^-(4 + m/8), m = 0 .. 48
  EXPECT_EQ(andrews.front(), 1e-4);
  EXPECT_NEAR(andrews[8] / 1e-5, 1.0, 1e-14);
  EXPECT_NEAR(andrews.back() / 1e-10, 1.0, 1e-14);
  for (const char* name : {"car-axis", "slider-crank"}) {
    const std::vector<double> rtols = find_printed_runs(name)->settings.rtols();
    ASSERT_EQ(rtols.size(), 25U) << name;  // 10^-(4 + m/4), m = 0 .. 24
    EXPECT_NEAR(rtols.back() / 1e-10, 1.0, 1e-14) << name;
  }
}

TEST(PrintedSettings, HaveTheFirstStepsOfThePrintedRows) {
  ASSERT_EQ(printed_runs().size(), 3U);
  for (const PrintedRuns& runs : printed_runs())
    for (const PrintedRow& row : runs.rows) {
      if (!row.h0) continue;
      EXPECT_NEAR(*row.h0 / (runs.settings.h0_of_rtol * row.rtol), 1.0, 1e-12) << runs.model << row.solver;
    }
}

TEST(PrintedSettings, AreMissingWhereADocumentHasNone) {
  EXPECT_EQ(find_printed_runs("pendulum"), nullptr);
  EXPECT_EQ(find_printed_runs("andrews-iftomm"), nullptr);
  EXPECT_EQ(printed_drift("andrews-iftomm"), 1e-5);
  EXPECT_EQ(printed_drift("andrews"), std::nullopt);
}

}  // namespace
}  // namespace raak
