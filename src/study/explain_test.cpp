#include "study/explain.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "problems/catalogue.h"
#include "problems/constants.h"
#include "system/equations.h"

namespace raak {
namespace {

using Cause = Explanation::Cause;

Explanation explain(const std::string& name, const std::vector<std::pair<std::string, std::string>>& settings = {},
                    double rtol = 1e-6) {
  for (const ModelSource& source : problem_catalogue()) {
    if (source.name != name) continue;
    const Model model = source.build(with_settings(source.parameters, settings), "index1");
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

TEST(Explain, NamesTheConstraintsOfASingularPose) {
  const Explanation found = explain("car-axis", {{"h", "1.2"}});
  EXPECT_NE(found.cause, Cause::none);
  EXPECT_EQ(found.result.termination, Termination::failed);
  EXPECT_FALSE(found.advice.empty());
  EXPECT_NE(found.finding.find("t = 0.09"), std::string::npos) << found.finding;
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
  EXPECT_EQ(found.cause, Cause::dependent_constraints);
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
  EXPECT_EQ(explain_model(model, plan).cause, Cause::blow_up);
}

}  // namespace
}  // namespace raak
