#include "base/tape/replay.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "base/tape/kernel.h"

namespace raak {
namespace {

template <class Real>
Real every_operation(const Real& x, const Real& y) {
  Real r = sin(x) * cos(y) / (1.0 + x * x) + exp(-x) * log(y + 3.0) - sqrt(y * y + 2.0);
  r += atan2(y, x) * pow(y + 2.0, 1.5) - tan(0.1 * x) + abs(x - y) + sin(x + y);
  return r * r - sin(-x) * y;
}

TEST(Replay, RepeatsEveryOperationWithOtherValuesForTheInputs) {
  Tape part;
  {
    const Tape::Recording recording(part);
    const Recorded x = part.new_input(0);
    const Recorded y = part.new_input(1);
    part.add_output(0, every_operation(x, y));
    part.add_output(0, x * y - 2.0);
  }
  const Program program(part);
  Tape whole;
  {
    const Tape::Recording recording(whole);
    const Recorded u = whole.new_input(0);
    const auto once = replay(program, [&](int block, int) { return block == 0 ? u * u : u + 1.0; });
    const auto twice = replay(program, [&](int block, int) { return block == 0 ? -once[1] : Recorded(0.5); });
    for (const Recorded& value : {once[0], once[1], twice[0], twice[1]}) whole.add_output(0, value);
  }
  const double u = 1.3;
  std::array<double, 4> found{};
  const double* const in[4] = {&u, nullptr, nullptr, nullptr};
  double* const out[3] = {found.data(), nullptr, nullptr};
  Kernel(whole).run_one(in, out);
  const double second = u * u * (u + 1.0) - 2.0;
  EXPECT_NEAR(found[0], every_operation(u * u, u + 1.0), 1e-12);
  EXPECT_NEAR(found[1], second, 1e-14);
  EXPECT_NEAR(found[2], every_operation(-second, 0.5), 1e-12);
  EXPECT_NEAR(found[3], -second * 0.5 - 2.0, 1e-14);
}

// Blocks beyond the fourth are in registers that a caller wants back, and that functions may be called beside.
TEST(Replay, MachineCodeReadsEightBlocksOfInputs) {
  constexpr int blocks = 8;
  Tape tape;
  {
    const Tape::Recording recording(tape);
    Recorded sum(0.0);
    for (int b = 0; b < blocks; ++b) {
      tape.new_input(b);
      sum = exp(0.01 * sum) + static_cast<double>(b + 1) * tape.new_input(b);
    }
    tape.add_output(0, sum);
  }
  std::array<std::array<double, 2>, blocks> values{};
  std::array<const double*, blocks> in{};
  double expected = 0.0;
  for (std::size_t b = 0; b < blocks; ++b) {
    values[b] = {100.0, 0.3 - 0.7 * static_cast<double>(b)};
    in[b] = values[b].data();
    expected = std::exp(0.01 * expected) + static_cast<double>(b + 1) * values[b][1];
  }
  const Kernel kernel(tape);
  for (const bool emitted : {false, true}) {
    if (emitted) kernel.emit(Width::one);
    double total = 0.0;
    for (int repeat = 0; repeat < 3; ++repeat) {
      double found = 0.0;
      double* const out[3] = {&found, nullptr, nullptr};
      kernel.run_one(in.data(), out);
      total += found;
    }
    EXPECT_NEAR(total, 3.0 * expected, 1e-12);
  }
}

}  // namespace
}  // namespace raak
