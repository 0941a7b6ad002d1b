// The methods that discretise a form of the constrained equations reach the references of the benchmark problems in it.
#include <gtest/gtest.h>

#include "problems/catalogue.h"
#include "study/accuracy.h"

namespace raak {
namespace {

struct Outcome {
  Model model;
  Result result;
  double scd = 0.0;
};

Outcome run(const std::string& problem, const std::string& method, Form form, double tolerance) {
  for (const ModelSource& source : problem_catalogue()) {
    if (source.name != problem) continue;
    Model model = source.build(source.parameters, form);
    Plan plan;
    plan.until = source.runs.front().until;
    plan.method = method;
    plan.form = form;
    plan.tolerances = Tolerances::uniform(tolerance, tolerance);
    const Result result = integrate(*model.system, make_consistent(*model.system, model.start), plan);
    EXPECT_EQ(result.termination, Termination::ok) << result.message;
    const double scd = measure_accuracy(model, form, result, tolerance, tolerance).scd.value_or(-1.0);
    return {std::move(model), result, scd};
  }
  ADD_FAILURE() << problem;
  return {};
}

TEST(DirectForms, ReachTheReferencesInTheirOwnForm) {
  const struct {
    const char* method;
    Form form;
    double andrews, car_axis, slider_crank;  // digits at rtol = atol = 1e-6
  } cases[] = {{"radau5", Form::index3, 4.3, 3.2, 3.2},        {"radau9", Form::index3, 4.3, 3.5, 3.5},
               {"radau13", Form::index3, 4.6, 3.8, 3.5},       {"radau5", Form::index2, 5.8, 4.3, 3.2},
               {"radau9", Form::index2, 5.8, 4.0, 3.6},        {"radau13", Form::index2, 5.5, 4.5, 4.5},
               {"half-explicit", Form::index2, 6.0, 3.6, 2.1}, {"generalized-alpha", Form::index3, 5.5, 1.6, 1.8}};
  for (const auto& c : cases) {
    EXPECT_GT(run("andrews", c.method, c.form, 1e-6).scd, c.andrews) << c.method << " " << name_of(c.form);
    EXPECT_GT(run("car-axis", c.method, c.form, 1e-6).scd, c.car_axis) << c.method << " " << name_of(c.form);
    EXPECT_GT(run("slider-crank", c.method, c.form, 1e-6).scd, c.slider_crank) << c.method << " " << name_of(c.form);
  }
}

TEST(DirectForms, RoundingOfImposedPositionsIsNotTakenForAnErrorOfTheStep) {
  const Outcome outcome = run("andrews", "generalized-alpha", Form::index3, 1e-9);
  EXPECT_GT(outcome.scd, 8.0);
  EXPECT_LT(outcome.result.statistics.rejected, 50);
  EXPECT_LT(outcome.result.quality.velocity_residual, 1e-6);
}

TEST(DirectForms, IndexTwoKeepsTheOffsetOfTheSliderCrank) {
  for (const char* method : {"radau9", "radau13"}) {
    const Outcome outcome = run("slider-crank", method, Form::index2, 1e-10);
    Vector g(3);
    outcome.model.system->constraint(0.1, outcome.result.end.q, g);
    EXPECT_NEAR(g.norm(), 2.031e-10, 1e-12) << method;
    EXPECT_LT(outcome.result.quality.velocity_residual, 1e-12);
  }
}

}  // namespace
}  // namespace raak
