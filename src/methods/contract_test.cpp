// What every method of the catalogue owes: convergence, its constraints, repeatability, no trace of a rejected step,
// dense output, motion in both directions.
#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "methods/method.h"
#include "methods/test_pendulum.h"

namespace raak {
namespace {

class EveryMethod : public testing::TestWithParam<MethodInfo> {
 protected:
  // No tighter than the method serves.
  double served(double tolerance) const { return std::max(tolerance, GetParam().tightest_rtol); }
  std::unique_ptr<Integrator> make(double tolerance) const {
    return GetParam().make(*pendulum, GetParam().forms.front(), Tolerances::uniform(tolerance, tolerance));
  }
};

TEST_P(EveryMethod, ConvergesToTheSameMotion) {
  const State start = pendulum_start();
  const State exact =
      advance(*find_method("dop853").make(*pendulum, Form::index1, Tolerances::uniform(1e-13, 1e-13)), start, 2.0);
  double previous = 1.0;
  for (const double tolerance : {1e-4, 1e-7, 1e-10}) {
    if (tolerance < GetParam().tightest_rtol) continue;
    const double error = distance(advance(*make(tolerance), start, 2.0), exact);
    EXPECT_LT(error, 20.0 * tolerance);
    EXPECT_LT(error, previous);
    previous = error;
  }
}

TEST_P(EveryMethod, FollowsNonHolonomicRows) {
  const auto sleigh = make_system(example::Sleigh{});
  StartRequest r;
  r.q = Vector::Zero(3);
  r.v = (Vector(3) << 1.0, 0.0, 0.7).finished();
  r.trusted_positions = {"x", "y", "heading"};
  r.trusted_velocities = {"x", "heading"};
  const State start = make_consistent(*sleigh, r);
  if (GetParam().holonomic_only) {
    EXPECT_THROW(GetParam().make(*sleigh, GetParam().forms.front(), Tolerances::uniform(1e-6, 1e-6)), Error);
    return;
  }
  const auto end = [&](const MethodInfo& method, double tolerance) {
    return advance(*method.make(*sleigh, method.forms.front(), Tolerances::uniform(tolerance, tolerance)), start, 2.0);
  };
  EXPECT_LT(distance(end(GetParam(), 1e-6), end(find_method("dop853"), 1e-13)), 2e-5);
}

TEST_P(EveryMethod, HoldsBothConstraintLevels) {
  const auto method = make(1e-5);
  const State end = advance(*method, pendulum_start(), 3.0);
  Vector g(1), c(1);
  pendulum->constraint(end.t, end.q, g);
  pendulum->velocity_constraint(end.t, end.q, end.v, c);
  EXPECT_LT(std::abs(g[0]), 1e-13);
  EXPECT_LT(std::abs(c[0]), 1e-13);
}

TEST_P(EveryMethod, RepeatsBitForBit) {
  const State a = advance(*make(served(1e-8)), pendulum_start(), 1.0);
  const State b = advance(*make(served(1e-8)), pendulum_start(), 1.0);
  EXPECT_EQ(distance(a, b), 0.0);
}

TEST_P(EveryMethod, ReturnsToItsStartBackwards) {
  const State start = pendulum_start();
  const double tolerance = served(1e-11);
  const State there = advance(*make(tolerance), start, 1.5);
  const State back = advance(*make(tolerance), there, 0.0);
  EXPECT_LT(distance(start, back), std::max(1e-8, 40.0 * tolerance));
}

TEST_P(EveryMethod, KeepsNoTraceOfARejectedStep) {
  const auto one = make(1e-8);
  const auto other = make(1e-8);
  const double h = one->begin(pendulum_start(), 1.0);
  other->begin(pendulum_start(), 1.0);
  const Attempt wild = one->attempt(0.9);
  EXPECT_FALSE(wild.acceptable);
  EXPECT_EQ(one->current().t, 0.0);
  for (const auto* method : {&one, &other}) {
    ASSERT_TRUE((*method)->attempt(0.5 * h).acceptable);
    (*method)->accept();
  }
  EXPECT_EQ(distance(one->current(), other->current()), 0.0);
}

TEST_P(EveryMethod, InterpolatesInsideEveryStep) {
  const double tolerance = served(1e-9);
  const auto method = make(tolerance);
  double h = method->begin(pendulum_start(), 1.0);
  Vector q(2), v(2);
  double worst = 0.0;
  while (method->current().t != 1.0) {
    const State before = method->current();
    const Attempt attempt = method->attempt(std::min(1.0, before.t + h));
    if (!attempt.acceptable) {
      h = attempt.retry_step;
      continue;
    }
    h = method->accept();
    const double middle = 0.5 * (before.t + method->current().t);
    method->interpolate(middle, q, v);
    State exact = advance(*find_method("dop853").make(*pendulum, Form::index1, Tolerances::uniform(1e-13, 1e-13)),
                          before, middle);
    worst = std::max({worst, (q - exact.q).cwiseAbs().maxCoeff(), (v - exact.v).cwiseAbs().maxCoeff()});
    method->interpolate(method->current().t, q, v);
    EXPECT_LT((q - method->current().q).norm(), 1e-13);
  }
  EXPECT_LT(worst, 100.0 * tolerance);
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EveryMethod, testing::ValuesIn(method_catalogue()), [](const auto& entry) {
  std::string name = entry.param.name;
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
});

TEST(Svd, CarriesItsHistoryThroughNewBases) {
  // Over several swings the tangent turns by more than a right angle, so the basis must change; a restart at order 1
  // after each change would cost far more steps than one basis kept for the same arc by the projected method.
  const auto count = [](const char* name) {
    const auto method = find_method(name).make(*pendulum, Form::index1, Tolerances::uniform(1e-9, 1e-9));
    double h = method->begin(pendulum_start(), 10.0);
    int steps = 0;
    while (method->current().t != 10.0 && ++steps < 100000) {
      const Attempt attempt = method->attempt(std::min(10.0, method->current().t + h));
      h = attempt.acceptable ? method->accept() : attempt.retry_step;
    }
    const auto* independent = method->independent_coordinates();
    return std::pair<int, long>(steps, independent != nullptr ? independent->partitions : 0);
  };
  const auto [svd_steps, partitions] = count("svd");
  const auto [adams_steps, none] = count("adams");
  EXPECT_GT(partitions, 10);
  EXPECT_EQ(none, 0);
  EXPECT_LT(svd_steps, 1.5 * adams_steps);
}

struct Followed {
  std::vector<PartitionRecord> records;
  IndependentCoordinates last;
  double sharpest = 1.0;  // the smallest product of a basis with the one before
};

Followed follow(double threshold) {
  Followed found;
  const auto method = find_method("svd").make(*pendulum, Form::index1, Tolerances::uniform(1e-9, 1e-9));
  method->use_partitions({threshold, [&](const PartitionRecord& record) { found.records.push_back(record); }});
  double h = method->begin(pendulum_start(), 3.0);
  Matrix before = method->independent_coordinates()->VI;
  while (method->current().t != 3.0) {
    const Attempt attempt = method->attempt(std::min(3.0, method->current().t + h));
    h = attempt.acceptable ? method->accept() : attempt.retry_step;
    const Matrix& now = method->independent_coordinates()->VI;
    found.sharpest = std::min(found.sharpest, before.row(0).dot(now.row(0)));
    before = now;
  }
  found.last = *method->independent_coordinates();
  return found;
}

TEST(Svd, ReportsEveryBasisWithItsShareOutsideAndItsReason) {
  for (const double threshold : {0.01, 0.05, 0.3}) {
    const Followed found = follow(threshold);
    ASSERT_EQ(static_cast<long>(found.records.size()), found.last.partitions);
    ASSERT_GT(found.records.size(), 2U);
    EXPECT_EQ(found.records.front().reason, PartitionReason::start);
    EXPECT_EQ(found.records.front().t, 0.0);
    long by_share = 0;
    for (std::size_t i = 1; i < found.records.size(); ++i) {
      const PartitionRecord& record = found.records[i];
      EXPECT_GT(record.t, found.records[i - 1].t);
      EXPECT_EQ(record.reason == PartitionReason::outside, record.outside > threshold) << record.t;
      by_share += record.reason == PartitionReason::outside ? 1 : 0;
    }
    EXPECT_GT(by_share, 0);
    EXPECT_EQ(found.last.by_reason[static_cast<std::size_t>(PartitionReason::outside)], by_share);
  }
  EXPECT_GT(follow(0.01).records.size(), 2 * follow(0.3).records.size());
}

TEST(Svd, ANewBasisGoesOnInTheDirectionOfTheOneBefore) {
  EXPECT_GT(follow(0.05).sharpest, 0.9);
}

TEST(Adams, RefusesAToleranceThatCannotBeMetAndNamesOneThatCan) {
  for (const char* name : {"svd", "adams"}) {
    const auto method = find_method(name).make(*pendulum, Form::index1, Tolerances::uniform(2e-15, 2e-15));
    try {
      method->begin(pendulum_start(), 1.0);
      FAIL() << name;
    } catch (const Error& e) {
      EXPECT_EQ(e.kind(), ErrorKind::computation);
      const std::string text = e.what();
      EXPECT_NE(text.find("a tolerance of 2.0e-15 cannot be met"), std::string::npos) << text;
      EXPECT_NE(text.find("try --rtol 1e-13"), std::string::npos) << text;
    }
  }
}

TEST(FindMethod, SuggestsTheNearestName) {
  try {
    find_method("dop835");
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("did you mean \"dop853\"?"), std::string::npos);
  }
}

}  // namespace
}  // namespace raak
