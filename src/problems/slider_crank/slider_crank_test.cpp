// The slider crank against the numbers of its document and the eigenfrequencies of its rod.
#include "problems/slider_crank/slider_crank.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "base/error.h"
#include "problems/constants.h"
#include "problems/published_digits.h"
#include "system/identities.h"

namespace raak {
namespace {

using Settings = std::vector<std::pair<std::string, std::string>>;

Model crank_with(const Settings& settings, Form form = Form::index1) {
  const ModelSource source = slider_crank();
  return source.build(with_settings(source.parameters, settings), form);
}

TEST(SliderCrank, StartsWithThePrintedAccelerationsAndMultipliers) {
  const Model model = crank_with({}, Form::index2);
  State x = State::of_size(7, 3);
  x.q = model.start.q;
  x.v = model.start.v;
  update_accelerations(*model.system, x);
  const Vector v{{150.0, -0.7499576703969453e2, -0.2689386719979040e-5, 0.4448961125815990, 0.4634339319238670e-2,
                  -0.1785910760000550e-5, -0.2689386719979040e-5}};
  const Vector a{{0.0, -1.344541576709835e-3, -5.062194924490193e3, -6.829725665986310e-5, 1.813207639590617e-20,
                  -4.268463266810281, 2.098339029337557e-1}};
  const Vector lambda{{-6.552727150584648e-8, 3.824589509350831e2, -4.635908708561371e-9}};
  EXPECT_LT((x.v - v).norm(), 1e-14 * v.norm());
  for (int i = 0; i < 7; ++i) EXPECT_NEAR(x.a[i], a[i], 1e-11 + 1e-13 * std::abs(a[i])) << i;
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(x.lambda[i], lambda[i], 1e-12 + 1e-13 * std::abs(lambda[i])) << i;
}

// omega^2 M_Delta q = K_Delta q, with both matrices taken from the system: at rest -df/dq of the modes is K_Delta.
TEST(SliderCrank, HasTheEigenfrequenciesOfItsRod) {
  const Model model = crank_with({});
  const Vector rest = Vector::Zero(7);
  Matrix f_q(7, 7), f_v(7, 7);
  model.system->force_derivatives(0.0, rest, rest, f_q, f_v);
  const Eigen::Matrix4d K = -f_q.bottomRightCorner(4, 4);
  const Eigen::Matrix4d M = identities::mass_at(*model.system, 0.0, rest).bottomRightCorner(4, 4);
  const Eigen::Vector4d squares = Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::Matrix4d>(K, M).eigenvalues();
  const Vector expected{{1276.686398582476, 5106.745594329906, 6840.816863584220, 24612.65840743462}};
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(std::sqrt(squares[i]), expected[i], 1e-12 * expected[i]);
}

TEST(SliderCrank, KeepsTheRoundedSliderInTheIndex2FormOnly) {
  const Model kept = crank_with({}, Form::index2), corrected = crank_with({}, Form::index1);
  EXPECT_FALSE(kept.start.correct_positions);
  EXPECT_EQ(make_consistent(*kept.system, kept.start).q[2], 0.450016933);
  EXPECT_NEAR(make_consistent(*corrected.system, corrected.start).q[2], 0.4500169327969, 1e-16);
}

TEST(SliderCrank, CorrectsItsOscillatoryStartInEveryForm) {
  EXPECT_TRUE(crank_with({{"start", "oscillatory"}}, Form::index2).start.correct_positions);
}

// 10.08 digits with the constants of the original program, 6.70 with the exact pi.
TEST(SliderCrank, PrintsTheSolutionOfTheOriginalProgram) {
  EXPECT_NEAR(published_digits(crank_with({{"pi", "crank.f"}}), Form::index2).scd, 10.08, 0.01);
  EXPECT_NEAR(published_digits(crank_with({}), Form::index2).scd, 6.70, 0.01);
}

TEST(SliderCrank, ShowsPublishedValuesForTheSmoothLinearBeamOnly) {
  const auto published = [](const Settings& settings) {
    int count = 0;
    for (const Reference& r : crank_with(settings).references) count += r.kind == Reference::Kind::published ? 1 : 0;
    return count;
  };
  EXPECT_EQ(published({}), 1);
  EXPECT_EQ(published({{"pi", "crank.f"}}), 1);
  EXPECT_EQ(published({{"beam", "nonlinear"}}), 0);
  EXPECT_EQ(published({{"start", "oscillatory"}}), 0);
}

// All that no run switches on together: gravity, the nonlinear beam and damping, in a strongly deformed configuration.
TEST(SliderCrank, GainsTheEnergyThatIsPutInWithEveryForceActing) {
  const Model model = crank_with({{"gamma", "9.81"}, {"beam", "nonlinear"}, {"damping", "on"}});
  State x = State::of_size(7, 3);
  x.t = 0.013;
  x.q << 1.9, -0.4, 0.2, 0.011, -0.007, 0.005, 0.009;
  x.v << 150.0, 40.0, -3.0, 2.0, -5.0, 1.0, 4.0;
  model.system->correct_velocity(x.t, x.q.data(), x.v.data());
  update_accelerations(*model.system, x);
  EXPECT_LT(identities::power_balance(*model.system, x), 1e-9);
}

// At rest the generalised forces are minus the gradient of the potential.
TEST(SliderCrank, IsPulledDownThePotential) {
  const Model model = crank_with({{"gamma", "9.81"}, {"beam", "nonlinear"}});
  const Vector q{{1.9, -0.4, 0.2, 0.011, -0.007, 0.005, 0.009}}, still = Vector::Zero(7);
  const auto potential = [&](const Vector& at) -> Vector {
    return Vector::Constant(1, model.system->energy(0.0, at, still).potential);
  };
  const Vector gradient = identities::quotients(potential, q, 1e-3).transpose();
  const Vector force = identities::force_at(*model.system, 0.0, q, still);
  for (int i = 0; i < 7; ++i) EXPECT_NEAR(force[i], -gradient[i], 1e-9 * std::abs(gradient[i]) + 1e-7) << i;
}

TEST(SliderCrank, LosesEnergyToItsDamping) {
  const Model damped = crank_with({{"damping", "on"}}), free = crank_with({});
  State x = State::of_size(7, 3);
  for (int mode = 3; mode < 7; ++mode) {
    x.v.setZero();
    x.v[mode] = 1.0;
    EXPECT_LT(damped.system->input_power(x), 0.0);
    EXPECT_EQ(free.system->input_power(x), 0.0);
  }
}

}  // namespace
// A longer rod is heavier: as long as its mass is not set too, its deformations would move more than it has.
TEST(SliderCrank, RefusesARodLighterThanItsMaterial) {
  try {
    consistent_start(crank_with({{"l2", "0.4"}}));
    ADD_FAILURE() << "a rod of 0.4 m with the mass of 0.3 m";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::request);
    EXPECT_NE(std::string(error.what()).find("--set m2=0.201472 --set J2=0.0107452"), std::string::npos)
        << error.what();
  }
  EXPECT_NO_THROW(consistent_start(crank_with({{"l2", "0.4"}, {"m2", "0.201472"}, {"J2", "0.0107452"}})));
  EXPECT_NO_THROW(consistent_start(crank_with({{"rho", "8000"}})));
}

}  // namespace raak
