#include "study/explain/explain.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "problems/catalogue.h"
#include "problems/constants.h"
#include "system/equations/equations.h"

namespace raak {
namespace {

using Cause = Explanation::Cause;

Explanation explain(const std::string& name, const std::vector<std::pair<std::string, std::string>>& settings = {},
                    double rtol = 1e-6) {
  for (const ModelSource& source : problem_catalogue()) {
    if (source.name != name) continue;
    const Model model = source.build(with_settings(source.parameters, settings), Form::index1);
    Plan plan;
    plan.until = source.runs.front().until;
    plan.tolerances = Tolerances::uniform(rtol, rtol);
    return explain_model(model, plan);
  }
  throw std::runtime_error("no such model");
}

TEST(Explain, FindsNothingWrongWithAPendulum) {
  const Explanation found = explain("pendulum");
  EXPECT_EQ(found.cause, Cause::none);
  EXPECT_TRUE(found.advice.empty());
  EXPECT_EQ(found.mobility, 1);
  EXPECT_GT(found.worst.ratio, 0.1);
  EXPECT_GT(found.shortest_step, 0.0);
}

TEST(Explain, SeesThatTheElasticRodIsStiff) {
  EXPECT_EQ(explain("slider-crank").cause, Cause::stiffness);
}

// The bumps are higher than the axle is long: the wheel has no place beyond a moment.
TEST(Explain, SeesThatTheEquationsHaveNoValueBeyondAMoment) {
  const Explanation found = explain("car-axis", {{"h", "1.2"}});
  EXPECT_EQ(found.cause, Cause::undefined);
  EXPECT_EQ(found.result.termination, Termination::failed);
  EXPECT_FALSE(found.advice.empty());
  EXPECT_NE(found.finding.find("t = 0.09"), std::string::npos) << found.finding;
}

// A bead on a circle that is pulled beyond its rim: its height changes ever faster, for the two rows become parallel.
struct PulledTooFar {
  static constexpr int coordinates = 2, constraints = 2;
  void mass(const auto&, const auto&, auto& M) const { M(0, 0) = M(1, 1) = 1.0; }
  void force(const auto&, const auto&, const auto&, auto&) const {}
  void constraint(const auto& t, const auto& q, auto& g) const {
    g[0] = q[0] * q[0] + q[1] * q[1] - 1.0;
    g[1] = q[0] - 0.5 - t;
  }
  Description description() const { return {{"x", "y"}, {"circle", "pull"}, {}}; }
};

TEST(Explain, CallsAMechanismLockedThatIsPulledBeyondItsRange) {
  Model model{make_system(PulledTooFar{}), {}, {}};
  model.start.q = Vector{{0.5, 0.8}};
  model.start.v = Vector::Zero(2);
  Plan plan;
  plan.until = 1.0;
  for (const char* method : {"auto", "gauss", "dop853"}) {
    plan.method = method;
    const Explanation found = explain_model(model, plan);
    EXPECT_EQ(found.cause, Cause::locked) << method << ": " << found.finding;
    EXPECT_EQ(found.result.termination, Termination::failed);
    ASSERT_TRUE(found.result.diagnosis);
    EXPECT_NEAR(found.result.diagnosis->t, 0.5, 1e-3);
    EXPECT_EQ(found.result.diagnosis->conditioning.rows.size(), 2U);
    for (const char* words : {"locked", "\"circle\"", "\"pull\"", "t = 0."})
      EXPECT_NE(found.finding.find(words), std::string::npos) << found.finding;
  }
}

// Two rods of different length between the same points.
struct TwoLengths {
  static constexpr int coordinates = 2, constraints = 2;
  void mass(const auto&, const auto&, auto& M) const { M(0, 0) = M(1, 1) = 1.0; }
  void force(const auto&, const auto&, const auto&, auto&) const {}
  void constraint(const auto&, const auto& q, auto& g) const {
    g[0] = q[0] * q[0] + q[1] * q[1] - 1.0;
    g[1] = q[0] * q[0] + q[1] * q[1] - 4.0;
  }
  Description description() const { return {{"x", "y"}, {"short rod", "long rod"}, {}}; }
};

TEST(Explain, SeesThatConstraintsContradictEachOther) {
  Model model{make_system(TwoLengths{}), {}, {}};
  model.start.q = Vector{{1.0, 0.5}};
  model.start.v = Vector::Zero(2);
  Plan plan;
  plan.until = 1.0;
  const Explanation found = explain_model(model, plan);
  EXPECT_EQ(found.cause, Cause::contradictory_constraints) << found.finding;
  EXPECT_FALSE(found.assembled);
  EXPECT_NE(found.finding.find("\"long rod\""), std::string::npos) << found.finding;
  EXPECT_NE(found.finding.find("\"short rod\""), std::string::npos) << found.finding;
}

TEST(Explain, SeesThatStiffnessUsesUpTheStepsOfAnExplicitMethod) {
  for (const ModelSource& source : problem_catalogue()) {
    if (source.name != "slider-crank") continue;
    Plan plan;
    plan.until = source.runs.front().until;
    plan.method = "dop853";
    plan.tolerances = Tolerances::uniform(1e-2, 1e-2);
    plan.max_steps = 40;
    const Explanation found = explain_model(source.build(source.parameters, Form::index1), plan);
    EXPECT_EQ(found.cause, Cause::stiffness) << found.finding;
    EXPECT_NE(found.advice.find("radau"), std::string::npos);
  }
}

TEST(Explain, SeesAToleranceThatAMethodRefuses) {
  for (const ModelSource& source : problem_catalogue()) {
    if (source.name != "pendulum") continue;
    Plan plan;
    plan.until = 1.0;
    plan.method = "adams";
    plan.tolerances = Tolerances::uniform(1e-15, 1e-15);
    EXPECT_EQ(explain_model(source.build(source.parameters, Form::index1), plan).cause,
              Cause::tolerance_below_precision);
  }
}

TEST(Explain, SeesThatAMechanismCannotBeAssembled) {
  const Explanation found = explain("andrews", {{"xb", "5"}});
  EXPECT_EQ(found.cause, Cause::impossible_assembly);
  EXPECT_FALSE(found.assembled);
}

TEST(Explain, SeesAToleranceBelowDoublePrecision) {
  EXPECT_EQ(explain("pendulum", {}, 2e-15).cause, Cause::tolerance_below_precision);
}

// A point that is tied to the x axis twice.
struct TiedTwice {
  static constexpr int coordinates = 2, constraints = 2;
  void mass(const auto&, const auto&, auto& M) const { M(0, 0) = M(1, 1) = 1.0; }
  void force(const auto&, const auto&, const auto&, auto& f) const { f[1] = -9.81; }
  void constraint(const auto&, const auto& q, auto& g) const {
    g[0] = 1.0 * q[1];
    g[1] = 2.0 * q[1];
  }
  Description description() const { return {{"x", "y"}, {"once", "twice"}, {}}; }
};

TEST(Explain, NamesConstraintsThatDependOnEachOther) {
  Model model{make_system(TiedTwice{}), {}, {}};
  model.start.q = model.start.v = Vector::Zero(2);
  model.start.trusted_positions = model.start.trusted_velocities = {"x"};
  Plan plan;
  plan.until = 1.0;
  const Explanation found = explain_model(model, plan);
  EXPECT_EQ(found.cause, Cause::contradictory_constraints);
  EXPECT_NE(found.finding.find("\"once\", \"twice\""), std::string::npos) << found.finding;
}

// A force that grows with the cube of the distance throws the point away in finite time.
struct RunAway {
  static constexpr int coordinates = 2, constraints = 1;
  void mass(const auto&, const auto&, auto& M) const { M(0, 0) = M(1, 1) = 1.0; }
  void force(const auto&, const auto& q, const auto&, auto& f) const { f[0] = q[0] * q[0] * q[0]; }
  void constraint(const auto&, const auto& q, auto& g) const { g[0] = 1.0 * q[1]; }
  Description description() const { return {{"x", "y"}, {"line"}, {}}; }
};

TEST(Explain, SeesACoordinateThatGrowsWithoutBound) {
  Model model{make_system(RunAway{}), {}, {}};
  model.start.q = Vector{{1.0, 0.0}};
  model.start.v = Vector{{1.0, 0.0}};
  model.start.trusted_positions = model.start.trusted_velocities = {"x"};
  Plan plan;
  plan.until = 10.0;
  const Explanation found = explain_model(model, plan);
  EXPECT_EQ(found.cause, Cause::blow_up);
  EXPECT_NE(found.finding.find("\"x\" grows without bound"), std::string::npos) << found.finding;
}

}  // namespace
}  // namespace raak
