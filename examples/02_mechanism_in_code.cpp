// A mechanism built in code: a four-bar linkage whose crank is driven. The words are those of a model file, and the
// same reader stands behind them. Shows its start, how it can move, and the torque of the motor. Ends with 1 if that is
// wrong.
#include <raak/raak.h>

#include <cmath>
#include <cstdio>

using raak::Value;

int main() {
  raak::Mechanism linkage("planar", "Four-bar linkage");
  linkage.gravity({0.0, -9.81}).parameter("a", 0.12).parameter("Omega", 10.0);
  linkage.ground_point("A", {0.0, 0.0}).ground_point("D", {0.40, 0.0});
  linkage.body("crank", {{"mass", 0.3},
                         {"inertia", 4.0e-4},
                         {"com", {"a/2", 0.0}},
                         {"points", Value::table({{"A", {0.0, 0.0}}, {"B", {"a", 0.0}}})}});
  linkage.body("coupler", {{"mass", 0.8},
                           {"inertia", 8.0e-3},
                           {"com", {0.17, 0.0}},
                           {"points", Value::table({{"B", {0.0, 0.0}}, {"C", {0.34, 0.0}}})}});
  linkage.body("rocker", {{"mass", 0.6},
                          {"inertia", 3.4e-3},
                          {"com", {0.13, 0.0}},
                          {"points", Value::table({{"D", {0.0, 0.0}}, {"C", {0.26, 0.0}}})}});
  linkage.joint("A", "revolute", {{"pins", {"ground.A", "crank.A"}}})
      .joint("B", "revolute", {{"pins", {"crank.B", "coupler.B"}}})
      .joint("C", "revolute", {{"pins", {"coupler.C", "rocker.C"}}})
      .joint("D", "revolute", {{"pins", {"ground.D", "rocker.D"}}});
  linkage.driver("motor", {{"coordinate", "crank.angle"}, {"motion", "0.5 + Omega*t"}});
  linkage.guess("coupler.angle", 0.6).guess("rocker.angle", 1.6);  // the open branch: C above the frame
  linkage.output("torque", "crank.B.x*B.force.y - crank.B.y*B.force.x + 0.3*9.81*a/2*cos(crank.angle)");  // N m

  const raak::Model model = linkage.build();
  const raak::Start start = model.assemble();
  std::printf("coupler at %.12f rad, rocker at %.12f rad; mobility %d\n", start.at["coupler.angle"],
              start.at["rocker.angle"], start.mobility);

  const raak::Result r = raak::run(model, {.until = 1.0, .rtol = 1e-8});
  std::printf("%s", r.brief().c_str());
  return std::abs(r.end()["torque"] - 0.06528747697561605) < 1e-7 ? 0 : 1;  // closed form
}
