// Delivered accuracy follows the request: the digits of q, against 1 + |q|, of the methods that promise it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "problems/catalogue.h"
#include "study/accuracy.h"

namespace raak {
namespace {

constexpr double shortfall = 1.5;     // digits
constexpr double unsteadiness = 0.7;  // digits
// Sweeps over a stiff rod take steps at the limit of their contraction, where rounding decides which are repeated.
constexpr double unsteadiness_of_stiff = 1.4;
constexpr double limit = 12.0;  // where rounding errors of double precision may begin to show

double digits_of_positions(const Model& model, const Reference& reference, const Result& result, double until) {
  double worst = 1e-17;
  const auto found = components(*model.system, result.end, result.outputs);
  for (const std::string& name : reference.scored) {
    if (!name.starts_with("q.")) continue;
    const double exact = reference.values.at(until).at(name);
    worst = std::max(worst, std::abs(found.at(name) - exact) / (1.0 + std::abs(exact)));
  }
  return -std::log10(worst);
}

class PromisingMethod : public testing::TestWithParam<const char*> {};

TEST_P(PromisingMethod, DeliversTheDigitsAskedForOnEveryProblem) {
  for (const ModelSource& source : problem_catalogue())
    for (const auto& run : source.runs) {
      if (run.form == Form::index2) continue;  // keeps the offset of its start
      Parameters parameters = source.parameters;
      for (const auto& [name, value] : run.settings) parameters.set(name, value);
      const Model model = source.build(parameters, run.form);
      const auto reference = std::find_if(model.references.begin(), model.references.end(), [&](const Reference& r) {
        return r.kind == Reference::Kind::trusted && r.has_time(run.until) && !r.form;
      });
      if (reference == model.references.end()) continue;
      const State start = make_consistent(*model.system, model.start);
      const double unsteady = source.name == "slider-crank" ? unsteadiness_of_stiff : unsteadiness;
      double best = 0.0;
      for (int asked = 3; asked <= 13; ++asked) {
        Plan plan;
        plan.until = run.until;
        plan.method = GetParam();
        plan.form = run.form;
        plan.measure_quality = false;
        plan.tolerances = Tolerances::uniform(std::pow(10.0, -asked), std::pow(10.0, -asked));
        const Result result = integrate(*model.system, start, plan);
        ASSERT_EQ(result.termination, Termination::ok) << source.name << " " << run.name << " " << result.message;
        const double digits = digits_of_positions(model, *reference, result, run.until);
        EXPECT_GT(digits, std::min(asked - shortfall, limit)) << source.name << " " << run.name << " at 1e-" << asked;
        EXPECT_GT(digits, std::min(best, limit) - unsteady) << source.name << " " << run.name << " at 1e-" << asked;
        best = std::max(best, digits);
      }
    }
}

// The crank turns 360 times. Its angle of 2270 rad is known to as many digits as asked for; so must be what it drives.
TEST_P(PromisingMethod, DeliversTheDigitsAskedForAfterManyTurns) {
  const ModelSource& source = *std::find_if(problem_catalogue().begin(), problem_catalogue().end(),
                                            [](const ModelSource& s) { return s.name == "andrews"; });
  const Model model = source.build(source.parameters, Form::index1);
  const State start = make_consistent(*model.system, model.start);
  const auto end = [&](int asked) {
    Plan plan;
    plan.until = 0.6;
    plan.method = GetParam();
    plan.measure_quality = false;
    plan.tolerances = Tolerances::uniform(std::pow(10.0, -asked), std::pow(10.0, -asked));
    const Result result = integrate(*model.system, start, plan);
    EXPECT_EQ(result.termination, Termination::ok) << result.message;
    return result.end.q;
  };
  const Vector exact = end(12);
  for (const int asked : {4, 6, 8}) {
    const Vector error = (end(asked) - exact).array().abs() / (1.0 + exact.array().abs());
    EXPECT_GT(-std::log10(error.maxCoeff()), asked - shortfall) << "at 1e-" << asked;
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, PromisingMethod, testing::Values("auto", "gauss", "radau", "tangent"));

TEST(Automatic, NeedsNeverTwiceTheEvaluationsOfTheBetterMethod) {
  for (const ModelSource& source : problem_catalogue())
    for (const auto& run : source.runs) {
      Parameters parameters = source.parameters;
      for (const auto& [name, value] : run.settings) parameters.set(name, value);
      const Model model = source.build(parameters, run.form);
      const State start = make_consistent(*model.system, model.start);
      for (const double tolerance : {5e-2, 1e-4, 1e-7, 1e-10, 1e-12}) {
        const auto evaluations = [&](const char* method) {
          Plan plan;
          plan.until = run.until;
          plan.method = method;
          plan.form = run.form;
          plan.measure_quality = false;
          plan.tolerances = Tolerances::uniform(tolerance, tolerance);
          return integrate(*model.system, start, plan).statistics.evaluations;
        };
        EXPECT_LT(evaluations("auto"), 2 * std::min(evaluations("gauss"), evaluations("radau")))
            << source.name << " " << run.name << " at " << tolerance;
      }
    }
}

}  // namespace
}  // namespace raak
