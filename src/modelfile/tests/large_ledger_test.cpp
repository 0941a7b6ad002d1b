// The energy of mechanisms on both sides of the size from which they are evaluated element by element: every account of
// the ledger against what follows from positions, angles and lengths alone.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "modelfile/tests/test_support.h"
#include "run/integrate.h"

namespace raak {
namespace {

using Kind = EnergyAccount::Kind;

constexpr double g = 9.81, stiffness = 40.0, length = 1.5, torque = 3.0, drag = 0.25, speed = 2.0, until = 0.6;

// Rods that hang one from the other, the third on a spring and the last under a torque, and beside them a wheel that is
// driven at a constant speed against a brake.
std::string rods_and_wheel(int rods) {
  std::string text = fmt::format(R"(format = "raak/1"
gravity = [0.0, -{}]
[ground.points]
O = [0.0, 0.0]
S = [2.5, -2.0]
W = [0.0, 5.0]
[bodies.wheel]
mass = 2.0
inertia = 0.5
points = {{ O = [0.0, 0.0] }}
)",
                                 g);
  for (int i = 1; i <= rods; ++i)
    text += fmt::format(
        "[bodies.rod{}]\nmass = {}\ninertia = 0.1\ncom = [0.5, 0.0]\npoints = {{ A = [0.0, 0.0], B = [1.0, 0.0] }}\n",
        i, 1.0 + 0.01 * i);
  text += "[joints]\nhub = { type = \"revolute\", pins = [\"ground.W\", \"wheel.O\"] }\n";
  for (int i = 1; i <= rods; ++i)
    text += fmt::format("j{} = {{ type = \"revolute\", pins = [\"{}\", \"rod{}.A\"] }}\n", i,
                        i == 1 ? "ground.O" : fmt::format("rod{}.B", i - 1), i);
  text += fmt::format(R"([forces]
spring = {{ type = "spring", between = ["ground.S", "rod3.B"], stiffness = {}, length = {} }}
motor = {{ type = "torque", on = "rod{}", value = {} }}
brake = {{ type = "torsion-spring", bodies = ["ground", "wheel"], stiffness = 0.0, damping = {} }}
[drivers]
turn = {{ coordinate = "wheel.angle", motion = "{}*t" }}
[start.guess]
)",
                      stiffness, length, rods, torque, drag, speed);
  for (int i = 1; i <= rods; ++i) text += fmt::format("\"rod{}.angle\" = 0.0\n", i);
  return text;
}

Result run(const Model& model) {
  Plan plan;
  plan.until = until;
  plan.tolerances = Tolerances::uniform(1e-10, 1e-10);
  Result result = integrate(*model.system, consistent_start(model), plan);
  EXPECT_EQ(result.termination, Termination::ok) << result.message;
  return result;
}

using Accounts = std::map<std::pair<Kind, std::string>, Ledger::Entry>;

Accounts accounts_of(const Ledger& ledger) {
  Accounts all;
  for (const Ledger::Entry& entry : ledger.entries) all[{entry.account.kind, entry.account.name}] = entry;
  return all;
}

// What a state says of the energies, by the names of its coordinates.
struct Seen {
  double gravity = 0.0, spring = 0.0, kinetic = 0.0, angle = 0.0;
};
Seen look(const Model& model, const State& state, int rods) {
  State shown;
  model.system->report(state, shown);
  const std::vector<std::string>& names = model.system->reported().positions;
  const auto at = [&](const std::string& name) { return std::find(names.begin(), names.end(), name) - names.begin(); };
  Seen seen;
  seen.gravity = 2.0 * g * shown.q[at("wheel.y")];
  seen.kinetic = 0.5 * 0.5 * shown.v[at("wheel.angle")] * shown.v[at("wheel.angle")];
  for (int i = 1; i <= rods; ++i) {
    const std::string rod = fmt::format("rod{}", i);
    const double mass = 1.0 + 0.01 * i, angle = shown.q[at(rod + ".angle")], omega = shown.v[at(rod + ".angle")];
    const double x = shown.q[at(rod + ".x")], y = shown.q[at(rod + ".y")];
    const double vx = shown.v[at(rod + ".x")] - 0.5 * omega * std::sin(angle);
    const double vy = shown.v[at(rod + ".y")] + 0.5 * omega * std::cos(angle);
    seen.gravity += mass * g * (y + 0.5 * std::sin(angle));
    seen.kinetic += 0.5 * mass * (vx * vx + vy * vy) + 0.5 * 0.1 * omega * omega;
    if (i == 3) {
      const double stretch = std::hypot(x + std::cos(angle) - 2.5, y + std::sin(angle) + 2.0) - length;
      seen.spring = 0.5 * stiffness * stretch * stretch;
    }
    if (i == rods) seen.angle = angle;
  }
  return seen;
}

class LedgerOfRods : public testing::TestWithParam<int> {};

TEST_P(LedgerOfRods, SaysWhatPositionsAnglesAndLengthsSay) {
  const int rods = GetParam();
  const Model model = model_of(rods_and_wheel(rods), Coordinates::automatic);
  const Result result = run(model);
  const Ledger& ledger = result.ledger;
  Accounts accounts = accounts_of(ledger);
  ASSERT_EQ(accounts.size(), 5U);
  const Seen start = look(model, result.start, rods), end = look(model, result.end, rods);
  const double work_of_motor = torque * (end.angle - start.angle), taken = drag * speed * speed * until;
  ASSERT_GT(std::abs(work_of_motor), 0.1);
  ASSERT_GT(end.kinetic, 1.0);
  const Ledger::Entry& gravity = accounts[{Kind::potential, "gravity"}];
  EXPECT_NEAR(gravity.start, start.gravity, 1e-9);
  EXPECT_NEAR(gravity.end, end.gravity, 1e-6);
  const Ledger::Entry& spring = accounts[{Kind::potential, "spring"}];
  EXPECT_NEAR(spring.start, start.spring, 1e-9);
  EXPECT_NEAR(spring.end, end.spring, 1e-8);
  EXPECT_NEAR((accounts[{Kind::input, "motor"}].end), work_of_motor, 1e-7);
  EXPECT_NEAR((accounts[{Kind::dissipation, "brake"}].end), -taken, 1e-9) << "what a damper does takes energy";
  EXPECT_NEAR((accounts[{Kind::driver, "turn"}].end), taken, 1e-9);
  EXPECT_NEAR(ledger.kinetic_start, start.kinetic, 1e-9);
  EXPECT_NEAR(ledger.kinetic_end, end.kinetic, 1e-6);
  EXPECT_NEAR(ledger.input, work_of_motor + taken, 1e-7);
  EXPECT_NEAR(ledger.dissipation, taken, 1e-9) << "counted positive";
  // Nothing comes from nowhere, and the columns of results say the same.
  const double gained = end.kinetic + end.gravity + end.spring - start.kinetic - start.gravity - start.spring;
  EXPECT_NEAR(gained, ledger.input - ledger.dissipation, 1e-6);
  const auto totals = energies_of(result.outputs);
  EXPECT_NEAR(totals[0], end.kinetic, 1e-6);
  EXPECT_NEAR(totals[1], end.gravity + end.spring, 1e-6);
  EXPECT_NEAR(totals[2], work_of_motor + taken, 1e-7);
  EXPECT_NEAR(totals[3], taken, 1e-9);
}

// With the wheel 30 bodies are recorded as a whole, 31 are evaluated element by element.
INSTANTIATE_TEST_SUITE_P(AroundTheChange, LedgerOfRods, testing::Values(5, 29, 30, 60));

constexpr const char* in_space = R"toml(format = "raak/1"
space = "spatial"
gravity = [1.0, -2.0, -9.81]
[ground.points]
O = [0.0, 0.0, 0.0]
S = [0.5, 1.0, 1.0]
[bodies.arm]
mass = 2.0
inertia = [0.1, 0.3, 0.25]
com = [0.5, 0.1, 0.0]
points = { O = [0.0, 0.0, 0.0], A = [1.0, 0.0, 0.2] }
[bodies.fly]
mass = 1.5
inertia = [0.1, 0.2, 0.15]
com = [0.0, 0.2, 0.1]
points = { A = [0.0, 0.0, 0.0], B = [0.3, 0.4, 0.0] }
[joints]
O = { type = "spherical", pins = ["ground.O", "arm.O"] }
A = { type = "spherical", pins = ["arm.A", "fly.A"] }
[forces]
spring = { type = "spring", between = ["ground.S", "fly.B"], stiffness = 30.0, length = 0.6, damping = 0.7 }
second = { type = "spring", between = ["ground.O", "fly.B"], stiffness = 20.0, length = 0.4 }
twist = { type = "torque", on = "fly", value = [0.2, 0.1, -0.3] }
push = { type = "force", at = "fly.B", value = [1.0, "sin(3*t)", 0.0], axes = "ground" }
[drivers]
rope = { distance = ["ground.S", "arm.A"], motion = "d0 + 0.1*(1 - cos(2*t))" }
[parameters]
d0 = 1.3747727084867520
)toml";

// Element by element or as a whole: the same accounts in the same order.
TEST(LargeLedger, HasTheAccountsOfTheSameMechanismRecordedAsAWhole) {
  for (const std::string& text : {rods_and_wheel(4), std::string(in_space)}) {
    const Ledger whole = run(model_of(text, Coordinates::maximal)).ledger;
    const Ledger parts = run(model_of(text, Coordinates::element_by_element)).ledger;
    ASSERT_EQ(whole.entries.size(), parts.entries.size());
    ASSERT_GE(whole.entries.size(), 5U);
    for (std::size_t i = 0; i < whole.entries.size(); ++i) {
      const Ledger::Entry &a = whole.entries[i], &b = parts.entries[i];
      EXPECT_EQ(a.account.name, b.account.name);
      EXPECT_EQ(a.account.kind, b.account.kind) << a.account.name;
      EXPECT_NEAR(a.start, b.start, 1e-10) << a.account.name;
      EXPECT_NEAR(a.end, b.end, 1e-6) << a.account.name;
      EXPECT_NE(b.end, b.start) << a.account.name;
    }
    EXPECT_NEAR(whole.kinetic_end, parts.kinetic_end, 1e-6);
    EXPECT_NEAR(whole.input, parts.input, 1e-6);
    EXPECT_NEAR(whole.dissipation, parts.dissipation, 1e-7);
  }
}

}  // namespace
}  // namespace raak
