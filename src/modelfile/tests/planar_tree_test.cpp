// The closed form of a planar tree's inertia against the maximal form, where it has the most to say: a free body that
// carries branches, centres of mass off the lines of the pins, pins that coincide, a point mass, and every kind of
// load.
#include <gtest/gtest.h>

#include <cmath>

#include "modelfile/tests/test_support.h"
#include "run/integrate.h"

namespace raak {
namespace {

constexpr const char* flying_crane = R"toml(format = "raak/1"
gravity = [0.3, -9.81]
[ground.points]
O = [0.0, 2.0]
[bodies.hull]
mass = 3.0
inertia = 0.8
com = [0.1, -0.2]
points = { A = [0.5, 0.1], C = [0.1, -0.2] }
[bodies.arm]
mass = 0.7
inertia = 0.05
com = [0.2, 0.07]
points = { A = [-0.1, 0.02], B = [0.6, -0.03] }
[bodies.hook]
mass = 0.4
inertia = 0.01
com = [0.05, -0.1]
points = { B = [0.0, 0.0], E = [0.1, -0.3] }
[bodies.twin]
mass = 0.3
inertia = 0.02
com = [-0.1, 0.04]
points = { B = [0.0, 0.0], E = [0.2, 0.1] }
[bodies.wheel]
mass = 0.5
inertia = 0.03
com = [0.03, 0.0]
points = { C = [0.0, 0.0], P = [0.0, 0.2] }
[bodies.bob]
type = "point"
mass = 0.2
[joints]
A = { type = "revolute", pins = ["hull.A", "arm.A"] }
B = { type = "revolute", pins = ["arm.B", "hook.B", "twin.B"] }
C = { type = "revolute", pins = ["hull.C", "wheel.C"] }
P = { type = "revolute", pins = ["wheel.P", "bob.bob"] }
[forces]
line = { type = "spring", between = ["ground.O", "hook.E"], stiffness = 40.0, length = 0.5, damping = 0.3 }
tie = { type = "spring", between = ["twin.E", "bob.bob"], stiffness = 15.0, length = 0.4 }
wind = { type = "force", at = "arm.B", value = ["1.0 + t", "-0.5*arm.omega"] }
motor = { type = "torque", on = "wheel", value = "0.3*cos(t)" }
coil = { type = "torsion-spring", bodies = ["arm", "hook"], stiffness = 2.0, damping = 0.1, angle = 0.4 }
[start]
trust = { "hull.x" = 0.2, "hull.y" = 0.5, "hull.angle" = 0.3, "arm.angle" = -0.4, "hook.angle" = 0.9, "twin.angle" = 2.0, "wheel.angle" = -1.1, "hull.vx" = 1.0, "hull.vy" = -0.4, "hull.omega" = 2.0, "arm.omega" = -1.5, "hook.omega" = 3.0, "twin.omega" = -2.5, "wheel.omega" = 4.0 }
[outputs]
pull = "B.hook.force.x"
)toml";

Result run_until(const Model& model, double until) {
  Plan plan;
  plan.until = until;
  plan.tolerances = Tolerances::uniform(1e-10, 1e-10);
  return integrate(*model.system, consistent_start(model), plan);
}

TEST(PlanarTree, OfAFreeBodyWithBranchesMovesAsTheMaximalFormDoes) {
  const Model tree = model_of(flying_crane, Coordinates::tree);
  const Model maximal = model_of(flying_crane, Coordinates::maximal);
  EXPECT_EQ(tree.system->coordinates(), 7);
  EXPECT_EQ(tree.system->rows(), 0);
  const State start = consistent_start(tree);
  const State other = consistent_start(maximal);
  State a, b;
  tree.system->report(start, a);
  maximal.system->report(other, b);
  const auto same = [](const Vector& x, const Vector& y, double within) {
    ASSERT_EQ(x.size(), y.size());
    EXPECT_LE((x - y).cwiseAbs().maxCoeff(), within * (1.0 + y.cwiseAbs().maxCoeff()));
  };
  same(a.q, b.q, 1e-14);
  same(a.v, b.v, 1e-14);
  same(a.a, b.a, 1e-12);
  same(a.lambda, b.lambda, 1e-12);
  const Energy energy = tree.system->energy(0.0, start.q, start.v);
  const Energy expected = maximal.system->energy(0.0, other.q, other.v);
  EXPECT_NEAR(energy.kinetic, expected.kinetic, 1e-13 * expected.kinetic);
  EXPECT_NEAR(energy.potential, expected.potential, 1e-12 * std::abs(expected.potential));
  EXPECT_NEAR(tree.system->input_power(start), maximal.system->input_power(other), 1e-11);
  const Result one = run_until(tree, 0.5);
  const Result two = run_until(maximal, 0.5);
  same(shown_at_end(tree, one).q, shown_at_end(maximal, two).q, 1e-9);
  same(one.outputs, two.outputs, 1e-7);
  EXPECT_LE(one.quality.energy_drift, 1e-8);
}

// An implicit step needs M and f as functions of the configuration, not only their values.
TEST(PlanarTree, HasTheLinearisedEquationsOfItsMotion) {
  const Model model = model_of(flying_crane, Coordinates::tree);
  const ConstrainedSystem& system = *model.system;
  State x = consistent_start(model);
  const int n = system.coordinates();
  Matrix K(n, n), f_q(n, n), f_v(n, n);
  system.inertia_stiffness(x, K);
  system.force_derivatives(x.t, x.q, x.v, f_q, f_v);
  const auto imbalance = [&](const Vector& q) {
    Matrix M(n, n);
    Vector f(n);
    system.mass(x.t, q, M);
    system.force(x.t, q, x.v, f);
    return Vector(M * x.a - f);
  };
  for (int i = 0; i < n; ++i) {
    constexpr double h = 1e-5;
    Vector ahead = x.q, behind = x.q;
    ahead[i] += h;
    behind[i] -= h;
    const Vector slope = (imbalance(ahead) - imbalance(behind)) / (2.0 * h);
    EXPECT_LE((slope - (K - f_q).col(i)).cwiseAbs().maxCoeff(), 1e-6 * (1.0 + slope.cwiseAbs().maxCoeff()));
  }
}

}  // namespace
}  // namespace raak
