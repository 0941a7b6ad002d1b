// The page of a bench whose rows are made up, so that every figure on it is known.
#include "study/bench/bench_page.h"

#include <gtest/gtest.h>

#include <cmath>

#include "problems/catalogue.h"

namespace raak {
namespace {

BenchRow row_of(const std::string& method, double rtol, double scd, double us) {
  BenchRow row;
  row.model = problem_catalogue().front().name;
  row.method = method;
  row.form = Form::index1;
  row.rtol = row.atol = rtol;
  row.scd = scd;
  row.mescd = scd + 0.5;
  row.digits = scd;
  row.cpu_us_min = us;
  row.cpu_us = 2.0 * us;
  row.work.steps = 17;
  row.work.accepted = 15;
  row.work.rejected = 2;
  row.work.evaluations = 123;
  row.work.jacobians = 4;
  row.work.factorizations = 6;
  return row;
}

// gauss is the cheaper one at scd >= 3, svd alone reaches 8; nobody has 10 digits.
BenchReport made_up() {
  BenchReport report{"raak 9.9", "a <fast> machine", {&problem_catalogue().front()}, {}, true};
  report.rows = {row_of("gauss", 1e-4, 3.25, 99.94),  row_of("gauss", 1e-5, 4.5, 100.0),
                 row_of("gauss", 1e-6, 4.25, 9999.0), row_of("svd", 1e-4, 5.5, 10000.0),
                 row_of("svd", 1e-5, 6.75, 999900.0), row_of("svd", 1e-6, 8.0, 2.5e6)};
  return report;
}

bool says(const std::string& page, const std::string& words) {
  return page.find(words) != std::string::npos;
}

std::string page_of(const BenchReport& report) {
  return bench_page(report, chapters_of(report));
}

// Between a heading and the end of the table below it.
std::string table_below(const std::string& page, const std::string& heading) {
  const std::size_t from = page.find(heading);
  EXPECT_NE(from, std::string::npos) << heading;
  return page.substr(from, page.find("</table>", from) - from);
}

TEST(BenchPage, NamesTheCheapestMethodAtEachAccuracy) {
  const std::string table = table_below(page_of(made_up()), "The cheapest method at each accuracy");
  EXPECT_TRUE(says(table, "99.9 µs <small>")) << table;
  EXPECT_TRUE(says(table, "gauss</small></td><td class=\"l\">10.0 ms <small>")) << table;
  EXPECT_TRUE(says(table, "svd</small></td><td class=\"l\">2.50 s <small>")) << table;
  EXPECT_TRUE(says(table, "svd</small></td><td class=\"l\">–</td></tr>")) << table;
}

TEST(BenchPage, TellsCostsWithTheirRatioShortfallAndBackslide) {
  const std::string table = table_below(page_of(made_up()), "CPU time at an accuracy");
  // 10,000 us against 99.94 us at scd >= 3; gauss asks for 6 digits at most and has 4.25, 0.25 less than before.
  EXPECT_TRUE(says(table, "<td class=\"best\">99.9 µs</td><td>–</td><td>–</td><td>–</td><td>1.75</td><td>0.25</td>"))
      << table;
  EXPECT_TRUE(says(table, "<td>10.0 ms<small>×100</small></td><td class=\"best\">10.0 ms</td>")) << table;
  EXPECT_TRUE(says(table, "<td class=\"best\">2.50 s</td><td>–</td><td>-1.50</td><td>–</td>")) << table;
}

TEST(BenchPage, HasTheColumnsOfTheLiteratureForEveryRun) {
  const std::string page = page_of(made_up());
  EXPECT_TRUE(says(page, "All 6 runs"));
  EXPECT_TRUE(says(page,
                   "<td>10<sup>-4</sup></td><td>10<sup>-4</sup></td><td></td><td>3.75</td><td>3.25</td><td>17</td>"
                   "<td>15</td><td>123</td><td>4</td><td>6</td><td>0.000200</td></tr>"))
      << page;
  BenchReport stepped = made_up();
  stepped.rows[0].h0 = 1e-3;
  EXPECT_TRUE(says(page_of(stepped), "<td>10<sup>-4</sup></td><td>10<sup>-3</sup></td><td>3.75</td>"));
}

TEST(BenchPage, WritesTimesInTheUnitThatFitsThem) {
  for (const auto& [us, text] : {std::pair{99.94, "99.9 µs"},
                                 {100.0, "100 µs"},
                                 {9999.0, "9999 µs"},
                                 {10000.0, "10.0 ms"},
                                 {999900.0, "999.9 ms"},
                                 {1e6, "1.00 s"}}) {
    BenchReport report = made_up();
    report.rows = {row_of("gauss", 1e-4, 3.5, us)};
    EXPECT_TRUE(says(page_of(report), std::string("<td class=\"best\">") + text + "</td>")) << text;
  }
}

TEST(BenchPage, MapsWhatFailedAndWhy) {
  BenchReport report = made_up();
  EXPECT_TRUE(says(page_of(report), "Every run reached its end."));
  for (const std::size_t i : {1U, 3U}) {
    report.rows[i].status = "failed";
    report.rows[i].message = "no step < 1e-9";
    report.rows[i].scd = report.rows[i].mescd = report.rows[i].digits = std::nullopt;
  }
  const std::string page = page_of(report);
  EXPECT_FALSE(says(page, "Every run reached its end."));
  EXPECT_TRUE(says(page, "<b>gauss at 1.0e-05, svd at 1.0e-04</b>: no step &lt; 1e-9"));
  const std::string map = table_below(page, "Map of failures");
  EXPECT_TRUE(says(map, "<th>10<sup>-4</sup></th><th>10<sup>-5</sup></th><th>10<sup>-6</sup></th>")) << map;
  const std::string good = "<td class=\"good\">·</td>";
  const std::string bad = "<td class=\"bad\" title=\"no step &lt; 1e-9\">✕</td>";
  EXPECT_TRUE(says(map, "gauss</td>" + good + bad + good)) << map;
  EXPECT_TRUE(says(map, "svd</td>" + bad + good + good)) << map;
  EXPECT_FALSE(says(page, "no step < 1e-9"));
}

TEST(BenchPage, SaysOnWhatItWasMeasuredAndWhetherItWasStopped) {
  BenchReport report = made_up();
  EXPECT_TRUE(says(page_of(report), "raak 9.9 on a &lt;fast&gt; machine, one thread"));
  EXPECT_FALSE(says(page_of(report), "Stopped by the user"));
  report.complete = false;
  EXPECT_TRUE(says(page_of(report), "Stopped by the user"));
  EXPECT_FALSE(says(page_of(report), "The model has no reference"));
  report.rows[2].reference = "its own run at 1e-13";
  EXPECT_TRUE(says(page_of(report), "digits are counted against its own run at 1e-13"));
}

}  // namespace
}  // namespace raak
