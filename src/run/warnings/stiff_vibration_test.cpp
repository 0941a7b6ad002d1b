// A stiff vibration with little damping on top of a slow motion, as bushings and contacts have it.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "kinematics/start/consistent_start.h"
#include "run/integrate.h"
#include "system/recorded/recorded_system.h"

namespace raak {
namespace {

// A bar of 1 kg and 0.1 kg m^2, hinged half a metre from its centre by a bushing of 1e8 N/m and 100 N s/m: x and y of
// the hinge and the angle. It is released horizontally, with the bushing unloaded.
class BarOnBushing final : public Formulas {
  void mass(const Recorded&, const Reals& q, SymmetricEntries& M) const override {
    M(0, 0) = M(1, 1) = 1.0;
    M(2, 0) = -0.5 * sin(q[2]);
    M(2, 1) = 0.5 * cos(q[2]);
    M(2, 2) = 0.1 + 0.25;
  }
  void force(const Recorded&, const Reals& q, const Reals& v, Reals& f) const override {
    f[0] = -1e8 * q[0] - 100.0 * v[0] + 0.5 * cos(q[2]) * v[2] * v[2];
    f[1] = -1e8 * q[1] - 100.0 * v[1] + 0.5 * sin(q[2]) * v[2] * v[2] - 9.81;
    f[2] = -9.81 * 0.5 * cos(q[2]);
  }
  void constraint(const Recorded&, const Reals&, Reals&) const override {}
};

// Order 3 to 5 of the formulas is unstable for the vibration of 3 kHz: with a free choice of the order it takes 29,000
// steps.
TEST(Bdf, LeavesTheStepsOfAVibrationThatHasDiedOut) {
  const RecordedSystem system(std::make_shared<BarOnBushing>(), 3, 0, 0, Description{{"x", "y", "phi"}, {}, {}});
  StartRequest request;
  request.q = request.v = Vector::Zero(3);
  request.trusted_positions = request.trusted_velocities = {"x", "y", "phi"};
  Plan plan;
  plan.until = 1.0;
  plan.method = "bdf";
  plan.tolerances = Tolerances::uniform(1e-4, 1e-4);
  const Result result = integrate(system, make_consistent(system, request), plan);
  ASSERT_EQ(result.termination, Termination::ok) << result.message;
  EXPECT_LT(result.statistics.steps, 4000);
  EXPECT_NEAR(result.end.q[2], -3.1409655, 1e-4);
}

}  // namespace
}  // namespace raak
