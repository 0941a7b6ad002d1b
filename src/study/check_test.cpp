#include "study/check.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "problems/catalogue.h"

namespace raak {
namespace {

class EveryProblem : public testing::TestWithParam<ModelSource> {};

// The figures promised at rtol = atol = 1e-10 (required_scd of each reference) with the default method.
TEST_P(EveryProblem, ReachesItsReferencesWithTheDefaultMethod) {
  const auto rows = check_model(GetParam(), {});
  ASSERT_FALSE(rows.empty());
  for (const CheckRow& row : rows) {
    EXPECT_TRUE(row.pass) << row.run << ": " << row.message;
    EXPECT_LT(row.quality.energy_drift, row.model == "andrews-iftomm" ? 1e-9 : 1e-8) << row.run;
  }
}

TEST_P(EveryProblem, SvdIsWithinThreeDigitsOfTheDefault) {
  CheckRequest svd;
  svd.method = "svd";
  const auto by_default = check_model(GetParam(), {});
  for (const CheckRow& row : check_model(GetParam(), svd)) {
    if (row.skipped) continue;
    for (const CheckRow& other : by_default) {
      if (other.run == row.run) {
        // Beyond what double can hold digits are luck: other rounding gives the car axis 11.5 or 12.3 of them.
        constexpr double limit = 11.0;
        EXPECT_GT(*row.accuracy.scd, std::min(limit, *other.accuracy.scd) - 3.0) << row.run;
      }
    }
    EXPECT_TRUE(row.pass) << row.run << ": " << row.message;
  }
}

TEST_P(EveryProblem, EveryMethodPassesAtModerateTolerance) {
  for (const MethodInfo& method : method_catalogue()) {
    CheckRequest request;
    request.method = method.name;
    request.rtol = request.atol = std::max(1e-8, method.tightest_rtol);
    for (const CheckRow& row : check_model(GetParam(), request))
      EXPECT_TRUE(row.pass || row.skipped) << method.name << " " << row.message;
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EveryProblem, testing::ValuesIn(problem_catalogue()), [](const auto& entry) {
  std::string name = entry.param.name;
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
});

TEST(Check, FailsWithTheDigitsWhenTheyAreMissing) {
  ModelSource strict = problem_catalogue().front();
  const auto build = strict.build;
  strict.build = [build](const Parameters& p, Form form) {
    Model m = build(p, form);
    for (Reference& r : m.references) r.required_scd = 17.0;
    return m;
  };
  const auto rows = check_model(strict, {});
  ASSERT_FALSE(rows.empty());
  EXPECT_FALSE(rows[0].pass);
  EXPECT_NE(rows[0].message.find("is below 17.00"), std::string::npos) << rows[0].message;
}

TEST(Check, TakesTheToleranceOfARunWhereItIsTighter) {
  ModelSource source = problem_catalogue().front();
  source.runs.resize(1);
  source.runs[0].rtol = 1e-12;
  EXPECT_EQ(check_model(source, {}).at(0).rtol, 1e-12);
  source.runs[0].rtol = 1e-6;
  EXPECT_EQ(check_model(source, {}).at(0).rtol, 1e-10);
  CheckRequest request;
  request.rtol = 1e-7;
  EXPECT_EQ(check_model(source, request).at(0).rtol, 1e-7);
}

TEST(Check, SaysWhichReferenceHasNoValuesAtTheEndOfItsRun) {
  ModelSource source = problem_catalogue().front();
  source.runs.resize(1);
  source.runs[0].until *= 0.25;
  const auto rows = check_model(source, {});
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_TRUE(rows[0].skipped);
  EXPECT_NE(rows[0].message.find("has no values at the end of the run"), std::string::npos) << rows[0].message;
}

TEST(Check, SaysWhichRunAMethodCannotDo) {
  CheckRequest request;
  request.method = "svd";
  const auto rows = check_model(problem_catalogue().back(), request);
  ASSERT_TRUE(rows.back().skipped);
  EXPECT_EQ(rows.back().run, "index2");
  EXPECT_EQ(rows.back().message, "\"svd\" has no form index2");
}

TEST(Check, OtherParametersHaveNoReferenceAndAreNotJudged) {
  CheckRequest request;
  request.settings = {{"g", "9.81"}};
  EXPECT_TRUE(check_model(problem_catalogue().front(), request).empty());
}

TEST(Accuracy, CountsDigitsAsTheTestSetDoes) {
  const ModelSource& source = problem_catalogue().front();
  Model model = source.build(source.parameters, Form::index1);
  Result result;
  result.end = make_consistent(*model.system, model.start);
  result.outputs = Vector::Zero(static_cast<Eigen::Index>(output_names(*model.system).size()));
  Reference reference;
  const Vector& q = result.end.q;
  reference.values[0.0] = {{"q.x", q[0] * (1.0 + 1e-4)}, {"q.phi", q[2] * (1.0 + 1e-6)}, {"v.x", 1e-3}};
  reference.scored = {"q.x", "q.phi"};
  reference.measured = {"q.x", "q.phi", "v.x"};
  model.references = {reference};
  const Accuracy accuracy = measure_accuracy(model, Form::index1, result, 1e-8, 1e-8);
  EXPECT_NEAR(*accuracy.scd, 4.0, 1e-3);
  EXPECT_NEAR(*accuracy.mescd, -std::log10(1e-3 / 1.001), 1e-9);
  EXPECT_FALSE(accuracy.scd_published.has_value());
}

}  // namespace
}  // namespace raak
