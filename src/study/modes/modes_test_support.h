// Models and comparisons that the tests of modes share.
#pragma once
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "modelfile/tests/test_support.h"
#include "problems/catalogue.h"
#include "problems/constants.h"
#include "study/modes/modes.h"

namespace raak {

using Settings = std::vector<std::pair<std::string, std::string>>;
inline constexpr Coordinates all_coordinates[] = {Coordinates::maximal, Coordinates::tree,
                                                  Coordinates::element_by_element};

inline Model problem(const std::string& name, const Settings& settings = {}) {
  for (const ModelSource& source : problem_catalogue())
    if (source.name == name) return source.build(with_settings(source.parameters, settings), Form::index1);
  throw std::runtime_error("no model " + name);
}

inline std::vector<double> frequencies(const Modes& found) {
  std::vector<double> list;
  for (const Mode& mode : found.modes) list.push_back(mode.omega());
  return list;
}

inline void expect_frequencies(const Modes& found, const std::vector<double>& expected, double tolerance = 1e-9) {
  ASSERT_EQ(found.modes.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(found.modes[i].omega(), expected[i], tolerance * expected[i]) << "mode " << i + 1;
}

inline ModesRequest by_iterations(int count) {
  ModesRequest request;
  request.count = count;
  request.most_dense = 0;
  return request;
}

inline double component(const Model& model, const Vector& shape, const std::string& name) {
  const auto& names = model.system->reported().velocities;
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) throw std::runtime_error("no " + name);
  return shape[found - names.begin()];
}

inline std::string filled(std::string text, const std::string& mark, const std::string& value) {
  for (std::size_t at = 0; (at = text.find(mark, at)) != std::string::npos; at += value.size())
    text.replace(at, mark.size(), value);
  return text;
}

inline constexpr const char* two_arms = R"(format = "raak/1"
gravity = [GRAVITY]
[ground.points]
O = [0.0, 0.0]
[bodies.a]
mass = 1.5
inertia = 1e-12
com = [0.4, 0.0]
points = { O = [0.0, 0.0], P = [0.4, 0.0] }
[bodies.b]
mass = 1.5
inertia = 1e-12
com = [0.4, 0.0]
points = { P = [0.0, 0.0] }
[joints]
first = { type = "revolute", pins = ["ground.O", "a.O"] }
second = { type = "revolute", pins = ["a.P", "b.P"] }
[start.guess]
"a.angle" = 0.3
"b.angle" = -0.2
)";

inline std::string slider_on_spring(double stiffness, double damping) {
  return fmt::format(R"(format = "raak/1"
[ground.points]
O = [0.0, 0.0]
[bodies.cart]
mass = 2.0
inertia = 1.0
points = {{ P = [0.0, 0.0] }}
[joints]
rail = {{ type = "prismatic", pins = ["ground.O", "cart.P"], axes = ["ground.x", "cart.x"] }}
[forces]
spring = {{ type = "force", at = "cart.P", value = ["-{}*cart.x - {}*cart.vx", 0.0] }}
[start.guess]
"cart.x" = 0.3
)",
                     stiffness, damping);
}

}  // namespace raak
