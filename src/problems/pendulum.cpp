// The pendulum of E.M. Starmans, Het gebruik van "Singular Value Decomposition" voor de analyse van de dynamica van
// mechanische systemen, TU Eindhoven DCT 1987.010, chapters 3 and 5. The y axis points down, phi is measured from it.
#include "problems/pendulum.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "problems/constants.h"
#include "problems/references.h"
#include "system/equations/equations.h"

namespace raak {
namespace {

struct Pendulum {
  static constexpr int coordinates = 3, constraints = 2;

  // (5.10)
  Live m = 3.0, J = 2.0, l = 0.75, g = 9.8;
  Live phi0 = std::numbers::pi / 6.0, phid0 = 0.0;
  std::shared_ptr<LiveNumbers> live = {};

  // (3.7)
  void mass(const auto&, const auto&, auto& M) const {
    M(0, 0) = m;
    M(1, 1) = m;
    M(2, 2) = J;
  }
  // (3.3)
  void force(const auto&, const auto&, const auto&, auto& f) const { f[1] = m * g; }
  // (3.5)
  void constraint(const auto&, const auto& q, auto& phi) const {
    phi[0] = q[0] - l * sin(q[2]);
    phi[1] = q[1] - l * cos(q[2]);
  }
  auto potential(const auto&, const auto& q) const { return -m * g * q[1]; }
  EnergyNames energy_names() const { return {{"gravity"}}; }

  Description description() const {
    return {{"x", "y", "phi"},
            {Row("body at the end of the rod", "x", "m"), Row("body at the end of the rod", "y", "m")},
            {},
            {"m", "m", "rad"}};
  }
};

constexpr std::array<Constant<Pendulum>, 6> pendulum_constants{{
    {"m", &Pendulum::m, "kg", "mass of the body", Range::positive},
    {"J", &Pendulum::J, "kg m^2", "moment of inertia about its centre", Range::positive},
    {"l", &Pendulum::l, "m", "length of the rod", Range::positive},
    {"g", &Pendulum::g, "m/s^2", "acceleration of gravity"},
    {"phi0", &Pendulum::phi0, "rad", "angle at the start"},
    {"phid0", &Pendulum::phid0, "rad/s", "angular velocity at the start"},
}};

// The guesses of x and y are those of the sample run: the start has to be corrected before it can be used.
StartRequest start_of_pendulum(const Pendulum& p) {
  StartRequest start;
  start.q = Vector{{0.4, 0.6, p.phi0.now()}};
  start.v = Vector{{0.0, 0.0, p.phid0.now()}};
  start.trusted_positions = {"phi"};
  start.trusted_velocities = {"phi"};
  return start;
}

// The picture has y up. The disc has no size in the equations; its spoke shows phi.
Drawing drawing_of(const Pendulum& p) {
  using Kind = DrawingElement::Kind;
  Drawing drawing;
  const int O = drawing.add_points({"O", "C", ""});
  const int C = O + 1, rim = O + 2;
  drawing.add(Kind::trace, {C}, "path of C");
  drawing.add(Kind::bar, {O, C}, "rod");
  drawing.add(Kind::disc, {C, rim}, "body");
  drawing.add(Kind::ground, {O}, "pivot");
  drawing.place = [size = 0.16 * p.l](const State& state, std::span<double> xy) {
    const double x = state.q[0], y = -state.q[1], phi = state.q[2], radius = size.now();
    const std::array<double, 6> at{0.0, 0.0, x, y, x + radius * std::sin(phi), y - radius * std::cos(phi)};
    std::copy(at.begin(), at.end(), xy.begin());
  };
  return drawing;
}

const Counted counted_of_pendulum{{"q."}, {"q.", "v.", "a.", "lambda."}};

Reference published_pendulum() {
  return published_reference(
      "Starmans 1987, (5.15) and (5.16), printed to 4 digits of which 2 to 3 are right", 2.57,
      {{"q.x", 0.3737}, {"q.y", 0.6502}, {"q.phi", 0.5217}, {"v.x", 0.08939}, {"v.y", -0.05138}, {"v.phi", 0.1375}},
      counted_of_pendulum);
}

// Bijlage I, pages 33 to 36: q, q', q'' and V_I of the moment at the steps of D02CAF. On its first page the scan shows
// 9s as 7s. The 14 entries that contradict the others of their row by more than the last digit are restored: they
// follow from phi and x', which are intact, by (3.5), (3.16) and (3.24).
Reference printed_rows() {
  return printed_table(
      "Starmans 1987, Bijlage I", "pendulum-printed.csv",
      "SVD.FTN renews V_I inside the routine that D02CAF calls for derivatives and overwrites the integrator's z "
      "there, "
      "so its Adams formula goes on with values of several bases. Raak keeps V_I through a step, renews it between "
      "accepted steps and carries the history over into the new basis",
      counted_of_pendulum);
}

}  // namespace

ModelSource pendulum() {
  const Parameters defaults{declare<Pendulum>(pendulum_constants)};
  // The document states pi/6; the run it prints used its four digits.
  const Parameters printed = with_settings(defaults, {{"phi0", "0.5236"}});

  ModelSource source;
  source.name = "pendulum";
  source.title = "Pendulum in redundant coordinates (Starmans 1987)";
  source.parameters = defaults;
  source.runs = {{"default", "one swing from pi/6", {}, 2.57, 1e-6},
                 {"printed", "one swing from 0.5236 rad, as printed", {{"phi0", "0.5236"}}, 2.57, 1e-6}};
  source.build = [=](const Parameters& parameters, Form) {
    const auto problem = read_constants<Pendulum>(pendulum_constants, parameters, std::make_shared<LiveNumbers>());
    Model model{make_system(problem), start_of_pendulum(problem), {}, drawing_of(problem)};
    if (parameters != printed)
      model.live = std::make_shared<LiveConstants<Pendulum>>(pendulum_constants, problem, defaults, start_of_pendulum);
    if (parameters == defaults)
      model.references = {trusted_reference("pendulum.csv", 9.5, counted_of_pendulum), published_pendulum()};
    if (parameters == printed)
      model.references = {trusted_reference("pendulum-0.5236.csv", 9.5, counted_of_pendulum), printed_rows()};
    return model;
  };
  return source;
}

}  // namespace raak
