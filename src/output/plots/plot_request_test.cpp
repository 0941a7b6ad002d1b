#include "output/plots/plot_request.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace raak {
namespace {

using Names = std::vector<std::string>;
const Names columns{"t", "q.x", "q.phi", "v.x", "lambda.1", "energy.balance", "mod(x)", "a+b"};
const Names units{"s", "m", "rad", "m/s", "N", "J", "m", "m"};

Names columns_of(const std::string& text) {
  return read_plot(text, columns, units).columns;
}

TEST(PlotRequest, TakesColumnsCoordinatesAndKinds) {
  EXPECT_EQ(columns_of("energy.balance"), (Names{"energy.balance"}));
  EXPECT_EQ(columns_of("x"), (Names{"q.x"}));
  EXPECT_EQ(columns_of("q"), (Names{"q.x", "q.phi"}));
  EXPECT_EQ(columns_of("lambda+x"), (Names{"lambda.1", "q.x"}));
  EXPECT_EQ(columns_of("q+x"), (Names{"q.x", "q.phi"})) << "each once";
}

TEST(PlotRequest, TakesANameThatLooksLikeAFormulaForWhatItIs) {
  EXPECT_EQ(columns_of("mod(x)"), (Names{"mod(x)"}));
  EXPECT_EQ(columns_of("a+b"), (Names{"a+b"}));
}

TEST(PlotRequest, FoldsAnglesAlone) {
  EXPECT_EQ(read_plot("mod(q)", columns, units).modulo, (std::vector<bool>{false, true}));
  EXPECT_EQ(read_plot("mod(phi)+v.x", columns, units).modulo, (std::vector<bool>{true, false}));
  EXPECT_EQ(read_plot("phi", columns, units).modulo, (std::vector<bool>{false}));
}

TEST(PlotRequest, ReadsSwitchesInAnyOrder) {
  for (const char* text : {"each(full(mod(q)))", "full(mod(each(q)))"}) {
    const PlotRequest request = read_plot(text, columns, units);
    EXPECT_TRUE(request.each && request.full) << text;
    EXPECT_EQ(request.modulo, (std::vector<bool>{false, true})) << text;
  }
}

TEST(PlotRequest, SaysWhatIsWrong) {
  const auto message = [](const std::string& text, const Names& among = columns) -> std::string {
    try {
      read_plot(text, among, units);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::request);
      return error.what();
    }
    return "accepted";
  };
  EXPECT_NE(message("energy.balence").find("did you mean \"energy.balance\"?"), std::string::npos);
  EXPECT_NE(message("mod(ph)").find("\"phi\""), std::string::npos) << message("mod(ph)");
  EXPECT_NE(message("mod(v)").find("modulo 2 pi, and \"v\" is in m/s"), std::string::npos) << message("mod(v)");
  EXPECT_NE(message("fold(q)").find("no function is called \"fold\""), std::string::npos) << message("fold(q)");
  for (const char* text : {"t", "", "a", "x+", "mod(q", "mod()", "(x)"}) EXPECT_NE(message(text), "accepted") << text;
  Names many{"t"};
  for (int i = 0; i < 61; ++i) many.push_back("q.c" + std::to_string(i));
  EXPECT_NE(message("each(q)", many).find("61 panels"), std::string::npos);
}

}  // namespace
}  // namespace raak
