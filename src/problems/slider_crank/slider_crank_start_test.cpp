// The smooth start of the slider crank against the numbers that its document prints, and its crank under other motions.
#include "problems/slider_crank/slider_crank_start.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "kinematics/slow/slow_manifold.h"
#include "problems/constants.h"
#include "problems/slider_crank/slider_crank.h"

namespace raak {
namespace {

using Settings = std::vector<std::pair<std::string, std::string>>;

Model crank_with(const Settings& settings) {
  const ModelSource source = slider_crank();
  return source.build(with_settings(source.parameters, settings), Form::index1);
}

const Vector printed_deformations{{0.0, 0.0, 0.103339863e-4, 0.169327969e-4}};
const Vector printed_rates{{0.4448961125815990, 0.4634339319238670e-2, -0.1785910760000550e-5, -0.2689386719979040e-5}};

SliderCrank document() {
  SliderCrank problem;
  problem.discretize_rod();
  return problem;
}

// The first term of the expansion at a time, by the constants of the document.
State first_term_at(double t) {
  const SliderCrank problem = document();
  const auto system = make_system(problem);
  StartRequest rigid = rigid_start(problem, problem.Omega * t);
  rigid.t = t;
  return smooth_start(*system, make_consistent(*system, rigid), {}, {0, 0.0}).state;
}

TEST(SmoothSliderCrank, HasThePrintedDeformationsToTheLastDigit) {
  const State x = first_term_at(0.0);
  EXPECT_LT(x.q.segment(3, 2).norm(), 1e-12);  // of 3 mm in a turn
  for (int i = 2; i < 4; ++i) EXPECT_NEAR(x.q[3 + i], printed_deformations[i], 0.5e-13) << i;
  EXPECT_NEAR(x.q[2], 0.450016933, 0.5e-9);
}

// The printed rates are forward differences over 1e-5 s: those of q3 and q4, which vanish by symmetry, show it.
TEST(SmoothSliderCrank, HasThePrintedRatesAsForwardDifferences) {
  constexpr double h = 1e-5;
  const State now = first_term_at(0.0), later = first_term_at(h);
  const Vector quotients = (later.q - now.q).tail(4) / h;
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(quotients[i], printed_rates[i], 1e-5 * std::abs(printed_rates[i])) << i;
  EXPECT_NEAR(now.v[3], printed_rates[0], 2e-6 * printed_rates[0]);
  EXPECT_NEAR(now.v[4], printed_rates[1], 5e-6 * printed_rates[1]);
  EXPECT_LT(now.v.tail(2).cwiseAbs().maxCoeff(), 1e-10);
}

TEST(SmoothSliderCrank, KeepsThePrintedDigitsAtTheConstantsOfTheDocumentOnly) {
  EXPECT_EQ(crank_with({}).start.q.tail(4), printed_deformations);
  EXPECT_EQ(crank_with({{"beam", "nonlinear"}, {"damping", "on"}}).start.v.tail(4), printed_rates);
  EXPECT_EQ(crank_with({{"Omega", "100"}, {"start", "printed"}}).start.q.tail(4), printed_deformations);
  const Vector slower = crank_with({{"Omega", "100"}}).start.q.tail(4);
  EXPECT_NEAR(slower[3], 4.0 / 9.0 * printed_deformations[3], 1e-8 * slower[3]);
  EXPECT_NE(crank_with({{"order", "2"}}).start.q[6], printed_deformations[3]);
}

// Deformations of the first term are forces over stiffness.
TEST(SmoothSliderCrank, FollowsEveryParameter) {
  const double q4 = printed_deformations[3];
  EXPECT_NEAR(crank_with({{"E", "4e11"}}).start.q[6], 0.5 * q4, 1e-8 * q4);
  EXPECT_NEAR(crank_with({{"d", "0.004"}, {"rho", "15740"}}).start.q[6], 2.0 * q4, 1e-8 * q4);
  EXPECT_GT(crank_with({{"l2", "0.31"}}).start.q[6], 1.01 * q4);
}

// With every term the next one is smaller: what is left of the accelerations is the slow part.
TEST(SmoothSliderCrank, ApproachesTheSlowManifoldWithTheOrder) {
  std::vector<double> q3;
  for (const char* order : {"0", "1", "2", "3"})
    q3.push_back(crank_with({{"Omega", "100"}, {"order", order}}).start.q[5]);
  for (std::size_t k = 2; k < q3.size(); ++k)
    EXPECT_LT(std::abs(q3[k] - q3[k - 1]), 0.1 * std::abs(q3[k - 1] - q3[k - 2]));
}

TEST(SmoothSliderCrank, NamesTheVibrationInResonance) {
  const Model model = crank_with({{"Omega", "400"}});
  try {
    consistent_start(model);
    FAIL();
  } catch (const NoSlowManifold& error) {
    EXPECT_EQ(error.why(), NoSlowManifold::Why::resonance);
    EXPECT_NEAR(error.frequency(), 1276.6864, 1e-3);
    EXPECT_NE(std::string(error.what()).find("start=oscillatory"), std::string::npos);
  }
}

TEST(DrivenSliderCrank, MovesAsTheFormulaSays) {
  const Model model = crank_with({{"motion", "0.3 + 20*t + 0.1*sin(Omega*t)"}, {"start", "oscillatory"}});
  const State start = make_consistent(*model.system, model.start);
  EXPECT_NEAR(start.q[0], 0.3, 1e-15);
  EXPECT_NEAR(start.v[0], 35.0, 1e-12);
  EXPECT_NEAR(start.a[0], 0.0, 1e-9);
  EXPECT_TRUE(model.references.empty());
}

// Written out, the default motion is that of the document: the recorded system and the compiled one agree.
TEST(DrivenSliderCrank, HasTheEquationsOfTheDocument) {
  const Settings all{{"gamma", "9.81"}, {"beam", "nonlinear"}, {"damping", "on"}};
  Settings written = all;
  written.emplace_back("motion", "t*Omega");
  const Model document = crank_with(all), driven = crank_with(written);
  State x = make_consistent(*document.system, document.start), y = x;
  x.q.tail(4) << 0.011, -0.007, 0.005, 0.009;
  x.v.tail(4) << 2.0, -5.0, 1.0, 4.0;
  y.q = x.q;
  y.v = x.v;
  update_accelerations(*document.system, x);
  update_accelerations(*driven.system, y);
  EXPECT_LT((x.a - y.a).norm(), 1e-11 * x.a.norm());
  EXPECT_LT((x.lambda - y.lambda).norm(), 1e-11 * x.lambda.norm());
  const Energy one = document.system->energy(0.0, x.q, x.v), other = driven.system->energy(0.0, x.q, x.v);
  EXPECT_NEAR(one.potential, other.potential, 1e-12 * std::abs(one.potential));
  EXPECT_NEAR(document.system->input_power(x), driven.system->input_power(y), 1e-9 * std::abs(one.kinetic));
}

TEST(DrivenSliderCrank, StartsSmoothUnderAnyMotion) {
  const Model model = crank_with({{"motion", "0.4 + 100*t + 20*t^2"}, {"order", "2"}});
  const State start = make_consistent(*model.system, model.start);
  const State rigid = make_consistent(*model.system, rigid_start(document(), 0.4));
  EXPECT_LT(start.a.tail(2).norm(), 1e-2 * rigid.a.tail(2).norm());
}

TEST(DrivenSliderCrank, RefusesAFormulaThatIsNone) {
  const auto message = [](const std::string& motion) -> std::string {
    try {
      crank_with({{"motion", motion}});
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::request);
      return error.what();
    }
    return "";
  };
  EXPECT_NE(message("Omga*t").find("Omega"), std::string::npos) << message("Omga*t");
  EXPECT_NE(message("Omega*").find("at character"), std::string::npos) << message("Omega*");
  EXPECT_NE(message("beam*t").find("\"beam\""), std::string::npos) << message("beam*t");
}

}  // namespace
}  // namespace raak
