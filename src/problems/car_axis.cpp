// The car axis problem of S. Schneider (thesis, Geneve 1994) as given in F. Mazzia and C. Magherini, Test Set for IVP
// Solvers, release 2.4 (2008), section II.17. The equations keep the scaling of (II.17.2): everything is multiplied by
// eps^2, so that the multipliers are the printed ones. g = -phi, because we write M v' = f - G' lambda and the document
// f + G' lambda.
#include "problems/car_axis.h"

#include <algorithm>
#include <array>

#include "problems/constants.h"
#include "problems/references.h"
#include "system/equations/equations.h"

namespace raak {
namespace {

struct CarAxis {
  static constexpr int coordinates = 4, constraints = 2;

  Live L = 1.0, L0 = 0.5, eps = 1e-2, M = 10.0, h = 0.1, omega = 10.0;
  Live gravity = 1.0;  // the value of the original formulation
  std::shared_ptr<LiveNumbers> live = {};

  Live scaled_mass() const { return eps * eps * M / 2.0; }
  Live weight() const { return scaled_mass() * gravity; }
  Live energy_unit() const { return 1.0 / (eps * eps); }

  // (II.17.4), (II.17.5)
  template <class Real>
  struct Wheel {
    Real x, y;
  };
  template <class Real>
  Wheel<Real> right_wheel(const Real& t) const {
    const Real yb = h * sin(omega * t);
    return {sqrt(L * L - yb * yb), yb};
  }

  void mass(const auto&, const auto&, auto& K) const {
    for (int i = 0; i < coordinates; ++i) K(i, i) = scaled_mass();
  }
  void force(const auto& t, const auto& p, const auto&, auto& f) const {
    const auto wheel = right_wheel(t);
    const auto dx = p[2] - wheel.x, dy = p[3] - wheel.y;
    const auto left = L0 / sqrt(p[0] * p[0] + p[1] * p[1]) - 1.0;  // (L0 - Ll) / Ll
    const auto right = L0 / sqrt(dx * dx + dy * dy) - 1.0;
    f[0] = left * p[0];
    f[1] = left * p[1] - weight();
    f[2] = right * dx;
    f[3] = right * dy - weight();
  }
  void constraint(const auto& t, const auto& p, auto& g) const {
    const auto wheel = right_wheel(t);
    const auto dx = p[0] - p[2], dy = p[1] - p[3];
    g[0] = -(p[0] * wheel.x + p[1] * wheel.y);
    g[1] = L * L - (dx * dx + dy * dy);
  }
  template <class Real>
  std::array<Real, 3> potentials(const Real& t, const auto& p) const {
    const auto wheel = right_wheel(t);
    const Real dx = p[2] - wheel.x, dy = p[3] - wheel.y;
    const Real left = sqrt(p[0] * p[0] + p[1] * p[1]) - L0;
    const Real right = sqrt(dx * dx + dy * dy) - L0;
    return {0.5 * (left * left), 0.5 * (right * right), weight() * (p[1] + p[3])};
  }
  EnergyNames energy_names() const { return {{"left spring", "right spring", "gravity"}}; }

  Description description() const {
    return {{"xl", "yl", "xr", "yr"},
            {"left spring at right angles to the axle", "length of the chassis"},
            {},
            {"m", "m", "m", "m"}};
  }
};

constexpr std::array<Constant<CarAxis>, 7> car_axis_constants{{
    {"L", &CarAxis::L, "m", "length of the axle and of the chassis", Range::positive},
    {"L0", &CarAxis::L0, "m", "length of the springs at rest", Range::not_negative},
    {"eps", &CarAxis::eps, "(m/N)^(1/2)", "the springs have stiffness 1/eps^2", Range::positive},
    {"M", &CarAxis::M, "kg", "mass of the chassis", Range::positive},
    {"h", &CarAxis::h, "m", "height of the bumps"},
    {"omega", &CarAxis::omega, "rad/s", "frequency of the bumps"},
    {"g", &CarAxis::gravity, "m/s^2", "acceleration of gravity"},
}};

StartRequest start_of_car_axis(const CarAxis& c) {
  const double forward = (-c.L0 / c.L * c.omega * c.h).now(), length = c.L.now(), at_rest = c.L0.now();
  StartRequest start;
  start.q = Vector{{0.0, at_rest, length, at_rest}};
  start.v = Vector{{forward, 0.0, forward, 0.0}};
  start.trusted_positions = {"yl", "yr"};
  start.trusted_velocities = {"yl", "yr"};
  return start;
}

// The wheels and the road under them are drawn only: in the equations they are two points, one of which the road lifts.
Drawing drawing_of(const CarAxis& c) {
  using Kind = DrawingElement::Kind;
  Drawing drawing;
  const int left = drawing.add_points({"wheel l", "wheel r", "l", "r", "", "", "", "", "", ""});
  const int right = left + 1, l = left + 2, r = left + 3, rims = left + 4, roads = left + 6;
  drawing.add(Kind::trace, {l}, "path of l");
  drawing.add(Kind::trace, {r}, "path of r");
  drawing.add(Kind::wall, {roads, roads + 1}, "road");
  drawing.add(Kind::wall, {roads + 2, roads + 3}, "road with bumps");
  drawing.add(Kind::disc, {left, rims}, "left wheel");
  drawing.add(Kind::disc, {right, rims + 1}, "right wheel");
  drawing.add(Kind::bar, {left, right}, "axle");
  drawing.add(Kind::spring, {left, l}, "left spring");
  drawing.add(Kind::spring, {right, r}, "right spring");
  drawing.add(Kind::bar, {l, r}, "chassis");
  for (const int point : {left, right, l, r}) drawing.add(Kind::pin, {point});
  drawing.place = [c](const State& state, std::span<double> xy) {
    const auto lifted = c.right_wheel(Live(state.t));
    const struct { double x, y; } wheel{lifted.x.now(), lifted.y.now()};
    const double radius = 0.12 * c.L.now(), half = 0.2 * c.L.now(), floor = -radius, bump = wheel.y - radius;
    const std::array<double, 20> at{
        0.0,        0.0,   wheel.x,        wheel.y, state.q[0],       state.q[1], state.q[2],
        state.q[3], 0.0,   radius,         wheel.x, wheel.y + radius, -half,      floor,
        half,       floor, wheel.x - half, bump,    wheel.x + half,   bump};
    std::copy(at.begin(), at.end(), xy.begin());
  };
  return drawing;
}

const Counted counted_of_car_axis{{"q.", "v.", "lambda."}, {"q.", "v.", "lambda."}};

Reference published_car_axis() {
  return published_reference("Test Set for IVP Solvers 2.4, Table II.17.1", 3.0,
                             {{"q.xl", 0.493455784275402809122e-1},
                              {"q.yl", 0.496989460230171153861},
                              {"q.xr", 0.104174252488542151681e1},
                              {"q.yr", 0.373911027265361256927},
                              {"v.xl", -0.770583684040972357970e-1},
                              {"v.yl", 0.744686658723778553466e-2},
                              {"v.xr", 0.17556815753723222276e-1},
                              {"v.yr", 0.770341043779251976443},
                              {"lambda.1", -0.473688659084893324729e-2},
                              {"lambda.2", -0.110468033125734368808e-2}},
                             counted_of_car_axis);
}

}  // namespace

ModelSource car_axis() {
  const Parameters defaults{declare<CarAxis>(car_axis_constants)};

  ModelSource source;
  source.name = "car-axis";
  source.title = "Car axis on a bumpy road (Test Set for IVP Solvers, II.17)";
  source.parameters = defaults;
  source.runs = {{"default", "five bumps", {}, 3.0, 1e-6}};
  source.build = [=](const Parameters& parameters, Form) {
    const auto problem = read_constants<CarAxis>(car_axis_constants, parameters, std::make_shared<LiveNumbers>());
    Model model{make_system(problem), start_of_car_axis(problem), {}, drawing_of(problem)};
    model.live = std::make_shared<LiveConstants<CarAxis>>(car_axis_constants, problem, defaults, start_of_car_axis);
    if (parameters == defaults)
      model.references = {trusted_reference("car-axis.csv", 7.0, counted_of_car_axis), published_car_axis()};
    return model;
  };
  return source;
}

}  // namespace raak
