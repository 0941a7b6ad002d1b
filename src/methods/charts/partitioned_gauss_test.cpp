#include "methods/charts/partitioned_gauss.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "methods/collocation/gauss.h"
#include "methods/test_pendulum.h"

namespace raak {
namespace {

TEST(PartitionedGauss, ReachesTheEndAtLooseTolerancesWhereverTheStepsHappenToFall) {
  StartRequest r;
  r.q = (Vector(2) << 1.5, 0.0).finished();
  r.v = Vector::Zero(2);
  r.trusted_positions = r.trusted_velocities = {"y"};
  const State start = make_consistent(*pendulum, r);
  const State exact = advance(*make_gauss(*pendulum, Form::index1, Tolerances::uniform(1e-13, 1e-13)), start, 10.0);
  for (double digits = 1.0; digits < 3.0; digits += 0.0625) {
    SCOPED_TRACE(digits);
    const double tolerance = std::pow(10.0, -digits);
    const auto method = make_tangent(*pendulum, Form::index1, Tolerances::uniform(tolerance, tolerance));
    EXPECT_LT(distance(advance(*method, start, 10.0), exact), 10.0);
  }
}

TEST(PartitionedGauss, ChoosesOtherCoordinatesAsThePendulumTurnsAndCarriesItsSeriesOver) {
  StartRequest r;
  r.q = (Vector(2) << 0.0, -1.5).finished();
  r.v = (Vector(2) << 9.0, 0.0).finished();  // it goes over the top
  r.trusted_positions = {"x"};
  r.trusted_velocities = {"x"};
  const State start = make_consistent(*pendulum, r);
  for (const double tolerance : {1e-5, 1e-9}) {
    const Tolerances tolerances = Tolerances::uniform(tolerance, tolerance);
    const State exact = advance(*make_gauss(*pendulum, Form::index1, Tolerances::uniform(1e-13, 1e-13)), start, 5.0);
    const auto gauss = make_gauss(*pendulum, Form::index1, tolerances);
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
    const auto method = make_tangent(*pendulum, Form::index1, tolerances);
    EXPECT_LT(count(*method), 3 * steps_of_gauss);  // its steps end where the coordinates serve no longer
    EXPECT_LT(distance(method->current(), exact), 1000.0 * tolerance);
    const auto* four = dynamic_cast<const PartitionedGauss<4>*>(method.get());
    if (four != nullptr) {
      EXPECT_GT(four->partitions(), 8);
    }
  }
}

}  // namespace
}  // namespace raak
