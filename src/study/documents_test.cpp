// The source documents' own numbers about the motion, beyond what the problems' tests check at the start:
// the pendulum's singular value decomposition in closed form, its exact motion, the printed end values.
#include <gtest/gtest.h>

#include <cmath>

#include "base/linear/svd.h"
#include "problems/catalogue.h"
#include "study/check.h"

namespace raak {
namespace {

const ModelSource& source(const std::string& name) {
  for (const ModelSource& s : problem_catalogue())
    if (s.name == name) return s;
  throw std::logic_error(name);
}

// Equations 3.19 to 3.24 of Starmans (1987) with the signs of 3.23: singular values sqrt(1 + l^2) and 1.
TEST(Pendulum, SingularValueDecompositionIsTheClosedForm) {
  const Model model = source("pendulum").build(source("pendulum").parameters, Form::index1);
  const double l = 0.75;
  const double r = std::sqrt(1.0 + l * l);
  for (const double phi : {-1.0, 0.0, 0.5236, 2.0}) {
    const double s = std::sin(phi);
    const double c = std::cos(phi);
    Matrix G(2, 3);
    model.system->jacobian(0.0, (Vector(3) << l * s, l * c, phi).finished(), G);
    const Svd svd(G);
    EXPECT_NEAR(svd.singular_values()[0], r, 1e-14);
    EXPECT_NEAR(svd.singular_values()[1], 1.0, 1e-14);
    const Vector U1 = (Vector(2) << c, -s).finished();
    const Vector U2 = (Vector(2) << s, c).finished();
    const Vector VD1 = (Vector(3) << c / r, -s / r, -l / r).finished();
    const Vector VD2 = (Vector(3) << s, c, 0.0).finished();
    const Vector VI = (Vector(3) << l * c / r, -l * s / r, 1.0 / r).finished();
    EXPECT_NEAR(std::abs(svd.left_vectors().col(0).dot(U1)), 1.0, 1e-14);
    EXPECT_NEAR(std::abs(svd.left_vectors().col(1).dot(U2)), 1.0, 1e-14);
    EXPECT_NEAR(std::abs(svd.right_vectors().col(0).dot(VD1)), 1.0, 1e-14);
    EXPECT_NEAR(std::abs(svd.right_vectors().col(1).dot(VD2)), 1.0, 1e-14);
    EXPECT_NEAR(std::abs(svd.right_vectors().col(2).dot(VI)), 1.0, 1e-14);
  }
}

// sn, cn, dn by the arithmetic-geometric mean (Abramowitz and Stegun 16.4).
struct Jacobi {
  double sn, cn, dn;
};
Jacobi jacobi(double u, double k) {
  std::vector<double> a{1.0}, c{k};
  double b = std::sqrt(1.0 - k * k);
  while (std::abs(c.back()) > 1e-17) {
    c.push_back(0.5 * (a.back() - b));
    const double mean = 0.5 * (a.back() + b);
    b = std::sqrt(a.back() * b);
    a.push_back(mean);
  }
  const auto n = a.size() - 1;
  double phi = std::ldexp(a[n] * u, static_cast<int>(n));
  for (auto i = n; i > 0; --i) phi = 0.5 * (phi + std::asin(c[i] / a[i] * std::sin(phi)));
  return {std::sin(phi), std::cos(phi), std::sqrt(1.0 - std::pow(k * std::sin(phi), 2))};
}

// From rest at phi0: sin(phi/2) = k cn(wt)/dn(wt), k = sin(phi0/2).
TEST(Pendulum, FollowsItsExactMotionByEllipticFunctions) {
  const ModelSource& pendulum = source("pendulum");
  const Model model = pendulum.build(pendulum.parameters, Form::index1);
  const State start = make_consistent(*model.system, model.start);
  const double w = std::sqrt(3.0 * 9.8 * 0.75 / (2.0 + 3.0 * 0.75 * 0.75));
  const double k = std::sin(M_PI / 12.0);
  for (const char* method : {"auto", "svd", "svd-dop853", "adams"}) {
    Plan plan;
    plan.until = 2.6141895521915239523688;  // one period
    plan.method = method;
    plan.tolerances = Tolerances::uniform(1e-11, 1e-11);
    for (int i = 0; i <= 40; ++i) plan.sample_times.push_back(plan.until * i / 40.0);
    const Result result = integrate(*model.system, start, plan, [&](const Sample& sample) {
      const Jacobi j = jacobi(w * sample.state.t, k);
      const double phi = 2.0 * std::asin(k * j.cn / j.dn);
      EXPECT_NEAR(sample.state.q[2], phi, 1e-9) << method << " at t = " << sample.state.t;
      EXPECT_NEAR(sample.state.q[0], 0.75 * std::sin(phi), 1e-9) << method;
    });
    EXPECT_NEAR(result.end.q[2], M_PI / 6.0, 1e-10) << method;
    EXPECT_NEAR(result.end.v[2], 0.0, 1e-9) << method;
  }
}

TEST(Pendulum, IndependentCoordinateIsPhiTimesTheLengthOfTheTangent) {
  // z = V_I q and z' = sqrt(1 + l^2) phi' (3.28) in the basis of the moment; at the start z = phi / sqrt(1 + l^2)
  // (3.27).
  const ModelSource& pendulum = source("pendulum");
  const Model model = pendulum.build(pendulum.parameters, Form::index1);
  const State start = make_consistent(*model.system, model.start);
  const auto method = find_method("svd").make(*model.system, Form::index1, Tolerances::uniform(1e-8, 1e-8));
  method->begin(start, 1.0);
  const IndependentCoordinates& c = *method->independent_coordinates();
  ASSERT_EQ(c.z.size(), 1);
  EXPECT_NEAR(std::abs(c.z[0]), 0.4188790204786390984616858, 1e-14);
  EXPECT_NEAR(std::abs(c.z2[0]), 1.25 * std::abs(start.a[2]), 1e-13);
}

// "The index-2 form keeps that offset for ever": 2.031e-10 m between the printed x3 and the constraint.
TEST(SliderCrank, IndexTwoKeepsThePrintedOffset) {
  const ModelSource& crank = source("slider-crank");
  const Model model = crank.build(crank.parameters, Form::index2);
  const State start = make_consistent(*model.system, model.start);
  EXPECT_EQ(start.q[2], 0.450016933);
  Plan plan;
  plan.until = 0.1;
  plan.form = Form::index2;
  plan.tolerances = Tolerances::uniform(1e-10, 1e-10);
  const Result result = integrate(*model.system, start, plan);
  Vector g(3);
  model.system->constraint(0.1, result.end.q, g);
  EXPECT_NEAR(g.norm(), 2.031e-10, 2e-13);
  EXPECT_LT(result.quality.velocity_residual, 1e-12);
}

// What the printed end values are worth: scd 9.57 for Andrews, 9.19 for the car axis.
TEST(Accuracy, PublishedTablesAreAsGoodAsTheyAreKnownToBe) {
  CheckRequest request;
  request.rtol = request.atol = 1e-13;
  EXPECT_NEAR(*check_model(source("andrews"), request).front().accuracy.scd_published, 9.57, 0.02);
  EXPECT_NEAR(*check_model(source("car-axis"), request).front().accuracy.scd_published, 9.19, 0.02);
}

}  // namespace
}  // namespace raak
