// Every template is a model that loads, assembles, runs and meets its own reference.
#include "modelfile/templates.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "base/error.h"
#include "modelfile/tests/test_support.h"
#include "run/integrate.h"

namespace raak {
namespace {

// Largest relative error against the references of the file; absolute where a reference is 0.
double error_of(const std::string& text) {
  const ScratchModel file(text);
  const ModelSource source = load_model(file.path());
  Model model = source.build(source.parameters, Form::index1);
  keep_references_of(model, source.runs.front().name);
  Plan plan;
  plan.until = source.runs.front().until;
  plan.tolerances = Tolerances::uniform(1e-10, 1e-10);
  const Result result = integrate(*model.system, consistent_start(model), plan);
  EXPECT_EQ(result.termination, Termination::ok) << result.message;
  State shown;
  model.system->report(result.end, shown);
  const ReportedNames& names = model.system->reported();
  const std::vector<std::string> outputs = output_names(*model.system);
  double largest = 0.0;
  const auto error_in = [&](const std::string& name, double expected) {
    double found = NAN;
    for (std::size_t i = 0; i < names.positions.size(); ++i)
      if (name == "q." + names.positions[i]) found = shown.q[static_cast<Eigen::Index>(i)];
    for (std::size_t i = 0; i < names.velocities.size(); ++i)
      if (name == "v." + names.velocities[i]) found = shown.v[static_cast<Eigen::Index>(i)];
    for (std::size_t i = 0; i < outputs.size(); ++i)
      if (name == outputs[i]) found = result.outputs[static_cast<Eigen::Index>(i)];
    EXPECT_TRUE(std::isfinite(found)) << name;
    return std::abs(found - expected) / (expected == 0.0 ? 1.0 : std::abs(expected));
  };
  EXPECT_FALSE(model.references.empty());
  for (const Reference& reference : model.references) {
    double worst = 0.0;
    for (const auto& [name, expected] : reference.values.at(plan.until))
      worst = std::max(worst, error_in(name, expected));
    EXPECT_LT(worst, std::pow(10.0, -reference.required_scd)) << reference.source;
    largest = std::max(largest, worst);
  }
  return largest;
}

class Template : public testing::TestWithParam<TemplateInfo> {};

TEST_P(Template, RunsAndMeetsItsOwnReference) {
  EXPECT_LT(error_of(template_text(GetParam(), {})), 1e-5);
}

TEST_P(Template, ExplainsItselfInComments) {
  const std::string text = template_text(GetParam(), {});
  EXPECT_TRUE(text.starts_with("# "));
  EXPECT_NE(text.find("# m/s^2"), std::string::npos) << "units are shown";
}

INSTANTIATE_TEST_SUITE_P(All, Template, testing::ValuesIn(template_catalogue()), [](const auto& tested) {
  std::string name = tested.param.name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

// The end points that the benchmark library prints for t = 10 s.
TEST(Generators, KnowTheClosedFormOfTheFourBarLinkages) {
  const auto value = [](const std::string& text, const std::string& name) {
    return std::stod(text.substr(text.find("\"" + name + "\" = ", text.find("[references.default")) + name.size() + 5));
  };
  for (const auto& [count, x, y] : {std::tuple{1L, 0.478385057760971, 0.878150178791209},
                                    {2L, 0.328458111540815, 0.944518538178601},
                                    {40L, 0.180512226686728, 0.983572740582312}}) {
    const std::string text = template_text(find_template("n-four-bar"), count);
    EXPECT_NEAR(value(text, "B0.x"), x, 1e-12);
    EXPECT_NEAR(value(text, "B0.y"), y, 1e-12);
  }
}

TEST(Generators, MakeChainsOfAnyLength) {
  for (const long rods : {1L, 5L}) error_of(template_text(find_template("chain"), rods));
  const std::string text = template_text(find_template("chain"), 1000L);
  EXPECT_NE(text.find("[bodies.rod1000]"), std::string::npos);
}

TEST(Generators, MakeArmsWithATipOfIndependentOrigin) {
  for (const long rods : {2L, 3L, 5L, 7L, 12L, 13L, 20L, 40L}) {
    const std::string text = template_text(find_template("arm"), rods);
    SCOPED_TRACE(rods);
    EXPECT_EQ(text.find("[references.independent]") != std::string::npos, rods != 13L);
    error_of(text);
  }
}

TEST(Templates, RefuseWhatTheyAreNot) {
  EXPECT_THROW(find_template("pendulom"), Error);
  EXPECT_THROW(template_text(find_template("pendulum"), 3L), Error);
  EXPECT_THROW(template_text(find_template("chain"), 0L), Error);
  EXPECT_THROW(template_text(find_template("chain"), 100001L), Error);
}

}  // namespace
}  // namespace raak
