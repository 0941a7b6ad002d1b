// A mechanism of your own in one struct: two point masses on two rods (the double pendulum), y upwards.
// Write M, f and g; Raak derives the Jacobian, the velocity terms and everything else. Ends with 1 if energy is lost.
#include <fmt/format.h>

#include "kinematics/start/consistent_start.h"
#include "run/integrate.h"
#include "system/equations/equations.h"

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

  static raak::Description description() { return {{"x1", "y1", "x2", "y2"}, {"upper rod", "lower rod"}, {}}; }
};

int main() {
  const auto system = raak::make_system(DoublePendulum{});

  raak::StartRequest request;  // trust the x of both masses; the y are guesses and choose the branch
  request.q = (raak::Vector(4) << 0.8, -0.5, 1.2, -1.0).finished();
  request.v = raak::Vector::Zero(4);
  request.trusted_positions = request.trusted_velocities = {"x1", "x2"};
  const raak::State start = raak::make_consistent(*system, request);

  raak::Plan plan;
  plan.until = 10.0;
  plan.tolerances = raak::Tolerances::uniform(1e-9, 1e-9);
  for (int i = 0; i <= 10; ++i) plan.sample_times.push_back(i);
  const raak::Result result = raak::integrate(*system, start, plan, [](const raak::Sample& s) {
    fmt::print("t = {:4.1f} s   lower mass at ({:8.5f}, {:8.5f}) m   pull in the upper rod {:8.3f} N\n", s.state.t,
               s.state.q[2], s.state.q[3], 2.0 * s.state.lambda[0] * DoublePendulum{}.l1);
  });
  fmt::print("{} steps, energy drift {:.1e} J, constraint residual {:.1e} m\n", result.statistics.steps,
             result.quality.energy_drift, result.quality.position_residual);
  return result.quality.energy_drift < 1e-6 ? 0 : 1;
}
