#include <gtest/gtest.h>
#include <raak/raak.h>

#include <cmath>
#include <limits>
#include <string>
#include <thread>

namespace {

const char* const pendulum = R"(format = "raak/1"
space = "planar"
gravity = [0.0, "-g"]
[parameters]
g = 9.81
m = 1.0
l = 0.5
start = 1.0
[ground.points]
O = [0.0, 0.0]
[bodies.arm]
mass = "m"
inertia = 0.1
com = ["l", 0.0]
points = { O = [0.0, 0.0], tip = ["2*l", 0.0] }
[joints]
hinge = { type = "revolute", pins = ["ground.O", "arm.O"] }
[start]
trust = { "arm.angle" = "start", "arm.omega" = 0.0 }
[outputs]
pull = "hinge.force.y"
[runs.default]
until = 1.0
rtol = 1e-9
[runs.short]
until = 0.25
every = 0.05
set = { m = 3.0 }
)";

// Three bars between supports that are 1.5 m apart.
std::string three_bars(double length) {
  return R"(format = "raak/1"
space = "planar"
[parameters]
length = )" +
         std::to_string(length) + R"(
[ground.points]
A = [0.0, 0.0]
B = [1.5, 0.0]
[bodies.a]
mass = 1.0
inertia = 0.1
points = { A = [0.0, 0.0], C = ["length", 0.0] }
[bodies.b]
mass = 1.0
inertia = 0.1
points = { B = [0.0, 0.0], D = [1.0, 0.0] }
[bodies.c]
mass = 1.0
inertia = 0.1
points = { C = [0.0, 0.0], D = [1.0, 0.0] }
[joints]
A = { type = "revolute", pins = ["ground.A", "a.A"] }
B = { type = "revolute", pins = ["ground.B", "b.B"] }
C = { type = "revolute", pins = ["a.C", "c.C"] }
D = { type = "revolute", pins = ["c.D", "b.D"] }
[forces]
push = { type = "torque", on = "a", value = 1.0 }
[start]
trust = { "a.angle" = 1.5 }
guess = { "b.angle" = 1.2, "c.angle" = 0.0 }
)";
}

TEST(Model, ResultsKeepTheValuesThatTheyWereMadeWith) {
  raak::Model model = raak::parse(pendulum);
  const raak::Result before = raak::run(model);
  const double pull = before.at(0.3)["pull"];
  const raak::Model copy = model;
  for (const double g : {4.0, 5.0, 1.62}) {  // anew, since the result lives, and in place
    model.set("g", g);
    raak::Model fresh = raak::parse(pendulum);
    fresh.set("g", g);
    EXPECT_NEAR(raak::run(model).end()["arm.angle"], raak::run(fresh).end()["arm.angle"], 1e-9);
    EXPECT_EQ(model.get("g"), g);
  }
  EXPECT_EQ(before.at(0.3)["pull"], pull);
  EXPECT_EQ(before.at(0.31)["arm.angle"], raak::run(copy).at(0.31)["arm.angle"]);
  EXPECT_EQ(copy.get("g"), 9.81);
}

TEST(Model, RunsAndNamesItsColumns) {
  const raak::Result r = raak::run(raak::parse(pendulum));
  EXPECT_EQ(r.t().front(), 0.0);
  EXPECT_EQ(r.t().back(), 1.0);
  EXPECT_EQ(r["arm.angle"].front(), 1.0);
  EXPECT_EQ(r["arm.angle"].data(), r["q.arm.angle"].data());
  EXPECT_EQ(r["arm.omega"].data(), r["v.arm.angle"].data());
  EXPECT_EQ(r["pull"].size(), r.t().size());
  EXPECT_EQ(r.end()["pull"], r["pull"].back());
  EXPECT_LT(r.quality().energy_drift, 1e-6);
  EXPECT_NE(r.brief().find("energy"), std::string::npos);
  EXPECT_NE(r.json().find("\"status\": \"ok\""), std::string::npos);
  EXPECT_THROW(r["pul"], raak::RequestError);
}

TEST(Model, TakesTheOptionsOfItsRunsUnlessOthersAreGiven) {
  const raak::Model model = raak::parse(pendulum);
  const raak::Result r = raak::run(model, {.run = "short"});
  ASSERT_EQ(r.t().size(), 6U);
  EXPECT_EQ(r.t()[3], 0.15);  // decimal, not 0.15000000000000002
  const raak::Result at = raak::run(model, {.at = {0.1, 0.2}, .run = "short"});
  EXPECT_EQ(at.t().size(), 2U);
  EXPECT_NE(raak::run(model).end()["pull"], raak::run(model, {.run = "short"}).end()["pull"]);
  EXPECT_THROW(raak::run(model, {.run = "shrt"}), raak::RequestError);
  EXPECT_THROW(raak::run(model, {.method = "gaus"}), raak::RequestError);
  EXPECT_THROW(raak::run(model, {.rtol = -1.0}), raak::RequestError);
  EXPECT_THROW(raak::run(model, {.every = 0.1, .at = {0.5}}), raak::RequestError);
}

TEST(Model, SetGivesTheResultsOfAModelThatIsMadeWithTheValue) {
  raak::Model model = raak::parse(pendulum);
  model.set("start", 0.25);
  model.set({{"m", 2.0}, {"g", 3.7}});
  std::string text = pendulum;
  text.replace(text.find("g = 9.81"), 8, "g = 3.70");
  text.replace(text.find("m = 1.0"), 7, "m = 2.0");
  text.replace(text.find("start = 1.0"), 11, "start = 0.25");
  const raak::Result set = raak::run(model), fresh = raak::run(raak::parse(text));
  EXPECT_EQ(model.get("g"), 3.7);
  EXPECT_EQ(set.end()["arm.angle"], fresh.end()["arm.angle"]);
  EXPECT_EQ(set.end()["pull"], fresh.end()["pull"]);
  EXPECT_EQ(set.t().size(), fresh.t().size());
}

TEST(Model, KeepsTheOldValueWhereTheNewOneIsRefused) {
  raak::Model model = raak::parse(three_bars(1.0));
  const double before = raak::run(model, {.until = 0.1}).end()["a.angle"];
  EXPECT_THROW(model.set("lenght", 1.0), raak::RequestError);
  EXPECT_THROW(model.set("length", std::numeric_limits<double>::quiet_NaN()), raak::RequestError);
  EXPECT_THROW(model.set("length", std::numeric_limits<double>::infinity()), raak::RequestError);
  EXPECT_THROW(model.set("length", 9.0), raak::AssemblyError);
  EXPECT_EQ(model.get("length"), 1.0);
  EXPECT_EQ(raak::run(model, {.until = 0.1}).end()["a.angle"], before);
}

// Numbers that no start can follow: to the bit as before, whatever was recorded meanwhile.
TEST(Model, IsAsBeforeWhereAValueIsRefused) {
  for (const std::string name : {"pendulum", "andrews", "car-axis"}) {
    raak::Model model = raak::problem(name);
    const auto end = [&] {
      const raak::Moment found = raak::run(model).end();
      return std::vector<double>(found.values().begin(), found.values().end());
    };
    const std::vector<double> before = end();
    int refused = 0;
    for (const std::string& parameter : model.parameters()) {
      for (const double value : {0.01, 1e9, 1e200, -1e200, std::numeric_limits<double>::quiet_NaN()}) {
        raak::Model tried = raak::problem(name);
        raak::run(tried);
        double own = 0.0;
        try {
          own = tried.get(parameter);
          tried.set(parameter, value);
          continue;  // it is possible
        } catch (const raak::Error&) {
          ++refused;
        }
        SCOPED_TRACE(testing::Message() << name << " " << parameter << " = " << value);
        try {
          EXPECT_EQ(tried.get(parameter), own);
          const raak::Moment found = raak::run(tried).end();
          EXPECT_TRUE(std::equal(before.begin(), before.end(), found.values().begin(), found.values().end()));
        } catch (const raak::RequestError&) {  // a word
        }
      }
    }
    EXPECT_GT(refused, 3) << name;
  }
}

// Without an inertia, a speed or a damping a model is another one, whether a number becomes zero or was so from the
// beginning.
TEST(Model, IsBuiltAnewWhereANumberBecomesZero) {
  raak::Model bricard = raak::load(std::string(RAAK_SOURCES) + "/examples/bricard.toml");
  bricard.set("b", 0.11);
  EXPECT_THROW(bricard.set("b", 0.0), raak::Error);
  EXPECT_EQ(bricard.get("b"), 0.11);
  raak::Model bars = raak::load(std::string(RAAK_SOURCES) + "/examples/four-bar.toml");
  bars.set("Omega", 10.1);
  bars.set("Omega", 0.0);
  raak::Model fresh = raak::load(std::string(RAAK_SOURCES) + "/examples/four-bar.toml");
  fresh.set("Omega", 0.0);
  EXPECT_THROW(raak::run(fresh), raak::Error);
  EXPECT_THROW(raak::run(bars), raak::Error);
}

TEST(Model, ThatCannotBeAssembledMayBeMendedBySet) {
  raak::Model model = raak::parse(three_bars(9.0));
  EXPECT_THROW(model.assemble(), raak::AssemblyError);
  model.set("length", 1.0);
  EXPECT_EQ(model.assemble().mobility, 1);
}

TEST(Model, CopiesHaveValuesOfTheirOwn) {
  raak::Model model = raak::parse(pendulum), copy = model;
  copy.set("start", 0.5);
  EXPECT_EQ(model.get("start"), 1.0);
  EXPECT_EQ(raak::run(copy).start()["arm.angle"], 0.5);
}

TEST(Model, IsNotSetWhileItRuns) {
  raak::Model model = raak::parse(pendulum);
  {
    raak::Stepper running(model);
    EXPECT_THROW(model.set("m", 2.0), raak::RequestError);
    EXPECT_TRUE(running.step());
  }
  model.set("m", 2.0);
  EXPECT_EQ(model.get("m"), 2.0);
}

TEST(Model, ThreadsThatSetAndRunItSeeOneValueOrTheOther) {
  raak::Model model = raak::parse(pendulum);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&model, i] {
      for (int k = 0; k < 5; ++k) {
        try {
          if (i % 2 == 0) model.set("start", 0.5 + 0.5 * (k % 2));
          const double angle = raak::run(model, {.until = 0.01}).start()["arm.angle"];
          EXPECT_TRUE(angle == 0.5 || angle == 1.0) << angle;
        } catch (const raak::RequestError&) {
        }
      }
    });
  for (std::thread& thread : threads) thread.join();
}

TEST(Model, TellsWhereAFileIsWrong) {
  try {
    raak::parse("format = \"raak/1\"\nspace = \"flat\"\n");
    FAIL();
  } catch (const raak::ModelError& error) {
    EXPECT_EQ(error.file(), "text");
    EXPECT_EQ(error.line(), 2);
    EXPECT_GT(error.column(), 0);
  }
  EXPECT_THROW(raak::load("/nowhere/at-all.toml"), raak::ModelError);
  EXPECT_THROW(raak::problem("androws"), raak::RequestError);
}

TEST(Model, ChoicesOfAProblemAreWords) {
  raak::Model model = raak::problem("slider-crank");
  model.set("beam", "nonlinear");
  EXPECT_THROW(model.get("beam"), raak::RequestError);
  EXPECT_THROW(model.set("beam", "wooden"), raak::RequestError);
  const raak::Result r = raak::run(model, {.until = 0.001});
  EXPECT_EQ(r.t().back(), 0.001);
}

TEST(Model, SetsNoNameTwiceInOneCall) {
  raak::Model model = raak::problem("andrews");
  const double before = model.get("c0");
  try {
    model.set({{"c0", 4600.0}, {"c0", 4700.0}});
    FAIL();
  } catch (const raak::RequestError& error) {
    EXPECT_STREQ(error.what(), "\"c0\" is given twice, as 4600 and as 4700: give it once");
  }
  EXPECT_EQ(model.get("c0"), before);
}

TEST(Model, SetsWordsAndNumbersTogetherOrNotAtAll) {
  raak::Model model = raak::problem("slider-crank");
  const double before = model.get("Omega");
  EXPECT_THROW(model.set_all({{"Omega", 100.0}, {"beam", "bogus"}}), raak::RequestError);
  EXPECT_EQ(model.get("Omega"), before);
  model.set_all({{"Omega", 1000.0}, {"start", "oscillatory"}});
  EXPECT_EQ(model.get("Omega"), 1000.0);
  EXPECT_EQ(model.text("start"), "oscillatory");
}

}  // namespace
