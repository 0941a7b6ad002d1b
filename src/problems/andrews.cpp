// Andrews' squeezing mechanism: F. Mazzia and C. Magherini, Test Set for IVP Solvers, release 2.4 (2008), section
// II.13, after E. Hairer and G. Wanner, Solving ODEs II (1996), pp. 530-536; and IFToMM multibody benchmark A03. Links:
// O-F (beta), F-E (beta + theta), frame E-B-D (gamma), A-G (delta), G-E (phi), A-H (eps), H-E (omega).
#include "problems/andrews.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "base/text/text.h"
#include "problems/constants.h"
#include "problems/references.h"
#include "system/equations/equations.h"

namespace raak {
namespace {

// The angles of the test set: its start, and for any other the guess that chooses the branch.
constexpr std::array<double, 7> printed_angles{-0.0617138900142764496358948458001, 0.0,
                                               0.455279819163070380255912382449,   0.222668390165885884674473185609,
                                               0.487364979543842550225598953530,   -0.222668390165885884674473185609,
                                               1.23054744454982119249735015568};

struct Andrews {
  static constexpr int coordinates = 7, constraints = 6;

  Live m1 = 0.04325, m2 = 0.00365, m3 = 0.02373, m4 = 0.00706, m5 = 0.07050, m6 = 0.00706, m7 = 0.05498;
  Live I1 = 2.194e-6, I2 = 4.410e-7, I3 = 5.255e-6, I4 = 5.667e-7, I5 = 1.169e-5, I6 = 5.667e-7, I7 = 1.912e-5;
  Live xa = -0.06934, ya = -0.00227, xb = -0.03635, yb = 0.03273, xc = 0.014, yc = 0.072;
  Live c0 = 4530.0, l0 = 0.07785, mom = 0.033;
  Live d = 0.028, da = 0.0115, e = 0.02, ea = 0.01421, rr = 0.007, ra = 0.00092;
  Live ss = 0.035, sa = 0.01874, sb = 0.01043, sc = 0.018, sd = 0.02, ta = 0.02308, tb = 0.00916;
  Live u = 0.04, ua = 0.01228, ub = 0.00449, zf = 0.02, zt = 0.04, fa = 0.01421;
  Live beta0 = printed_angles[0];
  std::shared_ptr<LiveNumbers> live = {};

  void mass(const auto&, const auto& q, auto& M) const {
    const Live ge = e - ea, he = zf - fa;
    const auto arm = (da * rr) * cos(q[1]);
    const auto bend_g = (zt * ge) * sin(q[3]);
    const auto bend_h = (u * he) * sin(q[5]);
    M(0, 0) = m1 * ra * ra + m2 * (rr * rr - 2.0 * arm + da * da) + I1 + I2;
    M(1, 0) = m2 * (da * da - arm) + I2;
    M(1, 1) = m2 * da * da + I2;
    M(2, 2) = m3 * (sa * sa + sb * sb) + I3;
    M(3, 3) = m4 * ge * ge + I4;
    M(4, 3) = m4 * (ge * ge + bend_g) + I4;
    M(4, 4) = m4 * (zt * zt + 2.0 * bend_g + ge * ge) + m5 * (ta * ta + tb * tb) + I4 + I5;
    M(5, 5) = m6 * he * he + I6;
    M(6, 5) = m6 * (he * he - bend_h) + I6;
    M(6, 6) = m6 * (he * he - 2.0 * bend_h + u * u) + m7 * (ua * ua + ub * ub) + I6 + I7;
  }

  // The vector C-D, along which the spring pulls.
  template <class Real>
  struct Spring {
    Real x, y, length;
  };
  template <class Real>
  Spring<Real> spring(const Real& sin_gamma, const Real& cos_gamma) const {
    const Real x = sd * cos_gamma + sc * sin_gamma + (xb - xc);
    const Real y = sd * sin_gamma - sc * cos_gamma + (yb - yc);
    return {x, y, sqrt(x * x + y * y)};
  }

  void force(const auto&, const auto& q, const auto& v, auto& f) const {
    const auto sin_gamma = sin(q[2]), cos_gamma = cos(q[2]);
    const auto pull = spring(sin_gamma, cos_gamma);
    const auto F = c0 * (l0 / pull.length - 1.0);
    const auto arm = (m2 * da * rr) * sin(q[1]);
    const auto bend_g = (m4 * zt * (e - ea)) * cos(q[3]);
    const auto bend_h = (m6 * u * (zf - fa)) * cos(q[5]);
    f[0] = mom - arm * v[1] * (v[1] + 2.0 * v[0]);
    f[1] = arm * v[0] * v[0];
    f[2] = F * (pull.x * (sc * cos_gamma - sd * sin_gamma) + pull.y * (sd * cos_gamma + sc * sin_gamma));
    f[3] = bend_g * v[4] * v[4];
    f[4] = -bend_g * v[3] * (v[3] + 2.0 * v[4]);
    f[5] = -bend_h * v[6] * v[6];
    f[6] = bend_h * v[5] * (v[5] + 2.0 * v[6]);
  }

  void constraint(const auto&, const auto& q, auto& g) const {
    const auto beta_theta = q[0] + q[1], phi_delta = q[3] + q[4], omega_eps = q[5] + q[6];
    const auto x_E = rr * cos(q[0]) - d * cos(beta_theta);
    const auto y_E = rr * sin(q[0]) - d * sin(beta_theta);
    g[0] = x_E - ss * sin(q[2]) - xb;
    g[1] = y_E + ss * cos(q[2]) - yb;
    g[2] = x_E - e * sin(phi_delta) - zt * cos(q[4]) - xa;
    g[3] = y_E + e * cos(phi_delta) - zt * sin(q[4]) - ya;
    g[4] = x_E - zf * cos(omega_eps) - u * sin(q[6]) - xa;
    g[5] = y_E - zf * sin(omega_eps) + u * cos(q[6]) - ya;
  }

  auto potential(const auto&, const auto& q) const {
    const auto stretch = spring(sin(q[2]), cos(q[2])).length - l0;
    return 0.5 * c0 * stretch * stretch;
  }
  auto input_energy(const auto&, const auto& q) const { return mom * q[0]; }
  EnergyNames energy_names() const { return {{"spring C-D"}, "torque on O-F"}; }

  void output(const auto& state, auto& values) const {
    values[0] = rr * cos(state.q[0]);
    values[1] = rr * sin(state.q[0]);
  }
  Description description() const {
    return {{"beta", "theta", "gamma", "phi", "delta", "omega", "eps"},
            {closure("EBD", "x"), closure("EBD", "y"), closure("GE", "x"), closure("GE", "y"), closure("HE", "x"),
             closure("HE", "y")},
            {"F.x", "F.y"},
            std::vector<std::string>(coordinates, "rad"),
            {"m", "m"}};
  }
  // E as a point of K4, the rod EF, and of another body.
  static Row closure(const char* body, const char* part) { return Row(std::string("E on EF and ") + body, part, "m"); }
};

constexpr std::array andrews_constants{std::to_array<Constant<Andrews>>({
    {"m1", &Andrews::m1, "kg", "mass of O-F", Range::positive},
    {"m2", &Andrews::m2, "kg", "mass of F-E", Range::positive},
    {"m3", &Andrews::m3, "kg", "mass of E-B-D", Range::positive},
    {"m4", &Andrews::m4, "kg", "mass of G-E", Range::positive},
    {"m5", &Andrews::m5, "kg", "mass of A-G", Range::positive},
    {"m6", &Andrews::m6, "kg", "mass of H-E", Range::positive},
    {"m7", &Andrews::m7, "kg", "mass of A-H", Range::positive},
    {"I1", &Andrews::I1, "kg m^2", "moment of inertia of O-F", Range::not_negative},
    {"I2", &Andrews::I2, "kg m^2", "moment of inertia of F-E", Range::not_negative},
    {"I3", &Andrews::I3, "kg m^2", "moment of inertia of E-B-D", Range::not_negative},
    {"I4", &Andrews::I4, "kg m^2", "moment of inertia of G-E", Range::not_negative},
    {"I5", &Andrews::I5, "kg m^2", "moment of inertia of A-G", Range::not_negative},
    {"I6", &Andrews::I6, "kg m^2", "moment of inertia of H-E", Range::not_negative},
    {"I7", &Andrews::I7, "kg m^2", "moment of inertia of A-H", Range::not_negative},
    {"xa", &Andrews::xa, "m", "x of the ground point A"},
    {"ya", &Andrews::ya, "m", "y of the ground point A"},
    {"xb", &Andrews::xb, "m", "x of the ground point B"},
    {"yb", &Andrews::yb, "m", "y of the ground point B"},
    {"xc", &Andrews::xc, "m", "x of the ground point C"},
    {"yc", &Andrews::yc, "m", "y of the ground point C"},
    {"c0", &Andrews::c0, "N/m", "stiffness of the spring C-D", Range::not_negative},
    {"l0", &Andrews::l0, "m", "length of the spring at rest", Range::not_negative},
    {"mom", &Andrews::mom, "N m", "driving torque on O-F"},
    {"d", &Andrews::d, "m", "length of F-E", Range::positive},
    {"da", &Andrews::da, "m", "from F to the centre of mass of F-E"},
    {"e", &Andrews::e, "m", "length of G-E", Range::positive},
    {"ea", &Andrews::ea, "m", "from E to the centre of mass of G-E"},
    {"rr", &Andrews::rr, "m", "length of O-F", Range::positive},
    {"ra", &Andrews::ra, "m", "from O to the centre of mass of O-F"},
    {"ss", &Andrews::ss, "m", "from B to E on E-B-D"},
    {"sa", &Andrews::sa, "m", "from B to the centre of mass of E-B-D, along B-E"},
    {"sb", &Andrews::sb, "m", "from B to the centre of mass of E-B-D, across B-E"},
    {"sc", &Andrews::sc, "m", "from B to D, along B-E"},
    {"sd", &Andrews::sd, "m", "from B to D, across B-E"},
    {"ta", &Andrews::ta, "m", "from A to the centre of mass of A-G, along A-G"},
    {"tb", &Andrews::tb, "m", "from A to the centre of mass of A-G, across A-G"},
    {"u", &Andrews::u, "m", "length of A-H", Range::positive},
    {"ua", &Andrews::ua, "m", "from A to the centre of mass of A-H, along A-H"},
    {"ub", &Andrews::ub, "m", "from A to the centre of mass of A-H, across A-H"},
    {"zf", &Andrews::zf, "m", "length of H-E", Range::positive},
    {"zt", &Andrews::zt, "m", "length of A-G", Range::positive},
    {"fa", &Andrews::fa, "m", "from E to the centre of mass of H-E"},
    {"beta0", &Andrews::beta0, "rad", "angle of O-F at the start"},
})};

// Theta is guessed so that the bar E-F keeps its direction.
StartRequest start_of_andrews(const Andrews& a) {
  StartRequest start;
  start.q = Vector::Map(printed_angles.data(), Andrews::coordinates);
  start.known = start.q;
  start.look_around = true;
  start.q[0] = a.beta0.now();
  start.v = Vector::Zero(Andrews::coordinates);
  start.trusted_positions = {"beta"};
  start.trusted_velocities = {"beta"};
  return start;
}

Drawing drawing_of(const Andrews& a) {
  using Kind = DrawingElement::Kind;
  Drawing drawing;
  const int O = drawing.add_points({"O", "A", "B", "C", "F", "E", "D", "G", "H"});
  const int A = O + 1, B = O + 2, C = O + 3, F = O + 4, E = O + 5, D = O + 6, G = O + 7, H = O + 8;
  drawing.add(Kind::trace, {F}, "path of F");
  drawing.add(Kind::trace, {E}, "path of E");
  drawing.add(Kind::spring, {C, D}, "spring");
  drawing.add(Kind::plate, {E, B, D}, "E-B-D");
  drawing.add(Kind::bar, {A, G}, "A-G");
  drawing.add(Kind::bar, {A, H}, "A-H");
  drawing.add(Kind::bar, {G, E}, "G-E");
  drawing.add(Kind::bar, {H, E}, "H-E");
  drawing.add(Kind::bar, {F, E}, "F-E");
  drawing.add(Kind::bar, {O, F}, "O-F");
  for (const int point : {O, A, B, C}) drawing.add(Kind::ground, {point});
  for (const int point : {F, E, D, G, H}) drawing.add(Kind::pin, {point});
  drawing.place = [a](const State& state, std::span<double> xy) {
    const Vector& q = state.q;
    const double sin_gamma = std::sin(q[2]), cos_gamma = std::cos(q[2]);
    const double x_F = a.rr.now() * std::cos(q[0]), y_F = a.rr.now() * std::sin(q[0]);
    const std::array<double, 18> at{0.0,
                                    0.0,
                                    a.xa.now(),
                                    a.ya.now(),
                                    a.xb.now(),
                                    a.yb.now(),
                                    a.xc.now(),
                                    a.yc.now(),
                                    x_F,
                                    y_F,
                                    x_F - a.d.now() * std::cos(q[0] + q[1]),
                                    y_F - a.d.now() * std::sin(q[0] + q[1]),
                                    a.xb.now() + a.sd.now() * cos_gamma + a.sc.now() * sin_gamma,
                                    a.yb.now() + a.sd.now() * sin_gamma - a.sc.now() * cos_gamma,
                                    a.xa.now() + a.zt.now() * std::cos(q[4]),
                                    a.ya.now() + a.zt.now() * std::sin(q[4]),
                                    a.xa.now() + a.u.now() * std::sin(q[6]),
                                    a.ya.now() - a.u.now() * std::cos(q[6])};
    std::copy(at.begin(), at.end(), xy.begin());
  };
  return drawing;
}

const Counted counted_of_andrews{{"q."}, {"q.", "v.", "a.", "lambda."}};

Reference published_andrews() {
  return published_reference("Test Set for IVP Solvers 2.4, Table II.13.2", 0.03,
                             {{"q.beta", 0.1581077119629904e2},
                              {"q.theta", -0.1575637105984298e2},
                              {"q.gamma", 0.4082224013073101e-1},
                              {"q.phi", -0.5347301163226948},
                              {"q.delta", 0.5244099658805304},
                              {"q.omega", 0.5347301163226948},
                              {"q.eps", 0.1048080741042263e1}},
                             counted_of_andrews);
}

ModelSource source_of(std::string name, std::string title, double beta0, Run run,
                      std::vector<Reference> (*references)()) {
  Parameters defaults{declare<Andrews>(andrews_constants)};
  defaults.set("beta0", exact_text(beta0));
  ModelSource source{std::move(name), std::move(title), defaults, {std::move(run)}, {}};
  source.build = [=](const Parameters& parameters, Form) {
    const auto problem = read_constants<Andrews>(andrews_constants, parameters, std::make_shared<LiveNumbers>());
    Model model{make_system(problem), start_of_andrews(problem), {}, drawing_of(problem)};
    model.live = std::make_shared<LiveConstants<Andrews>>(andrews_constants, problem, defaults, start_of_andrews);
    if (parameters == defaults) model.references = references();
    return model;
  };
  return source;
}

}  // namespace

ModelSource andrews() {
  return source_of("andrews", "Andrews' squeezing mechanism (Test Set for IVP Solvers, II.13)", printed_angles[0],
                   {"default", "from the dead centre", {}, 0.03, 1e-6}, [] {
                     return std::vector{trusted_reference("andrews.csv", 9.0, counted_of_andrews), published_andrews()};
                   });
}

ModelSource andrews_iftomm() {
  return source_of("andrews-iftomm", "Andrews' squeezing mechanism (IFToMM benchmark A03)", -0.0620,
                   {"default", "from beta = -0.0620 rad", {}, 0.05, 1e-6}, [] {
                     Reference reference = trusted_reference("andrews-iftomm.csv", 9.0, counted_of_andrews);
                     reference.largest_drift = 1e-9;
                     return std::vector{reference};
                   });
}

}  // namespace raak
