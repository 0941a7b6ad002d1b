#include "base/tape/live.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/tape/kernel.h"

namespace raak {
namespace {

// Every operation that numbers may come about by.
template <class Number>
Number made_of(const Number& a, const Number& b) {
  Number r = sqrt(a * a + b * b) - sin(a) / cos(b) + exp(-a) * log(b + 3.0) - tanh(0.4 * a - b);
  r += atan2(b, a) + tan(0.1 * a) + abs(a - b);
  r -= 0.25;
  r *= 1.0 + 0.5 * a;
  r /= b + 4.0;
  return r;
}

class LiveTest : public testing::Test {
 protected:
  const std::shared_ptr<LiveNumbers> numbers_ = std::make_shared<LiveNumbers>();
  const Live a_ = numbers_->new_parameter(0.7), b_ = numbers_->new_parameter(1.3);

  template <class Formula>
  static std::unique_ptr<Kernel> record(const Formula& formula) {
    Tape tape;
    const Tape::Recording recording(tape);
    const Recorded x = tape.new_input(0);
    tape.add_output(0, formula(x));
    return std::make_unique<Kernel>(tape);
  }
  static double value(const Kernel& kernel, double x) {
    const double* const in[1] = {&x};
    double result = 0.0;
    double* const out[1] = {&result};
    kernel.run_one(in, out);
    return result;
  }
};

TEST_F(LiveTest, NumbersFollowTheirParameters) {
  const Live made = made_of(a_, b_);
  EXPECT_DOUBLE_EQ(made.now(), made_of(0.7, 1.3));
  ASSERT_TRUE(numbers_->set({{a_, -0.4}, {b_, 2.2}}));
  EXPECT_DOUBLE_EQ(made.now(), made_of(-0.4, 2.2));
}

TEST_F(LiveTest, KernelsFollowThemInterpretedAndAsMachineCode) {
  const auto formula = [&](const Recorded& x) {
    return made_of(a_, b_) * x * sin(a_ * x) + (x * x + 1.0) / (a_ * b_) + a_.recorded() * sin(b_.recorded()) - b_;
  };
  for (const bool emitted : {false, true}) {
    ASSERT_TRUE(numbers_->set({{a_, 0.7}, {b_, 1.3}}));
    const auto kernel = record(formula);
    if (emitted) kernel->emit(Width::one);
    const int operations = kernel->program().operations();
    for (const auto& [a, b] : {std::pair{0.7, 1.3}, {0.9, 1.1}, {-1.5, 3.5}}) {
      ASSERT_TRUE(numbers_->set({{a_, a}, {b_, b}}));
      const double x = 0.8;
      const double expected = made_of(a, b) * x * std::sin(a * x) + (x * x + 1.0) / (a * b) + a * std::sin(b) - b;
      EXPECT_NEAR(value(*kernel, x), expected, 1e-14 * (1.0 + std::abs(expected)));
      EXPECT_EQ(value(*kernel, x), value(*record(formula), x)) << "as one that is recorded with these numbers";
      EXPECT_EQ(kernel->program().operations(), operations);
    }
  }
}

TEST_F(LiveTest, AnEvaluationTakesNoMoreOperationsThanWithConstants) {
  const auto with = [&](const auto& a, const auto& b) {
    return record([&](const Recorded& x) {
             return Recorded(a * b) * x + Recorded(a) * Recorded(b) * sin(x) + x / Recorded(a) + (x + b) * (x + b);
           })
        ->program()
        .operations();
  };
  EXPECT_EQ(with(a_, b_), with(0.7, 1.3));
}

TEST_F(LiveTest, WhatDecidesOnAFormulaMayNotChange) {
  const auto kernel = record([&](const Recorded& x) {
    return a_.value() > 0.5 ? x * b_ : x;  // NOLINT
  });
  EXPECT_TRUE(numbers_->set({{b_, 2.0}}));
  EXPECT_FALSE(numbers_->set({{a_, 0.8}, {b_, 5.0}}));
  EXPECT_EQ(a_.now(), 0.7);
  EXPECT_EQ(b_.now(), 2.0);
  EXPECT_EQ(value(*kernel, 3.0), 6.0);
}

TEST_F(LiveTest, ASignIsPinnedWithoutTheValue) {
  EXPECT_EQ(a_.pinned_sign(), 1);
  EXPECT_TRUE(numbers_->set({{a_, 2.0}}));
  EXPECT_FALSE(numbers_->set({{a_, 0.0}}));
  EXPECT_FALSE(numbers_->set({{a_, -1.0}}));
  EXPECT_EQ(a_.now(), 2.0);
}

TEST_F(LiveTest, AZeroThatWasLeftOutStaysOne) {
  const Live none = a_ - 0.7;
  const auto kernel = record([&](const Recorded& x) { return none * x + b_; });
  EXPECT_TRUE(numbers_->set({{b_, 2.0}}));
  EXPECT_EQ(value(*kernel, 3.0), 2.0);
  EXPECT_FALSE(numbers_->set({{a_, 0.8}}));
  EXPECT_EQ(value(*kernel, 3.0), 2.0);
}

TEST_F(LiveTest, AZeroStaysOneAndNothingElseBecomesOne) {
  const Live none = a_ - 0.7, other = b_ - 2.0;
  const auto kernel = record([&](const Recorded& x) { return none * x + other * x * x + 1.0; });
  EXPECT_FALSE(numbers_->set({{b_, 2.0}}));
  EXPECT_FALSE(numbers_->set({{a_, 0.8}}));
  EXPECT_TRUE(numbers_->set({{b_, 2.5}}));
  EXPECT_EQ(value(*kernel, 3.0), 5.5);
  EXPECT_EQ(numbers_->pins(), 0);
}

TEST_F(LiveTest, PinsAreCountedOnce) {
  EXPECT_EQ(numbers_->pins(), 0);
  a_.pinned_sign();
  a_.pinned_sign();
  EXPECT_EQ(numbers_->pins(), 1);
  a_.value();
  EXPECT_EQ(numbers_->pins(), 2);
  a_.pinned_sign();
  EXPECT_EQ(numbers_->pins(), 2);
}

TEST_F(LiveTest, AKernelThatIsGoneFollowsNoMore) {
  record([&](const Recorded& x) { return a_ * x; }).reset();
  EXPECT_TRUE(numbers_->set({{a_, 0.9}}));
}

}  // namespace
}  // namespace raak
