// The projectile of the NAG routine D02CAF (E.M. Starmans, TU Eindhoven DCT 1987.010, Bijlage IV, section 13):
//   y' = tan(phi),  v' = -0.032 tan(phi)/v - 0.02 v sec(phi),  phi' = -0.032/v^2,  x from 0 to 8.
// Over t these are the equations of a point mass under gravity with a drag of 0.02 v^2, integrated as D02CAF does, by
// an Adams method of variable order, until x = 8. Prints the table of the document with its own line below each of
// ours. Ends with 1 if a number differs from a solution with 30 digits by more than the tolerance.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "kinematics/start/consistent_start.h"
#include "run/integrate.h"
#include "system/equations/equations.h"

struct Projectile {
  static constexpr int coordinates = 2, constraints = 0;
  double g = 0.032, drag = 0.02;  // m/s^2, 1/m

  void mass(const auto&, const auto&, auto& M) const { M(0, 0) = M(1, 1) = 1.0; }
  void force(const auto&, const auto&, const auto& v, auto& f) const {
    const auto speed = sqrt(v[0] * v[0] + v[1] * v[1]);
    f[0] = -drag * speed * v[0];
    f[1] = -drag * speed * v[1] - g;
  }
  static raak::Description description() { return {{"x", "y"}, {}, {}}; }
};

int main() {
  const double exact[3] = {-1.2459396420142529, 0.51299030656852707, -0.85371240846248014};
  const char* const document[2] = {"  -1.24550e+00  5.12930e-01 -8.53830e-01",
                                   "  -1.24600e+00  5.13000e-01 -8.53710e-01"};
  const auto system = raak::make_system(Projectile{});
  raak::StartRequest request;
  request.q = raak::Vector::Zero(2);
  request.v = 0.5 * raak::Vector{{std::cos(std::numbers::pi / 5.0), std::sin(std::numbers::pi / 5.0)}};
  request.trusted_positions = request.trusted_velocities = {"x", "y"};

  raak::Plan plan;
  plan.until = 100.0;
  plan.method = "adams";
  plan.events = {
      {"x8", [](const raak::State& s) { return s.q[0] - 8.0; }, raak::Event::Direction::up, raak::Event::Action::stop}};
  bool right = true;
  for (const double tolerance : {1e-4, 1e-5}) {
    plan.tolerances = raak::Tolerances::uniform(tolerance, tolerance);
    const raak::Result result = raak::integrate(*system, raak::make_consistent(*system, request), plan);
    const raak::State& end = result.end;
    const double y[3] = {end.q[1], end.v.norm(), std::atan2(end.v[1], end.v[0])};
    fmt::print("TOL = {:.1e}\n      X        Y(1)         Y(2)         Y(3)\n{:7.3f} {:13.5e}{:13.5e}{:13.5e}\n",
               tolerance, end.q[0], y[0], y[1], y[2]);
    fmt::print("D02CAF:{}\n", document[tolerance < 5e-5 ? 1 : 0]);
    for (int i = 0; i < 3; ++i) right = right && std::abs(y[i] - exact[i]) < tolerance;
  }
  return right ? 0 : 1;
}
