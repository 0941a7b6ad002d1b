// Steps that are too long, and configurations where the constraints become dependent: a method stops and says why, or
// is right.
#include <gtest/gtest.h>

#include <cmath>

#include "kinematics/start/consistent_start.h"
#include "problems/catalogue.h"
#include "run/integrate.h"
#include "system/equations/equations.h"

namespace raak {
namespace {

// A slider crank with equal arms: at phi1 = pi/2, phi2 = -pi/2 the row vanishes and another branch (phi2 = phi1 - pi)
// crosses.
struct EqualArms {
  static constexpr int coordinates = 2;
  static constexpr int constraints = 1;
  void mass(const auto&, const auto&, auto& M) const {
    M(0, 0) = 2.0;
    M(1, 1) = 1.0;
  }
  void force(const auto&, const auto& q, const auto&, auto& f) const { f[0] = -0.5 * cos(q[0]); }
  void constraint(const auto&, const auto& q, auto& g) const { g[0] = sin(q[0]) + sin(q[1]); }
  auto potential(const auto&, const auto& q) const { return 0.5 * sin(q[0]); }
};

class MethodOfIndependentCoordinates : public testing::TestWithParam<const char*> {};

TEST_P(MethodOfIndependentCoordinates, IsNeverFarOffSilentlyOnTheCarAxisWithStepsThatAreTooLong) {
  for (const ModelSource& source : problem_catalogue()) {
    if (source.name != "car-axis") continue;
    const Model model = source.build(source.parameters, Form::index1);
    const State start = make_consistent(*model.system, model.start);
    for (const double step : {3.0, 1.0, 0.7, 0.5, 0.3, 0.2, 0.15, 0.1, 0.07, 0.05}) {
      Plan plan;
      plan.until = 3.0;
      plan.method = GetParam();
      plan.fixed_step = step;
      const Result result = integrate(*model.system, start, plan);
      if (result.termination == Termination::failed) {
        EXPECT_FALSE(result.message.empty());
      } else {
        EXPECT_LT(result.quality.energy_drift, 2.0) << "J, with steps of " << step << " s";
      }
      EXPECT_LT(result.quality.position_residual, 1e-12);
    }
  }
}

TEST_P(MethodOfIndependentCoordinates, StopsAtASingularConfigurationOrStaysOnItsBranch) {
  const auto system = make_system(EqualArms{});
  StartRequest request;
  request.q = Vector{{0.3, -0.3}};
  request.trusted_positions = {"q1"};
  request.trusted_velocities = {"q1"};
  for (const double speed : {0.9, 1.0, 1.3, 1.7}) {
    request.v = Vector{{speed, -speed}};
    const State start = make_consistent(*system, request);
    for (const double rtol : {1e-3, 1e-5, 1e-7, 1e-9}) {
      Plan plan;
      plan.until = 3.0;
      plan.method = GetParam();
      plan.tolerances = Tolerances::uniform(rtol, rtol);
      const Result result = integrate(*system, start, plan);
      if (result.termination == Termination::failed) {
        EXPECT_NE(result.message.find("no acceptable step"), std::string::npos) << result.message;
      } else {
        EXPECT_LT(std::abs(result.end.q[0] + result.end.q[1]), 1e-6) << "another branch, rtol " << rtol;
      }
      EXPECT_LT(result.quality.energy_drift, 1e-2) << "rtol " << rtol << ", speed " << speed;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, MethodOfIndependentCoordinates, testing::Values("tangent"));

}  // namespace
}  // namespace raak
