// Forces of a mechanism that are functions, against the same forces as formulas of the mechanism.
#include <gtest/gtest.h>
#include <raak/raak.h>

#include <cmath>

namespace {

using raak::Value;

raak::Mechanism double_pendulum() {
  raak::Mechanism m("planar");
  m.gravity({0.0, -9.81}).ground_point("O", {0.0, 0.0});
  for (const char* const name : {"upper", "lower"})
    m.body(name, {{"mass", 1.0},
                  {"inertia", 0.1},
                  {"com", {0.5, 0.0}},
                  {"points", Value::table({{"P", {0.0, 0.0}}, {"Q", {1.0, 0.0}}})}});
  m.joint("hinge", "revolute", {{"pins", {"ground.O", "upper.P"}}});
  m.joint("elbow", "revolute", {{"pins", {"upper.Q", "lower.P"}}});
  m.trust("upper.angle", 0.3).trust("lower.angle", -0.4);
  m.output("reach", "lower.Q.x");
  return m;
}

raak::Model with_formulas() {
  raak::Mechanism m = double_pendulum();
  m.force("drag", "force", {{"at", "lower.Q"}, {"value", {"-0.4*lower.Q.vx", "-0.4*lower.Q.vy + sin(3*t)"}}});
  m.force("brake", "torque", {{"on", "upper"}, {"value", "-0.2*upper.omega^3"}});
  return m.build();
}

raak::Model with_functions() {
  raak::Mechanism m = double_pendulum();
  m.force("drag",
          {.at = "lower.Q", .of = {"lower.Q.vx", "lower.Q.vy"}, .value = [](double t, const double* w, double* F) {
             F[0] = -0.4 * w[0];
             F[1] = -0.4 * w[1] + std::sin(3.0 * t);
           }});
  m.force("brake", {.on = "upper", .of = {"upper.omega"}, .value = [](double, const double* w, double* F) {
                      F[0] = -0.2 * w[0] * w[0] * w[0];
                    }});
  return m.build();
}

TEST(ForceFunctions, MoveAMechanismAsTheirFormulasDo) {
  const raak::Model formulas = with_formulas(), functions = with_functions();
  EXPECT_EQ(formulas.columns(), functions.columns());
  for (const char* const method : {"", "dop853", "radau5", "gauss", "tangent", "adams"}) {
    const raak::Result one = raak::run(formulas, {.until = 2.0, .rtol = 1e-10, .method = method});
    const raak::Result other = raak::run(functions, {.until = 2.0, .rtol = 1e-10, .method = method});
    for (const char* const name : {"upper.angle", "lower.angle", "lower.omega", "lambda.1", "reach", "energy.input"})
      EXPECT_NEAR(one.end()[name], other.end()[name], 1e-7) << method << " " << name;
    EXPECT_LT(other.quality().energy_drift, 1e-6) << method;
  }
  EXPECT_NE(raak::run(functions).json().find("\"brake\""), std::string::npos);  // in the ledger, by name
}

TEST(ForceFunctions, MoveABodyInSpace) {
  const auto build = [](bool function) {
    raak::Mechanism m("spatial");
    m.ground_point("O", {0.0, 0.0, 0.0});
    m.body("top", {{"mass", 1.0},
                   {"inertia", {0.2, 0.3, 0.4}},
                   {"com", {0.0, 0.0, 0.5}},
                   {"points", Value::table({{"O", {0.0, 0.0, 0.0}}, {"tip", {0.0, 0.1, 1.0}}})}});
    m.joint("ball", "spherical", {{"pins", {"ground.O", "top.O"}}});
    m.trust("top.omega", {0.3, -0.2, 5.0});
    if (function) {
      m.force("push", {.at = "top.tip",
                       .value = [](double, const double*, double* F) { F[0] = 1.0, F[1] = 2.0, F[2] = -3.0; }});
      m.force("turn", {.on = "top", .of = {"top.omega.y"}, .value = [](double, const double* w, double* F) {
                         F[0] = 0.1, F[1] = -0.2 * w[0], F[2] = 0.3;
                       }});
    } else {
      m.force("push", "force", {{"at", "top.tip"}, {"value", {1.0, 2.0, -3.0}}});
      m.force("turn", "torque", {{"on", "top"}, {"value", {0.1, "-0.2*top.omega.y", 0.3}}});
    }
    return m.build();
  };
  const raak::Result one = raak::run(build(false), {.until = 1.0, .rtol = 1e-10});
  const raak::Result other = raak::run(build(true), {.until = 1.0, .rtol = 1e-10});
  for (const char* const name : {"top.quaternion.w", "top.quaternion.x", "top.omega.x", "top.omega.z"})
    EXPECT_NEAR(one.end()[name], other.end()[name], 1e-7) << name;
}

std::string refusal(const std::vector<std::string>& of) {
  raak::Mechanism m = double_pendulum();
  m.force("odd", {.on = "upper", .of = of, .value = [](double, const double*, double* F) { F[0] = 0.0; }});
  try {
    (void)m.build().assemble();
  } catch (const raak::ModelError& error) {
    return error.what();
  }
  return {};
}

TEST(ForceFunctions, SayWhatTheyCannotBeFunctionsOf) {
  EXPECT_NE(refusal({"upper.omga"}).find("force \"odd\": "), std::string::npos) << refusal({"upper.omga"});
  EXPECT_NE(refusal({"upper.angle", "hinge.force.x"}).find("argument 2"), std::string::npos);
  raak::Mechanism m = double_pendulum();
  EXPECT_THROW(m.force("none", raak::ForceFunction{}), raak::RequestError);
  m.force("odd", {.on = "upper", .value = [](double, const double*, double* F) { F[0] = 0.0; }});
  EXPECT_THROW(m.toml(), raak::RequestError);
  EXPECT_THROW(m.build().toml(), raak::RequestError);
}

}  // namespace
