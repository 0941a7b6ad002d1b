#include "methods/multistep/bdf_formula.h"

#include <gtest/gtest.h>

#include <cmath>

namespace raak {
namespace {

struct Decay {
  int steps = 0;
  int highest = 0;
  double error = 0.0;
};

// y' = -y from 1 over 2 s.
Decay decay(double tolerance) {
  BdfFormula formula(1, [=](const Vector& e) { return std::abs(e[0]) / tolerance; });
  Vector y = Vector::Ones(1);
  Vector slope = -y;
  formula.begin(y, slope);
  double t = 0.0;
  double h = 0.1 * std::sqrt(tolerance);
  Decay run;
  while (t < 2.0 && ++run.steps < 100000) {
    formula.predict(h, y, slope);
    const double w = formula.w();
    const Vector difference = (y - w * slope) / (1.0 + w) - y;
    if (formula.error(difference) > 1.0) {
      h = formula.reject(true);
      continue;
    }
    t += h;
    run.highest = std::max(run.highest, formula.order());
    h = formula.accept();
    formula.interpolate(0.0, y);
    run.error = std::max(run.error, std::abs(y[0] - std::exp(-t)));
  }
  return run;
}

// A method of order k needs 10^(1/(k+1)) times the steps for each digit: 10^(5/6) = 6.8 for five digits at order 5.
TEST(BdfFormula, ReachesOrderFiveAndItsCost) {
  const Decay coarse = decay(1e-6);
  const Decay fine = decay(1e-11);
  EXPECT_EQ(fine.highest, 5);
  EXPECT_LT(coarse.error, 1e-4);
  EXPECT_LT(fine.error, 1e-9);
  EXPECT_LT(fine.steps, 10.0 * coarse.steps);
}

}  // namespace
}  // namespace raak
