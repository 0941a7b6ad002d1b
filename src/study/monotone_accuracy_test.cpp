// Every method and form delivers more digits for a tighter tolerance, down to the limit of double precision, on every
// built-in problem; a single lucky tolerance does not count.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "problems/catalogue.h"
#include "study/accuracy.h"

namespace raak {
namespace {

constexpr double unsteadiness = 0.7;  // digits, against tolerances that are looser by two decades or more
constexpr double limit = 9.0;         // digits from which on rounding errors may show in methods of many steps

struct Case {
  std::string method;
  Form form;
};

std::vector<Case> every_case() {
  std::vector<Case> cases;
  for (const MethodInfo& method : method_catalogue())
    for (const Form form : method.forms) {
      const bool projected = method.forms.front() == Form::index1;  // the form says only what is projected
      if (!projected || form == Form::index1) cases.push_back({method.name, form});
    }
  return cases;
}

class AnyMethod : public testing::TestWithParam<Case> {};

TEST_P(AnyMethod, DeliversMoreDigitsForATighterTolerance) {
  const MethodInfo& method = find_method(GetParam().method);
  for (const ModelSource& source : problem_catalogue()) {
    const int affordable = source.name == "slider-crank" ? 5 : source.name == "car-axis" ? 8 : 12;
    const int tightest = method.tightest_rtol == 1e-6 ? 5 : affordable;
    const Form form = GetParam().form;
    const Model model = source.build(source.parameters, form);
    const State start = make_consistent(*model.system, model.start);
    Plan plan;
    plan.until = source.runs.front().until;
    plan.method = method.name;
    plan.form = form;
    plan.measure_quality = false;
    double best = 0.0;
    double last = 0.0;
    for (int asked = 3; asked <= tightest; asked += asked == 11 ? 1 : 2) {
      plan.tolerances = Tolerances::uniform(std::pow(10.0, -asked), std::pow(10.0, -asked));
      const Result result = integrate(*model.system, start, plan);
      ASSERT_EQ(result.termination, Termination::ok) << source.name << " at 1e-" << asked << ": " << result.message;
      if (asked < 12) best = std::max(best, last);
      last = position_digits(model, form, result).value();
      EXPECT_GT(last, std::min(best, limit) - unsteadiness) << source.name << " at 1e-" << asked;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, AnyMethod, testing::ValuesIn(every_case()), [](const auto& entry) {
  std::string name = entry.param.method + "_" + name_of(entry.param.form);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

}  // namespace
}  // namespace raak
