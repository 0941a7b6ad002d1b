#include "base/tape/angle_sums.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/tape/kernel.h"

namespace raak {
namespace {

int reductions(const Kernel& kernel) {
  std::vector<int> quadrants;
  for (const Instruction& i : kernel.program().instructions())
    if (i.op == Op::sine_part || i.op == Op::cosine_part) quadrants.push_back(i.a);
  std::sort(quadrants.begin(), quadrants.end());
  return static_cast<int>(std::unique(quadrants.begin(), quadrants.end()) - quadrants.begin());
}

TEST(AngleSums, ComeFromTheirPartsWhereTheseAreNeededAnyway) {
  Tape tape;
  {
    const Tape::Recording recording(tape);
    const Recorded a = tape.new_input(0);
    const Recorded b = tape.new_input(0);
    const Recorded c = tape.new_input(0);
    // Sums before their parts, one of them of a sum, and one whose part c has no function of its own.
    for (const Recorded& angle : {a + b, a - b, (a + b) + a, b + c, a, b}) {
      tape.add_output(0, sin(angle));
      tape.add_output(0, cos(angle));
    }
  }
  const Kernel kernel(tape);
  EXPECT_EQ(reductions(kernel), 3);  // of a, b and b + c
  for (const double a : {0.3, -2.0, 40.0})
    for (const double b : {1.1, 3.0, -7.5}) {
      const double x[3] = {a, b, 0.7};
      double y[12];
      const double* const in[4] = {x, nullptr, nullptr, nullptr};
      double* const out[3] = {y, nullptr, nullptr};
      kernel.run_one(in, out);
      const double angles[6] = {a + b, a - b, a + b + a, b + 0.7, a, b};
      for (int i = 0; i < 6; ++i) {
        EXPECT_NEAR(y[2 * i], std::sin(angles[i]), 2e-14);
        EXPECT_NEAR(y[2 * i + 1], std::cos(angles[i]), 2e-14);
      }
    }
}

TEST(AngleSums, AreLeftAloneWhereAPartWouldNeedAReductionOfItsOwn) {
  Tape tape;
  {
    const Tape::Recording recording(tape);
    const Recorded a = tape.new_input(0);
    const Recorded b = tape.new_input(0);
    sin(b);  // recorded, but nothing comes of it
    tape.add_output(0, sin(a) * cos(a + b));
  }
  EXPECT_EQ(reductions(Kernel(tape)), 2);
}

}  // namespace
}  // namespace raak
