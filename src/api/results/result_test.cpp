#include <gtest/gtest.h>
#include <raak/raak.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>

namespace {

// What would dangle in `for (double v : r.end().values())` is no C++.
template <class T>
concept GivesValues = requires(T&& moment) {
  std::forward<T>(moment).values();
};
template <class T>
concept GivesTimes = requires(T&& result) {
  std::forward<T>(result).t();
};
template <class T>
concept GivesColumns = requires(T&& result) {
  std::forward<T>(result)["x"];
};
template <class T>
concept GivesCases = requires(T&& sweep) {
  std::forward<T>(sweep).cases();
};
static_assert(GivesValues<const raak::Moment&> && !GivesValues<raak::Moment> && !GivesValues<const raak::Moment>);
static_assert(GivesTimes<const raak::Result&> && !GivesTimes<raak::Result>);
static_assert(GivesColumns<const raak::Result&> && !GivesColumns<raak::Result>);
static_assert(GivesColumns<const raak::Sweep&> && !GivesColumns<raak::Sweep>);
static_assert(GivesColumns<raak::Moment>);
static_assert(GivesCases<const raak::Sweep&> && !GivesCases<raak::Sweep>);

TEST(Result, AtGivesWhatASampleAtThatTimeGives) {
  for (const char* name : {"andrews", "car-axis", "pendulum"}) {
    for (const char* method : {"auto", "dop853", "radau", "svd"}) {
      const raak::Model model = raak::problem(name);
      const raak::Result steps = raak::run(model, {.rtol = 1e-7, .method = method});
      const double end = steps.t().back();
      const std::vector<double> times{0.0, 0.123456 * end, 0.5 * end, 0.77 * end, end};
      const raak::Result samples = raak::run(model, {.rtol = 1e-7, .method = method, .at = times});
      ASSERT_EQ(samples.t().size(), times.size());
      for (std::size_t i = 0; i < times.size(); ++i) {
        const raak::Moment moment = steps.at(times[i]);
        for (const std::string& column : samples.names()) {
          if (column.starts_with("violation") || column == "energy.balance") continue;
          // Accelerations of stiff parts multiply what rounding leaves.
          const double want = samples[column][i], scale = column[0] == 'q' || column[0] == 'v' ? 1e-10 : 1e-6;
          if (std::isnan(want)) continue;
          EXPECT_NEAR(moment[column], want, scale * std::max(1.0, std::abs(want)))
              << name << " " << method << " " << column << " at " << times[i];
        }
      }
    }
  }
}

TEST(Result, OfTheEndOnlyEndsInTheSameState) {
  const raak::Model model = raak::problem("andrews");
  const raak::Result all = raak::run(model), end = raak::run(model, {.end_only = true});
  EXPECT_EQ(end.t().size(), 1U);
  for (const char* name : {"t", "q.beta", "v.gamma", "a.delta", "lambda.3", "energy.kinetic"})
    EXPECT_EQ(end[name].back(), all[name].back()) << name;
  EXPECT_EQ(end.at(0.01)["beta"], all.at(0.01)["beta"]);
}

TEST(Result, OfTheEndOnlySaysThatNobodyLooked) {
  EXPECT_THROW(raak::run(raak::problem("andrews"), {.every = 0.01, .end_only = true}), raak::RequestError);
  EXPECT_THROW(raak::run(raak::problem("andrews"), {.at = {0.01}, .end_only = true}), raak::RequestError);
  const std::string brief = raak::run(raak::problem("andrews"), {.end_only = true}).brief();
  EXPECT_NE(brief.find("constraints  were not looked at"), std::string::npos) << brief;
  EXPECT_NE(brief.find("energy       was not looked at"), std::string::npos) << brief;
}

TEST(Result, RefusesATimeOutsideTheRun) {
  const raak::Result r = raak::run(raak::problem("pendulum"), {.until = 1.0});
  EXPECT_THROW(r.at(1.5), raak::RequestError);
  EXPECT_THROW(r.at(std::nan("")), raak::RequestError);
  EXPECT_EQ(r.at(1.0).t(), 1.0);
  const raak::Result back = raak::run(raak::problem("pendulum"), {.until = -1.0});
  EXPECT_NEAR(back.at(-0.5)["phi"], raak::run(raak::problem("pendulum"), {.until = -0.5}).end()["phi"], 1e-5);
}

TEST(Result, CountsDigitsAgainstTheReferenceOfItsModel) {
  const raak::Result r = raak::run(raak::problem("andrews"), {.rtol = 1e-9});
  ASSERT_TRUE(r.quality().scd);
  EXPECT_GT(*r.quality().scd, 6.0);
}

TEST(Result, WritesItsReport) {
  const auto file = std::filesystem::temp_directory_path() / "raak-api-report.html";
  const raak::Result r = raak::run(raak::problem("pendulum"), {.until = 0.1});
  r.report(file.string());
  std::ifstream page(file);
  const std::string text{std::istreambuf_iterator<char>(page), {}};
  EXPECT_NE(text.find("<html"), std::string::npos);
  std::filesystem::remove(file);
  EXPECT_THROW(r.report("/nowhere/at/all/report.html"), raak::RequestError);
}

// x'' = 1 + x'^3 is infinite soon.
struct BlowUp {
  static constexpr int coordinates = 1, constraints = 0;
  void mass(const auto&, const auto&, auto& M) const { M(0, 0) = 1.0; }
  void force(const auto&, const auto&, const auto& v, auto& f) const { f[0] = 1.0 + v[0] * v[0] * v[0]; }
  static raak::Description description() { return {{"x"}, {}, {}, {}}; }
};

TEST(Run, ThatStopsOnItsWaySaysWhenAndWhyAndKeepsWhatThereIs) {
  try {
    raak::run(raak::equations(BlowUp{}, {}), {.until = 10.0});
    FAIL();
  } catch (const raak::SolveError& error) {
    EXPECT_GT(error.time(), 1.0);
    EXPECT_LT(error.time(), 1.3);
    EXPECT_FALSE(error.cause().empty());
    ASSERT_NE(error.partial(), nullptr);
    EXPECT_GT(error.partial()->t().size(), 3U);
  }
}

TEST(Equations, AreRefusedWithNamesThatTheyDoNotHave) {
  EXPECT_THROW(raak::equations(BlowUp{}, {.trust = {{"y", 1.0}}}), raak::RequestError);
  EXPECT_THROW(raak::Real(1.0), raak::RequestError);
}

// A point on the unit circle: every function of the scalar once.
struct Functions {
  static constexpr int coordinates = 1, constraints = 0;
  void mass(const auto&, const auto&, auto& M) const { M(0, 0) = 1.0; }
  void force(const auto& t, const auto&, const auto&, auto& f) const { f[0] = 0.0 * t; }
  void output(const auto& s, auto& values) const {
    const auto x = s.q[0];
    values[0] = sin(x) + 2.0 * cos(x) - tan(x) / 3.0;
    values[1] = atan2(x, 2.0) + exp(x) + log(x) + sqrt(x) + pow(x, 1.5);
    values[2] = tanh(x) + abs(-x) + min(x, 0.1) + max(x, 0.9);
  }
  static raak::Description description() { return {{"x"}, {}, {"a", "b", "c"}, {}}; }
};

TEST(Equations, MayCallTheFunctionsOfTheScalar) {
  const raak::Model model = raak::equations(Functions{}, {.trust = {{"x", 0.7}}});
  const raak::Start start = model.assemble();
  const double x = 0.7;
  EXPECT_NEAR(start.at["a"], std::sin(x) + 2.0 * std::cos(x) - std::tan(x) / 3.0, 1e-15);
  EXPECT_NEAR(start.at["b"], std::atan2(x, 2.0) + std::exp(x) + std::log(x) + std::sqrt(x) + std::pow(x, 1.5), 1e-14);
  EXPECT_NEAR(start.at["c"], std::tanh(x) + x + 0.1 + 0.9, 1e-14);
  EXPECT_EQ(start.mobility, 1);
}

TEST(Stepper, AtItsEndLeavesItsModelFree) {
  raak::Model model = raak::problem("andrews");
  raak::Stepper stepper(model, {.until = 0.01});
  EXPECT_THROW(model.set("c0", 4600.0), raak::RequestError);
  while (stepper.step()) {
  }
  const double angle = stepper.now()["beta"], inside = stepper.at(stepper.t())["beta"];
  model.set("c0", 4600.0);
  EXPECT_FALSE(stepper.step());
  EXPECT_EQ(stepper.now()["beta"], angle);
  EXPECT_EQ(stepper.at(stepper.t())["beta"], inside);
  EXPECT_NE(raak::run(model, {.until = 0.01}).end()["beta"], angle);
}

TEST(Stepper, TakesTheStepsOfARun) {
  const raak::Model model = raak::problem("andrews");
  const raak::Result r = raak::run(model);
  raak::Stepper stepper(model);
  std::size_t i = 0;
  EXPECT_EQ(stepper.t(), r.t()[0]);
  while (stepper.step()) {
    ++i;
    ASSERT_LT(i, r.t().size());
    EXPECT_EQ(stepper.before(), r.t()[i - 1]);
    EXPECT_EQ(stepper.t(), r.t()[i]);
    EXPECT_EQ(stepper["beta"], r["beta"][i]);
    const double middle = 0.5 * (stepper.before() + stepper.t());
    EXPECT_NEAR(stepper.at(middle)["gamma"], r.at(middle)["gamma"], 1e-9);
  }
  EXPECT_EQ(i + 1, r.t().size());
  EXPECT_FALSE(stepper.step());
  EXPECT_THROW(stepper.at(-1.0), raak::RequestError);
}

}  // namespace
