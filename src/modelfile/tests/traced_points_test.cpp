// The paths of a report follow the points that a model file shows.
#include <gtest/gtest.h>

#include "mechanism/drawing/draw.h"
#include "modelfile/tests/test_support.h"

namespace raak {
namespace {

std::vector<std::string> paths_of(const std::string& points, const std::string& outputs) {
  const ScratchModel file(
      "format = \"raak/1\"\n[ground.points]\nO = [0.0, 0.0]\n[bodies.arm]\nmass = 1.0\ninertia = 1.0\npoints = { O = "
      "[0.0, 0.0]" +
      points + " }\n[joints]\nhinge = { type = \"revolute\", pins = [\"ground.O\", \"arm.O\"] }\n[outputs]\n" +
      outputs);
  const auto mechanism = std::make_shared<const Mechanism>(read_mechanism(read_document(file.path()), file.path()));
  const Drawing drawing = draw(Instance(mechanism, declared_parameters(*mechanism)));
  std::vector<std::string> paths;
  for (const DrawingElement& element : drawing.elements)
    if (element.kind == DrawingElement::Kind::trace)
      paths.push_back(drawing.points.at(static_cast<std::size_t>(element.points.at(0))));
  return paths;
}

using Names = std::vector<std::string>;

TEST(TracedPoints, AreThoseThatOutputsShowInBothCoordinates) {
  const std::string points = ", P = [1.0, 0.0], Q = [0.5, 0.5]";
  EXPECT_EQ(paths_of(points, "one = \"arm.Q.x\"\ntwo = \"arm.P.x\"\nthree = \"arm.P.y\"\n"), Names{"arm.P"});
  EXPECT_EQ(paths_of(points, "one = \"arm.Q.x\"\ntwo = \"arm.Q.y\"\nthree = \"arm.Q.y\"\n"), Names{"arm.Q"});
}

TEST(TracedPoints, AreTheFreeEndsWhereNoOutputShowsAny) {
  EXPECT_EQ(paths_of(", P = [1.0, 0.0]", ""), Names{"arm.P"});
  EXPECT_EQ(paths_of(", P = [1.0, 0.0]", "one = \"arm.P.x\"\ntwo = \"arm.angle\"\n"), Names{"arm.P"});
  EXPECT_EQ(paths_of(", P = [1.0, 0.0]", "far = \"sqrt(arm.O.x^2 + arm.P.y^2)\"\n"), Names{"arm.P"});
}

}  // namespace
}  // namespace raak
