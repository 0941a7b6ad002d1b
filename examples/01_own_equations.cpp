// Equations of your own in one struct: two point masses on two rods (the double pendulum), y upwards.
// Write M, f and g; Raak derives the Jacobian, the velocity terms and everything else. Ends with 1 if energy is lost.
#include <raak/raak.h>

#include <cstdio>

struct DoublePendulum {
  static constexpr int coordinates = 4, constraints = 2;
  double m1 = 1.0, m2 = 0.5, l1 = 1.0, l2 = 0.7, g = 9.81;  // kg, m, m/s^2

  void mass(const auto&, const auto&, auto& M) const {
    M(0, 0) = M(1, 1) = m1;
    M(2, 2) = M(3, 3) = m2;
  }
  void force(const auto&, const auto&, const auto&, auto& f) const {
    f[1] = -m1 * g;
    f[3] = -m2 * g;
  }
  void constraint(const auto&, const auto& q, auto& r) const {
    const auto dx = q[2] - q[0], dy = q[3] - q[1];
    r[0] = q[0] * q[0] + q[1] * q[1] - l1 * l1;
    r[1] = dx * dx + dy * dy - l2 * l2;
  }
  auto potential(const auto&, const auto& q) const { return m1 * g * q[1] + m2 * g * q[3]; }

  // What may be asked for by name beside the coordinates: the pull in the upper rod, N.
  void output(const auto& state, auto& values) const { values[0] = 2.0 * l1 * state.lambda[0]; }
  static raak::Description description() {
    return {{"x1", "y1", "x2", "y2"}, {"upper rod", "lower rod"}, {"pull"}, {"m", "m", "m", "m"}};
  }
};

int main() {
  // Trust the x of both masses, at rest; the y are guesses and choose the branch.
  const raak::Model model = raak::equations(
      DoublePendulum{},
      {.trust = {{"x1", 0.8}, {"x2", 1.2}, {"v.x1", 0.0}, {"v.x2", 0.0}}, .guess = {{"y1", -0.5}, {"y2", -1.0}}});
  const raak::Result r = raak::run(model, {.until = 10.0, .rtol = 1e-9, .every = 1.0});
  for (std::size_t i = 0; i < r.t().size(); ++i)
    std::printf("t = %4.1f s   lower mass at (%8.5f, %8.5f) m   pull in the upper rod %8.3f N\n", r.t()[i], r["x2"][i],
                r["y2"][i], r["pull"][i]);
  std::printf("%ld steps, energy drift %.1e J, constraint residual %.1e m\n", r.statistics().steps,
              r.quality().energy_drift, r.quality().position_residual);
  return r.quality().energy_drift < 1e-6 ? 0 : 1;
}
