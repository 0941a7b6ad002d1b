// Modes of many bodies, on both sides of the size from which iterations find them.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "modelfile/templates/generators.h"
#include "study/modes/modes_test_support.h"

namespace raak {
namespace {

std::string masses_in_a_row(int count, double damping) {
  std::string text = "format = \"raak/1\"\n[ground.points]\nA = [0.0, 0.0]\n";
  text += fmt::format("B = [{}, 0.0]\n", count + 1);
  std::string rows = "[constraints]\n", forces = "[forces]\n", guesses = "[start.guess]\n", before = "ground.A";
  for (int i = 1; i <= count; ++i) {
    text += fmt::format("[bodies.m{}]\ntype = \"point\"\nmass = 2.0\n", i);
    rows += fmt::format("line{0} = {{ equation = \"m{0}.y\" }}\n", i);
    guesses += fmt::format("\"m{}.x\" = {}\n", i, i + 0.1 * (i % 3));
  }
  for (int i = 0; i <= count; ++i) {
    const std::string after = i == count ? "ground.B" : fmt::format("m{}", i + 1);
    forces += fmt::format(
        "spring{} = {{ type = \"spring\", between = [\"{}\", \"{}\"], stiffness = 50.0, length = 1.0, damping = {} "
        "}}\n",
        i, before, after, damping);
    before = after;
  }
  return text + rows + forces + guesses;
}

// omega_k = 2 sqrt(k/m) sin(k pi / (2 (N + 1))), with dampers beside the springs of the ratio omega_k c / (2 k).
TEST(Modes, OfMassesBetweenSpringsAreTheClosedForm) {
  for (const int count : {5, 40}) {
    for (const double damping : {0.0, 0.8}) {
      for (const bool iterative : {false, true}) {
        if (iterative && count < 20) continue;  // too few freedoms for iterations
        ModesRequest request = by_iterations(10);
        if (!iterative) request = {};
        const Modes found = find_modes(model_of(masses_in_a_row(count, damping), Coordinates::maximal), request);
        EXPECT_EQ(found.iterative, iterative);
        ASSERT_GE(found.modes.size(), 5U);
        for (std::size_t i = 0; i < found.modes.size(); ++i) {
          const double k = static_cast<double>(i) + 1.0;
          const double omega = 10.0 * std::sin(k * std::numbers::pi / (2.0 * (count + 1)));
          EXPECT_NEAR(found.modes[i].omega(), omega, 1e-9 * omega) << count << " masses, mode " << k;
          EXPECT_NEAR(found.modes[i].damping(), omega * damping / 100.0, 1e-9);
          EXPECT_EQ(found.modes[i].kind, Mode::Kind::vibration);
        }
      }
    }
  }
}

// Rigid pieces of a clamped beam with springs between them, half a piece to the clamp; EI, mass and length 1.
std::string pieces_of_a_beam(int count) {
  const double length = 1.0 / count;
  std::string text = "format = \"raak/1\"\n[ground.points]\nO = [0.0, 0.0]\n";
  std::string joints = "[joints]\n", forces = "[forces]\n";
  for (int i = 0; i < count; ++i) {
    text += fmt::format(
        "[bodies.s{}]\nmass = {:.17g}\ninertia = {:.17g}\ncom = [{:.17g}, 0.0]\npoints = {{ A = [0.0, 0.0], B = "
        "[{:.17g}, 0.0] }}\n",
        i, length, length * length * length / 12.0, 0.5 * length, length);
    joints += fmt::format("j{0} = {{ type = \"revolute\", pins = [\"{1}\", \"s{0}.A\"] }}\n", i,
                          i == 0 ? "ground.O" : fmt::format("s{}.B", i - 1));
    const std::string bent = i == 0 ? "s0.angle" : fmt::format("(s{}.angle - s{}.angle)", i, i - 1);
    const double stiffness = (i == 0 ? 2.0 : 1.0) / length;
    forces +=
        fmt::format("t{0} = {{ type = \"torque\", on = \"s{0}\", value = \"-{1:.17g}*{2}\" }}\n", i, stiffness, bent);
    if (i > 0)
      forces += fmt::format("u{} = {{ type = \"torque\", on = \"s{}\", value = \"{:.17g}*{}\" }}\n", i, i - 1,
                            stiffness, bent);
  }
  return text + joints + forces;
}

// cos(x) cosh(x) = -1, omega = x^2 (Euler and Bernoulli); pieces are off by the square of their length.
TEST(Modes, OfPiecesApproachThoseOfAClampedBeam) {
  constexpr double roots[] = {1.875104068711961, 4.694091132974175, 7.854757438237613};
  const Modes coarse = find_modes(model_of(pieces_of_a_beam(20)), {});
  const Modes fine = find_modes(model_of(pieces_of_a_beam(120)), {});
  EXPECT_TRUE(fine.iterative);
  for (std::size_t i = 0; i < 3; ++i) {
    const double omega = roots[i] * roots[i];
    EXPECT_NEAR(fine.modes[i].omega(), omega, 3e-4 * omega) << "mode " << i + 1;
    EXPECT_NEAR((coarse.modes[i].omega() - omega) / (fine.modes[i].omega() - omega), 36.0, 2.0) << "mode " << i + 1;
  }
}

Model chain(int rods, Coordinates coordinates) {
  return model_of(chain_file(rods), coordinates);
}

// The first frequency of a hanging chain is 2.40483 / 2 sqrt(g / L) (Daniel Bernoulli, 1733).
TEST(Modes, OfAChainOfRodsApproachThoseOfAHangingChain) {
  for (const int rods : {20, 80}) {
    const Modes found = find_modes(chain(rods, Coordinates::automatic), {});
    EXPECT_NEAR(found.modes[0].omega(), 0.5 * 2.404825557695773 * std::sqrt(9.81 / rods), 1e-3);
    EXPECT_NEAR(found.modes[1].omega(), 0.5 * 5.520078110286311 * std::sqrt(9.81 / rods), 1e-2);
  }
}

TEST(Modes, OfAChainAreTheSameByIterationsAndByDenseMatrices) {
  const Modes dense = find_modes(chain(40, Coordinates::maximal), {});
  EXPECT_FALSE(dense.iterative);
  for (const Coordinates coordinates : {Coordinates::maximal, Coordinates::element_by_element}) {
    const Model model = chain(40, coordinates);
    const Modes found = find_modes(model, by_iterations(20));
    EXPECT_TRUE(found.iterative);
    expect_frequencies(found, frequencies(dense), 1e-9);
    for (std::size_t i = 0; i < 20; ++i)
      EXPECT_NEAR((found.modes[i].shape - dense.modes[i].shape).cwiseAbs().maxCoeff(), 0.0, 1e-6) << "mode " << i + 1;
  }
}

TEST(Modes, OfADampedChainAreTheSameByIterationsAndByDenseMatrices) {
  const Modes dense = find_modes(model_of(damped_chain(40), Coordinates::maximal), {});
  const Modes found = find_modes(model_of(damped_chain(40), Coordinates::element_by_element), by_iterations(12));
  ASSERT_TRUE(found.iterative);
  for (std::size_t i = 0; i < 12; ++i) {
    EXPECT_NEAR(found.modes[i].omega(), dense.modes[i].omega(), 1e-7 * dense.modes[i].omega());
    EXPECT_NEAR(found.modes[i].damping(), dense.modes[i].damping(), 1e-7);
    EXPECT_EQ(found.modes[i].kind, dense.modes[i].kind);
  }
}

TEST(Modes, OfALargeChainAreFoundAndSorted) {
  const Model model = chain(300, Coordinates::automatic);
  ASSERT_FALSE(model.system->has_dense_matrices());
  ModesRequest request;
  request.count = 30;
  const Modes found = find_modes(model, request);
  ASSERT_EQ(found.modes.size(), 30U);
  for (std::size_t i = 1; i < found.modes.size(); ++i) EXPECT_GT(found.modes[i].omega(), found.modes[i - 1].omega());
  request.count = 200;  // more than iterations are good for
  const Modes many = find_modes(model, request);
  EXPECT_FALSE(many.iterative);
  ASSERT_EQ(many.modes.size(), 200U);
  for (std::size_t i = 0; i < 30; ++i)
    EXPECT_NEAR(many.modes[i].omega(), found.modes[i].omega(), 1e-8 * found.modes[i].omega()) << "mode " << i + 1;
}

// Of N linkages upright: omega^2 = -g/l ((N + 1)/2 + N) / ((N + 1)/3 + N).
TEST(Modes, OfManyBodiesWithOneFreedomAreFound) {
  constexpr double N = 150.0;
  const Model model = model_of(n_four_bar_file(150), Coordinates::element_by_element);
  ASSERT_FALSE(model.system->has_dense_matrices());
  const Modes found = find_modes(model, {});
  ASSERT_EQ(found.modes.size(), 1U);
  EXPECT_EQ(found.modes[0].kind, Mode::Kind::unstable);
  EXPECT_NEAR(found.modes[0].omega(), std::sqrt(9.81 * (0.5 * (N + 1.0) + N) / ((N + 1.0) / 3.0 + N)), 1e-9);
}

}  // namespace
}  // namespace raak
