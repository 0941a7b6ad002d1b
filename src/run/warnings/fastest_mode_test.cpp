#include "run/warnings/fastest_mode.h"

#include <gtest/gtest.h>

#include <cmath>

#include "system/equations/equations.h"

namespace raak {
namespace {

// Two masses on springs with dampers, tied to a line: m x'' = -k x - d x', one of them free to move along y as well.
struct SpringsAndDampers {
  static constexpr int coordinates = 3, constraints = 1;
  double k1 = 4.0, d1 = 0.0, k2 = 9.0e4, d2 = 1.0e4;
  void mass(const auto&, const auto&, auto& M) const { M(0, 0) = M(1, 1) = M(2, 2) = 1.0; }
  void force(const auto&, const auto& q, const auto& v, auto& f) const {
    f[0] = -k1 * q[0] - d1 * v[0];
    f[1] = -k2 * q[1] - d2 * v[1];
    f[2] = -1e12 * q[2];  // far faster, but a constraint holds it
  }
  void constraint(const auto&, const auto& q, auto& g) const { g[0] = 1.0 * q[2]; }
  Description description() const { return {{"slow", "damped", "held"}, {"line"}, {}}; }
};

State at_rest() {
  State state = State::of_size(3, 1);
  state.t = 0.0;
  state.q.setZero();
  state.v.setZero();
  state.a.setZero();
  state.lambda.setZero();
  return state;
}

TEST(FastestMode, IsTheRootOfTheCharacteristicPolynomial) {
  const FastestMode mode = fastest_mode(*make_system(SpringsAndDampers{}), at_rest());
  EXPECT_NEAR(mode.decay, 5e3 + std::sqrt(25e6 - 9e4), 1e-6);  // s^2 + d s + k = 0
  EXPECT_NEAR(mode.frequency, 0.0, 1e-9);
  EXPECT_TRUE(mode.decays());
  ASSERT_EQ(mode.coordinates.size(), 1U) << "a constraint holds the third";
  EXPECT_EQ(mode.coordinates.front().first, "damped");
  EXPECT_NE(text_of(mode).find("dies out at 1.0e+04 1/s"), std::string::npos) << text_of(mode);
}

TEST(FastestMode, TellsAVibrationFromDamping) {
  SpringsAndDampers springs;
  springs.d2 = 0.0;
  const FastestMode mode = fastest_mode(*make_system(springs), at_rest());
  EXPECT_NEAR(mode.frequency, 300.0, 1e-8);
  EXPECT_NEAR(mode.decay, 0.0, 1e-8);
  EXPECT_NE(text_of(mode).find("a vibration of 3.0e+02 rad/s"), std::string::npos) << text_of(mode);
}

TEST(FastestMode, TellsWhatGrows) {
  SpringsAndDampers springs;
  springs.k2 = -1e4;
  springs.d2 = 0.0;
  const FastestMode mode = fastest_mode(*make_system(springs), at_rest());
  EXPECT_NEAR(mode.speed(), 100.0, 1e-8);
}

}  // namespace
}  // namespace raak
