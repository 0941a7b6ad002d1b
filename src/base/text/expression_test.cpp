#include "base/text/expression.h"

#include <gtest/gtest.h>

#include <cmath>

namespace raak {
namespace {

double value(const std::string& text) {
  return Expression::parse(text).evaluate<double>([](const Expression::Name& name) {
    return name.text == "x" ? 2.0 : name.text == "a.b.c" ? 5.0 : 0.0;
  });
}

TEST(Expression, FollowsTheUsualPrecedence) {
  EXPECT_DOUBLE_EQ(value("1 + 2*3 - 4/2"), 5.0);
  EXPECT_DOUBLE_EQ(value("-x^2"), -4.0);
  EXPECT_DOUBLE_EQ(value("2^3^2"), 512.0);
  EXPECT_DOUBLE_EQ(value("2^-1"), 0.5);
  EXPECT_DOUBLE_EQ(value("(1 + x)*a.b.c"), 15.0);
  EXPECT_DOUBLE_EQ(value("1.5e3 - .5"), 1499.5);
}

TEST(Expression, KnowsItsFunctions) {
  EXPECT_NEAR(value("sin(0.3)^2 + cos(0.3)^2"), 1.0, 1e-15);
  EXPECT_NEAR(value("asin(0.4) + acos(0.4)"), std::acos(0.0), 1e-15);
  EXPECT_DOUBLE_EQ(value("max(x, 3) + min(x, 3)"), 5.0);
  EXPECT_DOUBLE_EQ(value("atan2(1, 0)"), std::atan2(1.0, 0.0));
  EXPECT_NEAR(value("tanh(0.7) - sinh(0.7)/cosh(0.7)"), 0.0, 1e-15);
  EXPECT_EQ(value("tanh(1000) + tanh(-1000)"), 0.0);
  EXPECT_EQ(value("tanh(1000)"), 1.0);
  EXPECT_DOUBLE_EQ(value("sign(-3)*abs(-x)"), -2.0);
}

TEST(Expression, TellsWhereItStopsMakingSense) {
  const auto offset = [](const std::string& text) -> std::size_t {
    try {
      Expression::parse(text);
    } catch (const ExpressionError& error) {
      return error.offset();
    }
    return 1000;
  };
  EXPECT_EQ(offset(""), 0U);
  EXPECT_EQ(offset("1 + "), 4U);
  EXPECT_EQ(offset("1 2"), 2U);
  EXPECT_EQ(offset("3*sni(x)"), 2U);
  EXPECT_EQ(offset("sin(1, 2)"), 0U);
  EXPECT_EQ(offset("a..b"), 2U);
  EXPECT_LT(offset(std::string(100000, '(')), 1000U);
  EXPECT_EQ(offset("1" + std::string(50000, '+') + "1"), 201U);
}

TEST(Expression, KeepsTheHyphenOfAKnownNameBeforeADot) {
  const std::vector<std::string> known{"small-end", "small-end-left"};
  const auto names = [&](const char* text) {
    std::string all;
    const Expression parsed = Expression::parse(text, known);
    for (const Expression::Name& name : parsed.names()) all += name.text + ";";
    return all;
  };
  EXPECT_EQ(names("small-end.force.x"), "small-end.force.x;");
  EXPECT_EQ(names("2*small-end-left.force.x - a"), "small-end-left.force.x;a;");
  EXPECT_EQ(names("small-end"), "small;end;");
  EXPECT_EQ(names("big-end.force.x"), "big;end.force.x;");
}

}  // namespace
}  // namespace raak
