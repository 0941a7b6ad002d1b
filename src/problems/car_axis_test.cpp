// The car axis against the numbers of its document.
#include "problems/car_axis.h"

#include <gtest/gtest.h>

#include "problems/published_digits.h"
#include "system/identities.h"

namespace raak {
namespace {

class CarAxisAtTheStart : public testing::Test {
 protected:
  CarAxisAtTheStart() {
    x_.q = model_.start.q;
    x_.v = model_.start.v;
    update_accelerations(*model_.system, x_);
  }
  ModelSource source_ = car_axis();
  Model model_ = source_.build(source_.parameters, Form::index1);
  State x_ = State::of_size(4, 2);
};

TEST_F(CarAxisAtTheStart, HasThePrintedPositionsAndVelocities) {
  EXPECT_EQ(x_.q, (Vector{{0.0, 0.5, 1.0, 0.5}}));
  EXPECT_EQ(x_.v, (Vector{{-0.5, 0.0, -0.5, 0.0}}));
}

// lambda_0 = 0, so that only gravity (of value 1) accelerates.
TEST_F(CarAxisAtTheStart, FallsFreely) {
  EXPECT_LT((x_.a - Vector{{0.0, -1.0, 0.0, -1.0}}).norm(), 1e-12);
  EXPECT_LT(x_.lambda.norm(), 1e-15);
}

// Printed as 0, which is wrong.
TEST_F(CarAxisAtTheStart, HasRisingMultipliers) {
  const Vector rate = identities::derivative(
      [&](double s) -> Vector {
        State later = x_;
        later.t = s;
        later.q += s * x_.v + 0.5 * s * s * x_.a;
        later.v += s * x_.a;
        update_accelerations(*model_.system, later);
        return later.lambda;
      },
      1e-4);
  EXPECT_NEAR(rate[0], 0.0515, 1e-9);
  EXPECT_NEAR(rate[1], 0.012875, 1e-9);
}

// Springs at rest, at a height of 1/2 m each under g = 1: the energy is that of the chassis, in J and not in eps^2 J.
TEST_F(CarAxisAtTheStart, HasItsEnergyInJoule) {
  const Energy energy = model_.system->energy(0.0, x_.q, x_.v);
  EXPECT_NEAR(energy.kinetic, 0.5 * 10.0 * 0.25, 1e-12);
  EXPECT_NEAR(energy.potential, 10.0 * 0.5, 1e-12);
}

// The right spring is at rest and the multipliers vanish: the road does no work yet.
TEST_F(CarAxisAtTheStart, TakesNoPowerFromTheRoad) {
  EXPECT_TRUE(model_.system->has_input_power());
  EXPECT_NEAR(model_.system->input_power(x_), 0.0, 1e-10);
}

TEST(CarAxis, FallsWithTheGravityThatIsSet) {
  const ModelSource source = car_axis();
  Parameters parameters = source.parameters;
  parameters.set("g", "9.81");
  const Model model = source.build(parameters, Form::index1);
  const State x = make_consistent(*model.system, model.start);
  EXPECT_NEAR(x.a[1], -9.81, 1e-11);
  EXPECT_NEAR(model.system->energy(0.0, x.q, x.v).potential, 9.81 * 10.0 * 0.5, 1e-10);
  EXPECT_TRUE(model.references.empty());
}

TEST(CarAxis, PrintsNineDigits) {
  const ModelSource source = car_axis();
  const Digits digits = published_digits(source.build(source.parameters, Form::index1), {});
  EXPECT_NEAR(digits.scd, 9.19, 0.01);
  EXPECT_NEAR(digits.mescd, 11.3, 0.05);
}

}  // namespace
}  // namespace raak
