#include "base/tape/substitution.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/tape/derivative.h"
#include "base/tape/kernel.h"

namespace raak {
namespace {

template <class Real>
Real every_operation(const Real& x, const Real& y) {
  Real r = sin(x) * cos(y) / (1.0 + x * x) + exp(-x) * log(y + 3.0) - sqrt(y * y + 2.0);
  r += atan2(y, x) * pow(y + 2.0, 1.5) - tan(0.1 * x) + min(x, y) * abs(x - y);
  return r * r - sin(-x) * y;
}

double run(const Tape& tape, double x, double y) {
  const double in[2] = {x, y};
  double out = 0.0;
  const double* const from[4] = {in, nullptr, nullptr, nullptr};
  double* const to[3] = {&out, nullptr, nullptr};
  Kernel(tape).run_one(from, to);
  return out;
}

TEST(Substitution, RepeatsEveryOperationWithTheNewValue) {
  Tape direct;
  {
    const Tape::Recording recording(direct);
    const Recorded x = direct.new_input(0);
    const Recorded y = direct.new_input(0);
    direct.add_output(0, every_operation(-(x * y), y));
  }
  Tape substituted;
  {
    const Tape::Recording recording(substituted);
    const Recorded x = substituted.new_input(0);
    const Recorded y = substituted.new_input(0);
    substituted.add_output(0, substitute({every_operation(x, y)}, {x}, {-(x * y)})[0]);
  }
  for (const double x : {0.3, -1.7}) EXPECT_DOUBLE_EQ(run(direct, x, 0.8), run(substituted, x, 0.8));
}

TEST(Substitution, LeavesDerivativesTakenBeforeItAlone) {
  // d(x y)/dx = y wherever y comes from: put in before differentiating, y = x would make it 2 x.
  Tape tape;
  const Tape::Recording recording(tape);
  const Recorded x = tape.new_input(0);
  const Recorded y = tape.new_input(0);
  const std::vector<Recorded> slope = derivative_along({x * y}, {x}, {Recorded(1.0)});
  tape.add_output(0, substitute(slope, {y}, {x})[0]);
  EXPECT_DOUBLE_EQ(run(tape, 0.7, 5.0), 0.7);
}

}  // namespace
}  // namespace raak
