// The energy of mechanisms force by force, where it has a closed form.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "modelfile/tests/test_support.h"
#include "run/integrate.h"

namespace raak {
namespace {

using Kind = EnergyAccount::Kind;

Result run(const Model& model, double until, const std::string& method = "auto") {
  Plan plan;
  plan.until = until;
  plan.method = method;
  plan.tolerances = Tolerances::uniform(1e-11, 1e-11);
  Result result = integrate(*model.system, consistent_start(model), plan);
  EXPECT_EQ(result.termination, Termination::ok) << result.message;
  return result;
}

std::map<std::pair<Kind, std::string>, double> changes(const Ledger& ledger) {
  std::map<std::pair<Kind, std::string>, double> all;
  for (const Ledger::Entry& entry : ledger.entries)
    all[{entry.account.kind, entry.account.name}] = entry.end - entry.start;
  return all;
}

constexpr const char* wheel = R"toml(format = "raak/1"
gravity = [0.0, 0.0]
[ground.points]
O = [0.0, 0.0]
[bodies.wheel]
mass = 1.0
inertia = 0.5
points = { O = [0.0, 0.0] }
[joints]
hub = { type = "revolute", pins = ["ground.O", "wheel.O"] }
[forces]
motor = { type = "torque", on = "wheel", value = 3.0 }
brake = { type = "torsion-spring", bodies = ["ground", "wheel"], stiffness = 0.0, damping = 0.25 }
)toml";

// J w' = tau - d w: what the motor puts in is tau times the angle, and the brake takes what does not move the wheel.
TEST(Ledger, TellsWhatAMotorPutsInAndWhatADamperTakes) {
  const double tau = 3.0, d = 0.25, J = 0.5, t = 2.0;
  const double omega = tau / d * (1.0 - std::exp(-d * t / J)),
               angle = tau / d * (t - J / d * (1.0 - std::exp(-d * t / J)));
  for (const Coordinates coordinates : {Coordinates::maximal, Coordinates::tree}) {
    const Ledger ledger = run(model_of(wheel, coordinates), t).ledger;
    auto change = changes(ledger);
    EXPECT_NEAR((change[{Kind::input, "motor"}]), tau * angle, 1e-8);
    EXPECT_NEAR((change[{Kind::dissipation, "brake"}]), 0.5 * J * omega * omega - tau * angle, 1e-8);
    EXPECT_NEAR(ledger.kinetic_end, 0.5 * J * omega * omega, 1e-8);
    EXPECT_EQ(change.size(), 2U) << "what stays at zero has no account";
    EXPECT_NEAR(ledger.input, tau * angle, 1e-8) << "what is put in is not what is left of it";
    EXPECT_NEAR(ledger.dissipation, tau * angle - 0.5 * J * omega * omega, 1e-8);
  }
}

// At constant speed a driver gives what lifting takes.
TEST(Ledger, TellsTheWorkOfADriver) {
  const Model model = model_of(R"toml(format = "raak/1"
gravity = [0.0, -9.81]
[ground.points]
O = [0.0, 0.0]
[bodies.rod]
mass = 2.0
inertia = 0.1
com = [0.5, 0.0]
points = { O = [0.0, 0.0], A = [1.0, 0.0] }
[joints]
O = { type = "revolute", pins = ["ground.O", "rod.O"] }
[forces]
spring = { type = "spring", between = ["ground.O", "rod.A"], stiffness = 100.0, length = 0.9 }
[drivers]
crank = { coordinate = "rod.angle", motion = "0.7*t" }
)toml");
  const Ledger ledger = run(model, 2.0).ledger;
  auto change = changes(ledger);
  const double lifted = 2.0 * 9.81 * 0.5 * std::sin(1.4);
  EXPECT_NEAR((change[{Kind::potential, "gravity"}]), lifted, 1e-9);
  EXPECT_NEAR((change[{Kind::driver, "crank"}]), lifted, 1e-8);
  EXPECT_NEAR((change[{Kind::potential, "spring"}]), 0.0, 1e-10);
  for (const Ledger::Entry& entry : ledger.entries) {
    if (entry.account.name != "spring") continue;
    EXPECT_NEAR(entry.end, 0.5 * 100.0 * 0.01, 1e-10);
  }
}

TEST(Ledger, AddsUpToTheBalanceAndKnowsWhoProjects) {
  for (const auto& [method, projects] : {std::pair{"dop853", true}, {"svd", false}}) {
    const Result result = run(model_of(wheel), 1.0, method);
    const Ledger& ledger = result.ledger;
    double total = ledger.kinetic_end - ledger.kinetic_start;
    for (const Ledger::Entry& entry : ledger.entries)
      total += (entry.account.kind == Kind::potential ? 1.0 : -1.0) * (entry.end - entry.start);
    EXPECT_NEAR(total, ledger.projection + ledger.integrator, 1e-12);
    EXPECT_NEAR(energies_of(result.outputs)[energy_outputs - 1], ledger.projection + ledger.integrator, 1e-12);
    EXPECT_EQ(ledger.projects, projects) << method;
  }
}

}  // namespace
}  // namespace raak
