// Index 1 without projection: constraints that nothing holds are left, and how fast. A step leaves an error in g' too,
// so that the velocities drift about linearly in time and the positions about with its square (Hairer and Wanner II,
// section VII.2).
#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "methods/test_pendulum.h"
#include "system/equations/forms.h"

namespace raak {
namespace {

struct Gap {
  double position = 0.0, velocity = 0.0;
};

Gap gap_of(const State& state) {
  Vector g(pendulum->position_rows()), c(pendulum->rows());
  pendulum->constraint(state.t, state.q, g);
  pendulum->velocity_constraint(state.t, state.q, state.v, c);
  return {g.norm(), c.norm()};
}

Gap gap_after(const std::string& method, Form form, double until, double h) {
  const auto made = find_method(method).make(*pendulum, form, Tolerances::uniform(1e9, 1e9));
  made->use_fixed_steps();
  return gap_of(advance(*made, pendulum_start(), until, h));
}

TEST(PlainIndexOne, DriftsWithTheOrderOfTheMethod) {
  for (const auto& [method, order, h] : {std::tuple{"dopri5", 5, 0.05}, {"dop853", 8, 0.2}}) {
    const Gap coarse = gap_after(method, Form::index1_plain, 4.0, h),
              fine = gap_after(method, Form::index1_plain, 4.0, 0.5 * h);
    EXPECT_NEAR(std::log2(coarse.position / fine.position), order, 1.2) << method;
    EXPECT_GT(fine.position, 1e-13) << method;
    EXPECT_LT(gap_after(method, Form::index1, 4.0, h).position, 1e-13) << method;
  }
}

TEST(PlainIndexOne, DriftsLinearlyInVelocityAndQuadraticallyInPosition) {
  // Over whole swings, of 2.6 s each: within one the drift comes and goes.
  const Gap early = gap_after("dopri5", Form::index1_plain, 20.0, 0.02),
            late = gap_after("dopri5", Form::index1_plain, 80.0, 0.02);
  EXPECT_NEAR(std::log2(late.position / early.position) / 2.0, 2.0, 0.5);
  EXPECT_NEAR(std::log2(late.velocity / early.velocity) / 2.0, 1.0, 0.5);
}

TEST(PlainIndexOne, IsRefusedWithTheMethodsThatHaveIt) {
  const std::string text = missing_form(find_method("gauss"), Form::index1_plain);
  for (const char* words : {"\"gauss\" has no form \"index1-plain\"", "auto, dop853, dopri5, adams", "by construction"})
    EXPECT_NE(text.find(words), std::string::npos) << text;
  EXPECT_EQ(missing_form(find_method("svd"), Form::index2),
            "method \"svd\" has no form \"index2\"; it has: index1, index3, ggl");
}

}  // namespace
}  // namespace raak
