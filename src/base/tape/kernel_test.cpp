#include "base/tape/kernel.h"

#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <random>

#include "base/code/machine.h"
#include "oracle/jet.h"

namespace raak {
namespace {

template <class Real>
Real every_operation(const Real& x, const Real& y) {
  Real r = sin(x) * cos(y) / (1.0 + x * x) + exp(-x) * log(y + 3.0) - sqrt(y * y + 2.0);
  r += atan2(y, x) * pow(y + 2.0, 1.5) - tan(0.1 * x) + tanh(x - y);
  r *= 1.0 + 0.5 * x;
  return abs(r - 2.0) - x * y;
}

// Runs a kernel of inputs (x | y) and returns its outputs in the first lane.
struct Runner {
  const Kernel& kernel;
  alignas(32) double x[4], y[4], out[64];
  explicit Runner(const Kernel& k) : kernel(k) {}
  double operator()(double a, double b) {
    for (int i = 0; i < 4; ++i) {
      x[i] = a + 0.01 * i;
      y[i] = b - 0.02 * i;
    }
    const double* const in[4] = {x, y, nullptr, nullptr};
    double* const to[3] = {out, nullptr, nullptr};
    kernel.run(in, to);
    return out[0];
  }
};

Tape record(auto&& formula) {
  Tape tape;
  const Tape::Recording recording(tape);
  const Recorded x = tape.new_input(0);
  const Recorded y = tape.new_input(1);
  formula(x, y, tape);
  return tape;
}

TEST(Kernel, InterpretedEmittedAndDirectEvaluationAgree) {
  const Tape tape =
      record([](const Recorded& x, const Recorded& y, Tape& t) { t.add_output(0, every_operation(x, y)); });
  const Kernel interpreted(tape);
  const Kernel emitted(tape);
  const bool code = emitted.emit();
  Runner slow(interpreted), fast(emitted);
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> value(-1.5, 30.0);
  for (int i = 0; i < 300; ++i) {
    const double a = value(random);
    const double b = std::abs(value(random));
    const double direct = every_operation(a, b);
    EXPECT_NEAR(slow(a, b), direct, 1e-12 * (1.0 + std::abs(direct)));
    fast(a, b);
    for (int lane = 0; lane < 4; ++lane)
      EXPECT_EQ(slow.out[lane], fast.out[lane]) << "lane " << lane << " code " << code;
  }
}

TEST(Kernel, OneStateGivesTheBitsOfALane) {
  const Tape tape = record([](const Recorded& x, const Recorded& y, Tape& t) {
    t.add_output(0, every_operation(x, y));
    t.add_output(0, -x);
    t.add_output(0, min(x, y));
    t.add_output(0, Recorded(-2.5));
  });
  const Kernel interpreted(tape), emitted(tape);
  emitted.emit(Width::one);
  Runner lanes_of(interpreted);
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> value(-1.5, 30.0);
  for (int i = 0; i < 300; ++i) {
    lanes_of(value(random), std::abs(value(random)));
    for (int lane = 0; lane < 4; ++lane) {
      const double* const in[4] = {lanes_of.x + lane, lanes_of.y + lane, nullptr, nullptr};
      double slow[4], fast[4];
      double* const to_slow[3] = {slow, nullptr, nullptr};
      double* const to_fast[3] = {fast, nullptr, nullptr};
      interpreted.run_one(in, to_slow);
      emitted.run_one(in, to_fast);
      for (int k = 0; k < 4; ++k) {
        EXPECT_EQ(slow[k], lanes_of.out[4 * k + lane]);
        EXPECT_EQ(fast[k], lanes_of.out[4 * k + lane]);
      }
    }
  }
}

// The interpreter's memory is kept from run to run, constants included.
TEST(Kernel, InterpretedOnesTakeTurnsWithTheirOwnConstants) {
  const auto times = [](double factor) {
    return std::make_unique<Kernel>(
        record([&](const Recorded& x, const Recorded& y, Tape& t) { t.add_output(0, x * factor + y); }));
  };
  const auto twice = times(2.0);
  for (int turn = 3; turn < 12; ++turn) {
    const auto other = times(turn);  // likely where the one before it was
    Runner first(*twice), second(*other);
    EXPECT_EQ(first(5.0, 1.0), 11.0);
    EXPECT_EQ(second(5.0, 1.0), 5.0 * turn + 1.0);
    EXPECT_EQ(second(7.0, 1.0), 7.0 * turn + 1.0);
  }
}

TEST(Kernel, OfMoreValuesThanSixteenBitsNumberIsInterpretedAsWell) {
  constexpr int count = 20000;
  Tape tape;
  {
    const Tape::Recording recording(tape);
    std::vector<Recorded> x;
    for (int i = 0; i < count; ++i) x.push_back(tape.new_input(0));
    Recorded sum(0.0);
    for (int i = 0; i < count; ++i)
      sum = sum * 0.5 + x[static_cast<std::size_t>(i)] * x[static_cast<std::size_t>(count - 1 - i)];
    tape.add_output(0, sum);
  }
  const Kernel kernel(tape);
  std::vector<double> x(count);
  double expected = 0.0;
  for (int i = 0; i < count; ++i) x[static_cast<std::size_t>(i)] = std::cos(0.1 * i);
  for (int i = 0; i < count; ++i)
    expected = expected * 0.5 + x[static_cast<std::size_t>(i)] * x[static_cast<std::size_t>(count - 1 - i)];
  const double* const in[4] = {x.data(), nullptr, nullptr, nullptr};
  double found = 0.0;
  double* const out[3] = {&found, nullptr, nullptr};
  kernel.run_one(in, out);
  EXPECT_NEAR(found, expected, 1e-14);
}

TEST(Kernel, SharesCommonTermsAndFoldsZeros) {
  const Tape tape = record([](const Recorded& x, const Recorded& y, Tape& t) {
    const Recorded zero(0.0);
    t.add_output(0, (x * y + zero * x) + (y * x));  // 2 x y: one product, one sum
    t.add_output(0, x * 1.0 - zero);
  });
  EXPECT_EQ(Kernel(tape).program().operations(), 2);
}

TEST(Kernel, FusesProductsIntoSums) {
  const Tape tape = record([](const Recorded& x, const Recorded& y, Tape& t) { t.add_output(0, x * y + x); });
  EXPECT_EQ(Kernel(tape).program().operations(), 1);
}

TEST(Kernel, OutputsMayBeInputsConstantsAndNegated) {
  const Tape tape = record([](const Recorded& x, const Recorded& y, Tape& t) {
    t.add_output(0, -x);
    t.add_output(0, y);
    t.add_output(0, Recorded(-2.5));
    t.add_output(0, min(x, y));
  });
  for (const bool emit : {false, true}) {
    const Kernel kernel(tape);
    if (emit) kernel.emit();
    Runner run(kernel);
    run(3.0, 7.0);
    EXPECT_EQ(run.out[0], -3.0);
    EXPECT_EQ(run.out[4], 7.0);
    EXPECT_EQ(run.out[8], -2.5);
    EXPECT_EQ(run.out[12], 3.0);
  }
}

TEST(Kernel, ManyLiveValuesAreSpilledAndRestored) {
  // Forty values alive at once, far more than registers, with calls in between.
  const Tape tape = record([](const Recorded& x, const Recorded& y, Tape& t) {
    std::vector<Recorded> terms;
    for (int i = 1; i <= 40; ++i) terms.push_back(sin(x * static_cast<double>(i)) * y + static_cast<double>(i));
    Recorded sum = exp(y * 0.01);
    for (int i = 39; i >= 0; --i)
      sum = sum * 0.5 + terms[static_cast<std::size_t>(i)] * terms[static_cast<std::size_t>(39 - i)];
    for (int i = 0; i < 10; ++i) t.add_output(0, terms[static_cast<std::size_t>(4 * i)]);
    t.add_output(0, sum);
  });
  const Kernel slow(tape), fast(tape);
  fast.emit();
  Runner a(slow), b(fast);
  a(0.3, 1.7);
  b(0.3, 1.7);
  for (int i = 0; i < 44; ++i) EXPECT_EQ(a.out[i], b.out[i]) << i;
  const double* const in[4] = {a.x, a.y, nullptr, nullptr};
  double single[11];
  double* const to[3] = {single, nullptr, nullptr};
  fast.emit(Width::one);
  fast.run_one(in, to);
  for (int i = 0; i < 11; ++i) EXPECT_EQ(a.out[4 * i], single[i]) << i;
  double sum = std::exp(0.017);
  const auto term = [](int i) { return std::sin(0.3 * i) * 1.7 + i; };
  for (int i = 39; i >= 0; --i) sum = sum * 0.5 + term(i + 1) * term(40 - i);
  EXPECT_NEAR(a.out[40], sum, 1e-9 * std::abs(sum));
}

TEST(Kernel, EmitsByItselfWhenItIsUsedOften) {
  const Tape tape = record([](const Recorded& x, const Recorded& y, Tape& t) { t.add_output(0, x * y + 1.0); });
  const Kernel kernel(tape);
  Runner run(kernel);
  for (int i = 0; i < 2000; ++i) ASSERT_EQ(run(2.0, 0.5 * i), i + 1.0);
  EXPECT_EQ(kernel.code_bytes() > 0, machine_has_avx2 && std::getenv("RAAK_NO_EMIT") == nullptr);
}

// A process may give up the right to make memory executable that was not so before (Linux 6.3).
TEST(Kernel, OfCallsOnlyIsEmitted) {
  const Kernel kernel(record([](const Recorded& x, const Recorded& y, Tape& t) {
    Recorded nested = x;
    for (int i = 0; i < 400; ++i) nested = atan2(nested, y);
    t.add_output(0, nested);
  }));
  EXPECT_EQ(kernel.emit(Width::four), machine_has_avx2 && std::getenv("RAAK_NO_EMIT") == nullptr);
}

TEST(Kernel, IsInterpretedWhereTheSystemRefusesMachineCode) {
  constexpr int set_refusal = 65;  // PR_SET_MDWE
  constexpr int no_gain = 1;       // PR_MDWE_REFUSE_EXEC_GAIN
  constexpr int cannot_be_tested = 77;
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    if (prctl(set_refusal, no_gain, 0, 0, 0) != 0) _exit(cannot_be_tested);
    const Tape tape = record([](const Recorded& x, const Recorded& y, Tape& t) { t.add_output(0, x * y + 1.0); });
    const Kernel kernel(tape);
    const bool refused = !kernel.emit();
    Runner run(kernel);
    _exit(refused && run(2.0, 3.0) == 7.0 && kernel.code_bytes() == 0 ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  if (WEXITSTATUS(status) == cannot_be_tested) GTEST_SKIP() << "this system cannot refuse";
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
}  // namespace raak
