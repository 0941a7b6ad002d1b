// raak::check, bench, explain and assemble against what is known of small mechanisms.
#include <gtest/gtest.h>
#include <raak/raak.h>

#include <cmath>
#include <numbers>

namespace {

// A parallelogram with a third bar between its long sides, which repeats what the others do.
const char* const three_cranks = R"(format = "raak/1"
space = "planar"
gravity = [0.0, -9.81]
[parameters]
r = 0.5
half = "r/2"
[ground.points]
A = [0.0, 0.0]
B = [1.0, 0.0]
C = [2.0, 0.0]
[bodies.a]
mass = 1.0
inertia = 0.02
com = ["half", 0.0]
points = { O = [0.0, 0.0], P = ["r", 0.0] }
[bodies.b]
mass = 1.0
inertia = 0.02
com = ["half", 0.0]
points = { O = [0.0, 0.0], P = ["r", 0.0] }
[bodies.c]
mass = 1.0
inertia = 0.02
com = ["half", 0.0]
points = { O = [0.0, 0.0], P = ["r", 0.0] }
[bodies.rod]
mass = 1.0
inertia = 0.3
points = { A = [0.0, 0.0], B = [1.0, 0.0], C = [2.0, 0.0] }
[joints]
a = { type = "revolute", pins = ["ground.A", "a.O"] }
b = { type = "revolute", pins = ["ground.B", "b.O"] }
c = { type = "revolute", pins = ["ground.C", "c.O"] }
pa = { type = "revolute", pins = ["a.P", "rod.A"] }
pb = { type = "revolute", pins = ["b.P", "rod.B"] }
pc = { type = "revolute", pins = ["c.P", "rod.C"] }
[start]
trust = { "a.angle" = 1.0 }
guess = { "b.angle" = 1.0, "c.angle" = 1.0, "rod.angle" = 0.0 }
)";

TEST(Assemble, CountsFreedomsAndNamesWhatIsRedundant) {
  const raak::Start start = raak::parse(three_cranks).assemble({.trust = {{"a.angle", 0.7}}});
  EXPECT_NEAR(start.at["c.angle"], 0.7, 1e-9);
  EXPECT_EQ(start.mobility, 1);
  EXPECT_EQ(start.redundant_rows, 1);
  EXPECT_FALSE(start.redundant.empty());
  const raak::Start unique = raak::problem("andrews").assemble();
  EXPECT_EQ(unique.mobility, 1);
  EXPECT_TRUE(unique.redundant.empty());
}

TEST(Assemble, NamesTheJointsThatStayOpen) {
  raak::Mechanism m("planar");
  m.ground_point("A", {0.0, 0.0}).ground_point("B", {3.0, 0.0});
  for (const char* const name : {"a", "b"})
    m.body(name,
           {{"mass", 1.0}, {"inertia", 0.1}, {"points", raak::Value::table({{"P", {0.0, 0.0}}, {"Q", {1.0, 0.0}}})}});
  m.joint("left", "revolute", {{"pins", {"ground.A", "a.P"}}})
      .joint("right", "revolute", {{"pins", {"ground.B", "b.P"}}});
  m.joint("middle", "revolute", {{"pins", {"a.Q", "b.Q"}}});
  try {
    (void)m.build().assemble();
    FAIL();
  } catch (const raak::AssemblyError& error) {
    ASSERT_FALSE(error.open().empty());
    EXPECT_GT(error.open().front().gap, 0.3);  // 1 m is missing, which up to three joints share
    EXPECT_LT(error.open().front().gap, 1.01);
    EXPECT_EQ(error.open().front().unit, "m");
  }
}

TEST(Parameters, ThoseThatAreDefinedByOthersFollowThem) {
  raak::Model model = raak::parse(three_cranks);
  model.set("r", 0.8);
  EXPECT_EQ(model.get("half"), 0.4);
  EXPECT_EQ(model.text("half"), "0.4");
  model.set("half", 0.1);
  model.set("r", 0.6);
  EXPECT_EQ(model.get("half"), 0.1);  // what is set holds
}

TEST(Check, CountsDigitsBesideTheReference) {
  const auto rows = raak::check(raak::problem("andrews"));
  ASSERT_FALSE(rows.empty());
  for (const raak::CheckRow& row : rows) {
    EXPECT_TRUE(row.pass) << row.message;
    EXPECT_GT(row.scd.value(), 8.0);
  }
  EXPECT_LT(raak::check(raak::problem("andrews"), {.rtol = 1e-4}).front().scd.value(), 8.0);
  EXPECT_THROW(raak::check(raak::problem("andrews"), {.run = "none"}), raak::RequestError);
  raak::Model other = raak::problem("andrews");
  other.set("c0", 4600.0);
  EXPECT_TRUE(raak::check(other).empty());  // the reference is of other parameters
}

TEST(Bench, TighterTolerancesGiveMoreDigits) {
  std::size_t seen = 0;
  const auto rows = raak::bench(raak::problem("pendulum"), {.methods = {"dop853", "radau5"},
                                                            .rtol = {1e-4, 1e-8},
                                                            .until = 0.5,
                                                            .done = [&](const raak::BenchRow&) { ++seen; }});
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_EQ(seen, 4U);
  for (std::size_t i = 0; i < 4; i += 2) {
    EXPECT_EQ(rows[i].method, i == 0 ? "dop853" : "radau5");
    EXPECT_GT(rows[i].rtol, rows[i + 1].rtol);
    EXPECT_LT(rows[i].scd.value() + 2.0, rows[i + 1].scd.value());
    EXPECT_GT(rows[i].cpu_us_min, 0.0);
    EXPECT_LE(rows[i].cpu_us_min, rows[i].cpu_us);
  }
  const std::atomic<bool> stop = true;
  EXPECT_TRUE(raak::bench(raak::problem("pendulum"), {.stop = &stop}).empty());
  EXPECT_THROW(raak::bench(raak::problem("pendulum"), {.methods = {"dop854"}}), raak::RequestError);
}

TEST(Explain, SaysWhatStopsARun) {
  raak::Mechanism m("planar");
  m.body("ball", {{"type", "point"}, {"mass", 1.0}});
  m.force("push", "force", {{"at", "ball"}, {"value", {"1 + ball.vx^3", 0.0}}});
  const raak::Explanation found = raak::explain(m.build(), {.until = 100.0});
  EXPECT_EQ(found.cause, "blow-up");
  EXPECT_FALSE(found.advice.empty());
  EXPECT_NE(found.text.find("blow-up"), std::string::npos);
  EXPECT_NE(found.json.find("\"cause\""), std::string::npos);
  EXPECT_EQ(raak::explain(raak::problem("andrews")).cause, "none");
}

}  // namespace
