// raak::sweep gives what a plan asks for, in parts or whole, and writes the plan that gives it again.
#include <gtest/gtest.h>
#include <raak/raak.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <vector>

namespace {

namespace fs = std::filesystem;

constexpr const char* plan = R"(design = "random"
samples = 40
block = 8
[vary]
phi = { uniform = [0.1, 0.2] }
[keep]
x = ["end", "max"]
)";

std::vector<double> values_of(const raak::Sweep& sweep, const char* column) {
  return {sweep[column].begin(), sweep[column].end()};
}

TEST(Sweep, GivesEachCaseAsARunOfTheModelGivesIt) {
  const raak::Model model = raak::problem("pendulum");
  const raak::Sweep sweep = raak::sweep(model, plan, {.exact = true, .threads = 1});
  ASSERT_TRUE(sweep.complete());
  ASSERT_EQ(sweep.cases().size(), 40U);
  EXPECT_EQ(sweep.varied().front().name, "phi");
  for (const std::size_t i : {0, 17, 39}) {
    EXPECT_EQ(sweep.outcomes()[i], 0);
    const auto end = raak::run(model, {.end_only = true, .trust = {{"phi", sweep["phi"][i]}}}).end();
    EXPECT_NEAR(sweep["x.end"][i], end["x"], 1e-9);
  }
  EXPECT_THROW(sweep["y.end"], raak::RequestError);
  const raak::Result again = sweep.run(17);
  EXPECT_EQ(again.end()["x"], sweep["x.end"][17]);
  EXPECT_EQ(*std::max_element(again["x"].begin(), again["x"].end()), sweep["x.max"][17]);
  EXPECT_NEAR(again.start()["phi"], sweep["phi"][17], 1e-12);
  EXPECT_THROW(sweep.run(40), raak::RequestError);
}

TEST(Sweep, PartsComeToTheWholeToTheBit) {
  const raak::Model model = raak::problem("pendulum");
  const raak::Sweep whole = raak::sweep(model, plan);
  std::vector<double> found(40, std::nan(""));
  for (const std::uint64_t shard : {1, 2, 3}) {
    const raak::Sweep part = raak::sweep(model, plan, {.threads = 2, .shard = shard, .shards = 3});
    EXPECT_FALSE(part.complete());
    EXPECT_THROW(part.summary(), raak::RequestError);
    for (std::size_t i = 0; i < part.cases().size(); ++i) found[part.cases()[i]] = part["x.max"][i];
  }
  EXPECT_EQ(found, values_of(whole, "x.max"));
}

TEST(Sweep, TheSavedPlanGivesItAgain) {
  raak::Model model = raak::parse(R"(format = "raak/1"
gravity = [0.0, -9.81]
[parameters]
m = 1.0
l = 0.5
[ground.points]
O = [0.0, 0.0]
[bodies.rod]
mass = "m"
inertia = 0.01
com = [0.25, 0.0]
points = { O = [0.0, 0.0], P = ["l", 0.0] }
[joints]
O = { type = "revolute", pins = ["ground.O", "rod.O"] }
[outputs]
x = "rod.P.x"
[references]
end = { values = { x = 0.0 } }
)");
  model.set("l", 0.75);
  const raak::Sweep sweep = raak::sweep(model, "[vary]\nm = [1.0, 2.0]\n[keep]\nx = \"end\"\n");
  const fs::path folder = fs::path(testing::TempDir()) / "sweep_test_saved";
  fs::remove_all(folder);
  fs::create_directories(folder);
  sweep.save((folder / "plan.toml").string());
  const raak::Sweep again = raak::sweep((folder / "plan.toml").string(), {.folder = (folder / "rows").string()});
  EXPECT_EQ(values_of(again, "x.end"), values_of(sweep, "x.end"));
  EXPECT_EQ(again.summary(), sweep.summary());
  EXPECT_EQ(values_of(raak::load_sweep((folder / "rows").string()), "x.end"), values_of(sweep, "x.end"));
  model.set("l", 0.5);
  const raak::Sweep other = raak::sweep(model, "[vary]\nm = [1.0, 2.0]\n[keep]\nx = \"end\"\n");
  EXPECT_NE(values_of(other, "x.end"), values_of(sweep, "x.end"));
}

TEST(Sweep, SaysWhereAPlanIsWrong) {
  try {
    raak::sweep(raak::problem("pendulum"),
                "samples = 3\ndesign = \"random\"\n[vary]\nphy = [0.1]\n[keep]\nx = \"end\"\n");
    FAIL();
  } catch (const raak::ModelError& error) {
    EXPECT_EQ(error.line(), 4);
    EXPECT_NE(std::string(error.what()).find("did you mean \"phi\""), std::string::npos) << error.what();
  }
  EXPECT_THROW(raak::sweep(raak::problem("pendulum"), plan, {.resume = true}), raak::RequestError);
  EXPECT_THROW(raak::sweep(raak::problem("pendulum"), plan, {.shard = 4, .shards = 3}), raak::RequestError);
}

TEST(Sweep, StopsWithWhatIsDone) {
  std::atomic<bool> stop = false;
  std::atomic<int> done = 0;
  const raak::Sweep sweep = raak::sweep(raak::problem("pendulum"), plan,
                                        {.threads = 1, .stop = &stop, .case_done = [&](bool) { stop = ++done == 11; }});
  ASSERT_EQ(sweep.cases().size(), 11U);
  const std::vector<double> whole = values_of(raak::sweep(raak::problem("pendulum"), plan), "x.end");
  EXPECT_TRUE(std::equal(sweep["x.end"].begin(), sweep["x.end"].end(), whole.begin()));
}

}  // namespace
