// What every method of the catalogue owes: its order, its constraints, repeatability, no trace of a rejected step,
// dense output, motion in both directions.
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "base/error.h"
#include "methods/gauss.h"
#include "methods/method.h"
#include "methods/radau.h"
#include "methods/tangent.h"
#include "methods/test_pendulum.h"

namespace raak {
namespace {

// Steps until t = `until`, without ever asking the method for more than it proposes.
State advance(Integrator& method, const State& start, double until, double fixed_step = 0.0) {
  double h = method.begin(start, until);
  const double direction = until > start.t ? 1.0 : -1.0;
  int attempts = 0;
  while (method.current().t != until) {
    if (++attempts > 100'000) throw std::runtime_error("the method does not get on");
    if (fixed_step > 0.0) h = direction * fixed_step;
    const double t = method.current().t;
    const bool last = std::abs(h) * 1.01 >= std::abs(until - t);
    const Attempt attempt = method.attempt(last ? until : t + h);
    h = attempt.acceptable ? method.accept() : attempt.retry_step;
  }
  return method.current();
}

double distance(const State& a, const State& b) {
  return std::max((a.q - b.q).cwiseAbs().maxCoeff(), (a.v - b.v).cwiseAbs().maxCoeff());
}

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
      advance(*find_method("dop853").make(*pendulum, "index1", Tolerances::uniform(1e-13, 1e-13)), start, 2.0);
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
    State exact =
        advance(*find_method("dop853").make(*pendulum, "index1", Tolerances::uniform(1e-13, 1e-13)), before, middle);
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

TEST(Dop853, HasOrderEightInsideItsStepsAsAtTheirEnds) {
  const State start = pendulum_start();
  const State exact =
      advance(*find_method("dop853").make(*pendulum, "index1", Tolerances::uniform(1e-14, 1e-14)), start, 0.8);
  for (const char* name : {"dop853", "svd-dop853"}) {
    const auto error = [&](double h) {
      return distance(
          advance(*find_method(name).make(*pendulum, "index1", Tolerances::uniform(1e9, 1e9)), start, 0.8, h), exact);
    };
    const double order = std::log2(error(0.1) / error(0.05));
    EXPECT_GT(order, 7.5) << name;
    EXPECT_LT(order, 10.0) << name;
  }
  const auto dense_error = [&](double h) {
    const auto method = find_method("dop853").make(*pendulum, "index1", Tolerances::uniform(1e9, 1e9));
    method->begin(start, h);
    EXPECT_TRUE(method->attempt(h).acceptable);
    method->accept();
    Vector q(2), v(2);
    method->interpolate(0.4 * h, q, v);
    const State at =
        advance(*find_method("dop853").make(*pendulum, "index1", Tolerances::uniform(1e-14, 1e-14)), start, 0.4 * h);
    return (q - at.q).norm();
  };
  EXPECT_GT(std::log2(dense_error(0.4) / dense_error(0.2)), 8.5);  // a local error is of one order more
}

// The order that two fixed step lengths show, h and h / 2, over a time of 0.8 s.
double observed_order(Integrator& coarse, Integrator& fine, double h, const State& start = pendulum_start()) {
  const State exact =
      advance(*find_method("dop853").make(*pendulum, "index1", Tolerances::uniform(1e-14, 1e-14)), start, 0.8);
  coarse.use_fixed_steps();
  fine.use_fixed_steps();
  const double error = distance(advance(coarse, start, 0.8, h), exact);
  return std::log2(error / distance(advance(fine, start, 0.8, 0.5 * h), exact));
}

TEST(Gauss, HasOrderEightWithFourStagesAndSixteenWithEight) {
  const Tolerances any = Tolerances::uniform(1e-6, 1e-6);
  Gauss<4> four(*pendulum, "index1", any), four_fine(*pendulum, "index1", any);
  EXPECT_NEAR(observed_order(four, four_fine, 0.2), 8.0, 0.5);
  Gauss<8> eight(*pendulum, "index1", any), eight_fine(*pendulum, "index1", any);
  EXPECT_NEAR(observed_order(eight, eight_fine, 0.8), 16.0, 1.5);
  EXPECT_EQ(four.order(), 8);
  EXPECT_EQ(eight.order(), 16);
}

// A swing in which y is determined by x all the way.
State low_swing() {
  StartRequest r;
  r.q = (Vector(2) << 0.9, -1.2).finished();
  r.v = Vector::Zero(2);
  r.trusted_positions = {"x"};
  r.trusted_velocities = {"x"};
  return make_consistent(*pendulum, r);
}

TEST(Tangent, HasOrderEightWithFourStagesAndSixteenWithEight) {
  const State start = low_swing();
  const Tolerances any = Tolerances::uniform(1e-6, 1e-6);
  Tangent<4> four(*pendulum, any), four_fine(*pendulum, any);
  EXPECT_NEAR(observed_order(four, four_fine, 0.2, start), 8.0, 0.7);
  Tangent<8> eight(*pendulum, any), eight_fine(*pendulum, any);
  EXPECT_NEAR(observed_order(eight, eight_fine, 0.8, start), 16.0, 2.5);
}

TEST(Tangent, ReachesTheEndAtLooseTolerancesWhereverTheStepsHappenToFall) {
  StartRequest r;
  r.q = (Vector(2) << 1.5, 0.0).finished();
  r.v = Vector::Zero(2);
  r.trusted_positions = r.trusted_velocities = {"y"};
  const State start = make_consistent(*pendulum, r);
  const State exact = advance(*make_gauss(*pendulum, "index1", Tolerances::uniform(1e-13, 1e-13)), start, 10.0);
  for (double digits = 1.0; digits < 3.0; digits += 0.0625) {
    SCOPED_TRACE(digits);
    const double tolerance = std::pow(10.0, -digits);
    const auto method = make_tangent(*pendulum, "index1", Tolerances::uniform(tolerance, tolerance));
    EXPECT_LT(distance(advance(*method, start, 10.0), exact), 10.0);
  }
}

TEST(Tangent, ChoosesOtherCoordinatesAsThePendulumTurnsAndCarriesItsSeriesOver) {
  StartRequest r;
  r.q = (Vector(2) << 0.0, -1.5).finished();
  r.v = (Vector(2) << 9.0, 0.0).finished();  // it goes over the top
  r.trusted_positions = {"x"};
  r.trusted_velocities = {"x"};
  const State start = make_consistent(*pendulum, r);
  for (const double tolerance : {1e-5, 1e-9}) {
    const Tolerances tolerances = Tolerances::uniform(tolerance, tolerance);
    const State exact = advance(*make_gauss(*pendulum, "index1", Tolerances::uniform(1e-13, 1e-13)), start, 5.0);
    const auto gauss = make_gauss(*pendulum, "index1", tolerances);
    const auto count = [&](Integrator& method) {
      double h = method.begin(start, 5.0);
      int steps = 0;
      for (; method.time() != 5.0; ++steps) {
        const Attempt attempt = method.attempt(std::min(5.0, method.time() + h));
        h = attempt.acceptable ? method.accept() : attempt.retry_step;
      }
      return steps;
    };
    const int steps_of_gauss = count(*gauss);
    const auto method = make_tangent(*pendulum, "index1", tolerances);
    EXPECT_LT(count(*method), 3 * steps_of_gauss);  // its steps end where the coordinates serve no longer
    EXPECT_LT(distance(method->current(), exact), 1000.0 * tolerance);
    const auto* four = dynamic_cast<const Tangent<4>*>(method.get());
    if (four != nullptr) {
      EXPECT_GT(four->partitions(), 8);
    }
  }
}

TEST(Radau, HasOrderSevenWithFourStagesAndFifteenWithEight) {
  const Tolerances any = Tolerances::uniform(1e-6, 1e-6);
  Radau radau(*pendulum, "index1", any), fine(*pendulum, "index1", any);
  radau.fix_stages(4);
  fine.fix_stages(4);
  EXPECT_NEAR(observed_order(radau, fine, 0.2, low_swing()), 7.0, 0.5);
  EXPECT_EQ(radau.order(), 7);
  radau.fix_stages(8);
  fine.fix_stages(8);
  EXPECT_NEAR(observed_order(radau, fine, 0.8, low_swing()), 15.0, 1.5);
  EXPECT_EQ(radau.order(), 15);
}

TEST(Svd, CarriesItsHistoryThroughNewBases) {
  // Over several swings the tangent turns by more than a right angle, so the basis must change; a restart at order 1
  // after each change would cost far more steps than one basis kept for the same arc by the projected method.
  const auto count = [](const char* name) {
    const auto method = find_method(name).make(*pendulum, "index1", Tolerances::uniform(1e-9, 1e-9));
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

TEST(Adams, RefusesAToleranceThatCannotBeMetAndNamesOneThatCan) {
  for (const char* name : {"svd", "adams"}) {
    const auto method = find_method(name).make(*pendulum, "index1", Tolerances::uniform(2e-15, 2e-15));
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
