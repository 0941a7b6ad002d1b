#include "base/text/text.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "base/parameters.h"

namespace raak {
namespace {

const std::vector<std::string> models{"pendulum", "andrews", "car-axis"};

TEST(NearestName, FindsATypingError) {
  EXPECT_EQ(nearest_name("androws", models), "andrews");
  EXPECT_EQ(nearest_name("car_axis", models), "car-axis");
  EXPECT_EQ(nearest_name("pend", models), "pendulum");
  EXPECT_EQ(nearest_name("ANDREWS", models), "andrews");
  EXPECT_EQ(nearest_name("qqqqqqqq", models), std::nullopt);
  EXPECT_EQ(nearest_name("", models), std::nullopt);
}

TEST(UnknownName, SaysWhatThereIs) {
  EXPECT_EQ(unknown_name("model", "androws", models),
            "no model is called \"androws\"; did you mean \"andrews\"? There are: pendulum, andrews, car-axis");
}

TEST(Names, ThatThereAreNoneIsToldToo) {
  EXPECT_EQ(unknown_name("parameter", "x", {}), "no parameter is called \"x\"; there is none");
}

TEST(Join, KeepsThePlacesOfEmptyWords) {
  EXPECT_EQ(join({"", "", "a", ""}, ","), ",,a,");
  EXPECT_EQ(join({}), "");
}

TEST(ParseNumber, TakesTheWholeTextOrNothing) {
  EXPECT_EQ(parse_number("1e-3"), 1e-3);
  EXPECT_EQ(parse_number("+2"), 2.0);
  EXPECT_TRUE(std::isnan(*parse_number("nan")));
  for (const char* wrong : {"", "1,5", "1.0x", "e5", "1e999", " 1"}) EXPECT_FALSE(parse_number(wrong)) << wrong;
}

TEST(ExactText, ReadsBackTheSameNumber) {
  for (const double x : {0.1, 1.0 / 3.0, 6.02214076e23, -0.0, 5e-324}) EXPECT_EQ(*parse_number(exact_text(x)), x);
}

TEST(ExactText, OfWhatIsNotANumberHasNoSign) {
  EXPECT_EQ(exact_text(-std::nan("")), "nan");
}

TEST(UnknownName, NamesNothingTwice) {
  EXPECT_EQ(unknown_name("axis", "P", {"x", "y", "z", "y"}), "no axis is called \"P\". There are: x, y, z");
}

TEST(Parameters, AreSetByNameAndRefuseWhatMakesNoSense) {
  Parameters p({Parameters::number("k", 4530.0, "N/m", "spring stiffness"),
                Parameters::choice("beam", {"linear", "nonlinear"}, "strain of the beam")});
  p.set("k", "5e3");
  p.set("beam", "nonlinear");
  EXPECT_EQ(p.number("k"), 5000.0);
  EXPECT_EQ(p.choice("beam"), "nonlinear");
  const auto message = [&](const char* name, const char* value) -> std::string {
    try {
      p.set(name, value);
    } catch (const Error& e) {
      EXPECT_EQ(e.kind(), ErrorKind::request);
      return e.what();
    }
    return "";
  };
  EXPECT_EQ(message("kk", "1"), "no parameter is called \"kk\"; did you mean \"k\"? There are: k, beam");
  EXPECT_NE(message("k", "stiff").find("expects a finite number, found \"stiff\""), std::string::npos);
  EXPECT_NE(message("k", "inf").find("finite"), std::string::npos);
  EXPECT_NE(message("beam", "nonlinar").find("did you mean \"nonlinear\"?"), std::string::npos);
}

}  // namespace
}  // namespace raak
