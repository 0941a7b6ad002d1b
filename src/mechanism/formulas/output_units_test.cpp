#include "mechanism/formulas/output_units.h"

#include <gtest/gtest.h>

namespace raak {
namespace {

std::string unit(const char* formula) {
  return unit_of(Expression::parse(formula, {"small-end"}));
}

TEST(OutputUnits, AreThoseOfTheNames) {
  EXPECT_EQ(unit("OF.F.x"), "m");
  EXPECT_EQ(unit("rod.position.z"), "m");
  EXPECT_EQ(unit("crank.angle"), "rad");
  EXPECT_EQ(unit("crank.omega"), "rad/s");
  EXPECT_EQ(unit("rod.omega.x"), "rad/s");
  EXPECT_EQ(unit("slider.vx"), "m/s");
  EXPECT_EQ(unit("small-end.force.x"), "N");
  EXPECT_EQ(unit("hinge.moment"), "N m");
}

TEST(OutputUnits, FollowFromAHomogeneousFormula) {
  EXPECT_EQ(unit("-2*(a.P.x - b.P.x)"), "m");
  EXPECT_EQ(unit("sqrt(h.force.x^2 + h.force.y^2)"), "N");
  EXPECT_EQ(unit("h.force.x*a.P.y - h.force.y*a.P.x"), "N m");
  EXPECT_EQ(unit("h.force.x*a.vx"), "W");
  EXPECT_EQ(unit("a.P.x/t"), "m/s");
  EXPECT_EQ(unit("atan2(a.P.x, a.P.y)"), "1");
  EXPECT_EQ(unit("180/pi*crank.angle"), "rad");
  EXPECT_EQ(unit("a.vx*cos(a.angle) + a.vy*sin(a.angle)"), "m/s") << "in a cosine an angle is a number";
  EXPECT_EQ(unit("sqrt(a.P.x^2 + a.P.y^2)*a.P.x"), "m^2");
}

TEST(OutputUnits, FollowFromWhatParametersAreAddedToOrComparedWith) {
  EXPECT_EQ(unit("a.P.x - line"), "m");
  EXPECT_EQ(unit("asin((a.P.z - b.P.z)/l)"), "1");
  EXPECT_EQ(unit("crank.angle - pi"), "rad");
  EXPECT_EQ(unit("crank.angle - pi + phi0"), "rad");
  EXPECT_EQ(unit("a.B.x*h.force.y - a.B.y*h.force.x + m*g*l/2*cos(a.angle)"), "N m");
}

TEST(OutputUnits, AreNotGuessed) {
  EXPECT_EQ(unit("k*a.P.x"), "") << "of a parameter the unit is unknown";
  EXPECT_EQ(unit("a.omega/Omega"), "");
  EXPECT_EQ(unit("w*t - sin(2*w*t)/2"), "1");
  EXPECT_EQ(unit("a.P.x + a.vx"), "") << "what is added must be of one kind";
  EXPECT_EQ(unit("sin(a.P.x)"), "");
  EXPECT_EQ(unit("a.omega*a.P.x"), "") << "a point may stand for a direction";
  EXPECT_EQ(unit("1.5"), "");
}

}  // namespace
}  // namespace raak
