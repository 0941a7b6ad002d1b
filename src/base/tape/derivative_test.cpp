#include "base/tape/derivative.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/tape/kernel.h"
#include "oracle/jet.h"

namespace raak {
namespace {

template <class Real>
Real every_operation(const Real& x, const Real& y) {
  Real r = sin(x) * cos(y) / (1.0 + x * x) + exp(-x) * log(y + 3.0) - sqrt(y * y + 2.0) + tanh(x - y);
  r += atan2(y, x) * pow(y + 2.0, 1.5) - tan(0.1 * x);
  return r * r - sin(-x) * y;
}

// Outputs of a kernel with the inputs x and y of block 0.
template <int N>
std::array<double, N> run(const Tape& tape, double x, double y) {
  alignas(32) double in[8];
  alignas(32) double out[4 * N];
  for (int k = 0; k < 4; ++k) in[k] = x, in[4 + k] = y;
  const double* const from[4] = {in, nullptr, nullptr, nullptr};
  double* const to[3] = {out, nullptr, nullptr};
  Kernel(tape).run(from, to);
  std::array<double, N> values;
  for (int i = 0; i < N; ++i) values[static_cast<std::size_t>(i)] = out[4 * i];
  return values;
}

TEST(Derivative, EqualsThatOfJetsForEveryOperation) {
  Tape tape;
  const Tape::Recording recording(tape);
  const std::vector<Recorded> in{tape.new_input(0), tape.new_input(0)};
  const Recorded value = every_operation(in[0], in[1]);
  const Gradient g = gradients({value}, in).front();
  ASSERT_EQ(g.size(), 2U);
  tape.add_output(0, value);
  tape.add_output(0, g[0].second);
  tape.add_output(0, g[1].second);
  const std::vector<Recorded> direction{Recorded(0.3), Recorded(-2.0)};
  const std::vector<Recorded> first = derivative_along({value}, in, direction);
  tape.add_output(0, first[0]);
  tape.add_output(0, derivative_along(first, in, direction)[0]);
  for (const double x : {0.3, 1.7, 4.0}) {
    for (const double y : {0.2, 2.5}) {
      using J = Jet<double, 2>;
      const J expected = every_operation(J::variable(x, 0), J::variable(y, 1));
      const auto along = every_operation(Taylor<double>(x, 0.3, 0.0), Taylor<double>(y, -2.0, 0.0));
      const auto found = run<5>(tape, x, y);
      EXPECT_NEAR(found[0], expected.value, 1e-13 * (1.0 + std::abs(expected.value)));
      EXPECT_NEAR(found[1], expected.partial[0], 1e-12 * (1.0 + std::abs(expected.partial[0])));
      EXPECT_NEAR(found[2], expected.partial[1], 1e-12 * (1.0 + std::abs(expected.partial[1])));
      EXPECT_NEAR(found[3], along.d, 1e-12 * (1.0 + std::abs(along.d)));
      EXPECT_NEAR(found[4], along.dd, 1e-11 * (1.0 + std::abs(along.dd)));
    }
  }
}

TEST(Derivative, LeavesStructuralZerosOut) {
  Tape tape;
  const Tape::Recording recording(tape);
  const std::vector<Recorded> in{tape.new_input(0), tape.new_input(0), tape.new_input(0)};
  const Recorded& same = in[0];
  const auto g = gradients({in[0] * in[2], -in[1], Recorded(3.0), in[0] - same}, in);
  ASSERT_EQ(g[0].size(), 2U);
  EXPECT_EQ(g[0][0].first, 0);
  EXPECT_EQ(g[0][1].first, 2);
  ASSERT_EQ(g[1].size(), 1U);
  EXPECT_EQ(g[1][0].first, 1);
  EXPECT_TRUE(g[1][0].second.is_constant());
  EXPECT_TRUE(g[2].empty());
  EXPECT_TRUE(g[3].empty());
}

TEST(Derivative, OfRootsAndAnglesIsFiniteAtZero) {
  Tape tape;
  const Tape::Recording recording(tape);
  const std::vector<Recorded> in{tape.new_input(0), tape.new_input(0)};
  const std::vector<Recorded> values{sqrt(in[0] * in[0] + in[1] * in[1]), atan2(in[0], in[1])};
  for (const Gradient& g : gradients(values, in))
    for (const auto& [variable, partial] : g) tape.add_output(0, partial);
  for (const double d : run<4>(tape, 0.0, 0.0)) EXPECT_EQ(d, 0.0);
}

}  // namespace
}  // namespace raak
