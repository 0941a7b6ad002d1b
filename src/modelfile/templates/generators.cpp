#include "modelfile/templates/generators.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>

namespace raak {
namespace {

// sn, cn, dn of u with parameter m by descending means (Abramowitz and Stegun 16.4).
std::array<double, 3> jacobi(double u, double m) {
  constexpr std::size_t steps = 8;  // the means agree to all digits long before
  std::array<double, steps + 1> a{}, c{};
  a[0] = 1.0;
  double b = std::sqrt(1.0 - m);
  for (std::size_t i = 0; i < steps; ++i) {
    c[i + 1] = 0.5 * (a[i] - b);
    a[i + 1] = 0.5 * (a[i] + b);
    b = std::sqrt(a[i] * b);
  }
  double phi = std::ldexp(a[steps] * u, steps);
  for (std::size_t i = steps; i > 0; --i) phi = 0.5 * (phi + std::asin(c[i] / a[i] * std::sin(phi)));
  const double sn = std::sin(phi);
  return {sn, std::cos(phi), std::sqrt(1.0 - m * sn * sn)};
}

struct CrankMotion {
  double x = 0.0, y = 0.0;  // of the end of a crank, m
  double omega = 0.0;       // rad/s, clockwise
};

// All cranks stay parallel: (N + 1) of them turn, N couplers are carried along. From the upright configuration with 1
// m/s.
CrankMotion closed_form(double linkages, double t) {
  const double inertia = (linkages + 1.0) / 3.0 + linkages;
  const double a = 9.81 * ((linkages + 1.0) / 2.0 + linkages) / inertia;
  const double fastest = std::sqrt(1.0 + 4.0 * a), m = 4.0 * a / (fastest * fastest);
  const double quarter = std::comp_ellint_1(std::sqrt(m));
  const auto [sn, cn, dn] = jacobi(0.5 * fastest * t - quarter, m);
  return {-2.0 * sn * cn, 2.0 * sn * sn - 1.0, fastest * dn};
}

std::string rod_body(const std::string& name) {
  return fmt::format(
      "[bodies.{}]\nmass = 1.0\ninertia = \"1/12\"\ncom = [0.5, 0.0]\npoints = {{ A = [0.0, 0.0], B = [1.0, 0.0] "
      "}}\n\n",
      name);
}

std::string one_second() {
  return "[runs.default]\nuntil = 1.0                  # s\nrtol = 1e-8\n\n";
}

// The energy that moves about grows with the square of the length.
std::string energy_reference(long rods) {
  const double decimals = std::max(1.0, 8.0 - std::ceil(2.0 * std::log10(static_cast<double>(rods))));
  return fmt::format(
      "# Work and energy must agree: decimals in J.\n[references.energy]\nat = 1.0\nscd = {:.1f}\n"
      "values = {{ \"energy.balance\" = 0.0 }}\n",
      decimals);
}

}  // namespace

std::string n_four_bar_file(long linkages) {
  constexpr double easy = 0.6, until = 10.0;  // s
  // More of them are solved body by body, which does not pass singular configurations.
  constexpr long most_through_singularities = 99;
  const bool passes = linkages <= most_through_singularities;
  std::string text = fmt::format(
      "# {0} four-bar linkages in a row: {1} bars of 1 kg and 1 m (IFToMM multibody benchmark A02). The cranks start "
      "upright\n"
      "# and turn with 1 m/s at their ends. Whenever all bars lie on one line the constraints lose {0} ranks, and the "
      "motion\n"
      "# could go on another branch; this one keeps the cranks parallel.\n"
      "format = \"raak/1\"\ntitle = \"{0} four-bar linkages (IFToMM benchmark A02)\"\nspace = \"planar\"\n"
      "gravity = [0.0, -9.81]       # m/s^2\n\n[ground.points]\n",
      linkages, 2 * linkages + 1);
  for (long i = 0; i <= linkages; ++i) text += fmt::format("A{0} = [{0}.0, 0.0]\n", i);
  text += "\n# Frames at the lower end of a crank and at the left end of a coupler, x along the bar.\n";
  for (long i = 0; i <= linkages; ++i) text += rod_body(fmt::format("crank{}", i));
  for (long i = 1; i <= linkages; ++i) text += rod_body(fmt::format("coupler{}", i));
  text += "[joints]\n";
  for (long i = 0; i <= linkages; ++i)
    text += fmt::format("A{0} = {{ type = \"revolute\", pins = [\"ground.A{0}\", \"crank{0}.A\"] }}\n", i);
  for (long i = 0; i <= linkages; ++i) {
    text += fmt::format("B{0} = {{ type = \"revolute\", pins = [\"crank{0}.B\"", i);
    if (i > 0) text += fmt::format(", \"coupler{}.B\"", i);
    if (i < linkages) text += fmt::format(", \"coupler{}.A\"", i + 1);
    text += "] }\n";
  }
  text += "\n[start]\ntrust = { \"crank0.angle\" = \"pi/2\", \"crank0.omega\" = -1.0 }\n\n[start.guess]\n";
  for (long i = 1; i <= linkages; ++i)
    text += fmt::format("\"crank{0}.angle\" = \"pi/2\"\n\"coupler{0}.angle\" = 0.0\n", i);
  text += fmt::format(
      "\n[outputs]\n\"B0.x\" = \"crank0.B.x\"\n\"B0.y\" = \"crank0.B.y\"\n\n"
      "[runs.{0}]\ntitle = \"through ten of these singular configurations\"\nuntil = {2:.1f}                 # s\nrtol "
      "= "
      "1e-8\n\n"
      "[runs.{1}]\ntitle = \"until shortly before all bars lie on one line\"\nuntil = {3:.1f}\nrtol = 1e-8\n\n"
      "# The cranks move as one pendulum that turns over: Jacobi's elliptic functions.\n",
      passes ? "default" : "benchmark", passes ? "short" : "default", until, easy);
  for (const auto& [run, kind, t] :
       {std::tuple{passes ? "default" : "benchmark", passes ? "trusted" : "published", until},
        {passes ? "short" : "default", "trusted", easy}}) {
    const CrankMotion end = closed_form(static_cast<double>(linkages), t);
    text += fmt::format(
        "[references.{0}]\nsource = \"closed form\"\nrun = \"{0}\"\nkind = \"{1}\"\nat = {2:.1f}\nscd = 7.0\n"
        "values = {{ \"B0.x\" = {3:.15g}, \"B0.y\" = {4:.15g}, \"crank0.omega\" = {5:.15g} }}\n\n",
        run, kind, t, end.x, end.y, -end.omega);
  }
  text.pop_back();
  return text;
}

std::string chain_file(long rods) {
  std::string text = fmt::format(
      "# A chain of {0} uniform rods of 1 kg and 1 m, released from the horizontal.\n"
      "format = \"raak/1\"\ntitle = \"Chain of {0} rods\"\nspace = \"planar\"\ngravity = [0.0, -9.81]       # m/s^2\n\n"
      "[ground.points]\nO = [0.0, 0.0]\n\n# Frames at the end that is nearer to the ground, x along the rod.\n",
      rods);
  for (long i = 1; i <= rods; ++i) text += rod_body(fmt::format("rod{}", i));
  text += "[joints]\nhinge1 = { type = \"revolute\", pins = [\"ground.O\", \"rod1.A\"] }\n";
  for (long i = 2; i <= rods; ++i)
    text += fmt::format("hinge{0} = {{ type = \"revolute\", pins = [\"rod{1}.B\", \"rod{0}.A\"] }}\n", i, i - 1);
  text += "\n[start.trust]\n";
  for (long i = 1; i <= rods; ++i) text += fmt::format("\"rod{}.angle\" = 0.0\n", i);
  return text + fmt::format("\n[outputs]\n\"tip.x\" = \"rod{0}.B.x\"\n\"tip.y\" = \"rod{0}.B.y\"\n\n", rods) +
         one_second() + energy_reference(rods);
}

namespace {

// Where the tip of the arm is after a second: articulated bodies in double precision, Gauss collocation of order 8 in
// 400 and in 800 steps, which agree to these digits, by a program of its own; of 7 rods Kane's equations with
// extrapolated midpoint steps too.
std::string tip_reference(long rods) {
  static const std::map<long, std::array<const char*, 3>> tips{
      {2, {"-1.7520759203854", "-0.9146324670511", "0.2157804848735"}},
      {3, {"-1.6752614304805", "-2.4659443710225", "-0.1485238486059"}},
      {4, {"-1.0439546958472", "-3.6199750841560", "-0.6379436415309"}},
      {5, {"0.0581769594493", "-4.6583640725187", "-1.1568444436705"}},
      {6, {"1.9628901341246", "-5.3541971842102", "-1.6287187575188"}},
      {7, {"3.6384666780929", "-5.0438154173724", "-1.6170134028583"}},
      {8, {"4.9503094228632", "-4.9894706568961", "-1.5529601962202"}},
      {9, {"6.1431281504073", "-4.7894539811031", "-1.4885879861625"}},
      {10, {"7.3377123946408", "-4.8139216269267", "-1.4623094880836"}},
      {11, {"8.4739556556621", "-4.9300675943307", "-1.4876449842885"}},
      {12, {"9.5891839068410", "-4.9172258005485", "-1.5052252951164"}},
      {20, {"18.1041346184252", "-4.9055760819783", "-1.5001734674383"}},
      {40, {"38.5682966465195", "-4.9050000405276", "-1.5000000164730"}},
      {100, {"98.9787183237927", "-4.9049999999999", "-1.5000000000000"}}};
  const auto tip = tips.find(rods);
  if (tip == tips.end()) return "";
  const auto& [x, y, z] = tip->second;
  return fmt::format(
      "\n[references.independent]\nsource = \"articulated bodies with Gauss collocation of order 8 in 400 steps, by "
      "another program\"\nat = 1.0\nscd = 8.0                    # correct digits\n"
      "values = {{ \"tip.x\" = {}, \"tip.y\" = {}, \"tip.z\" = {} }}\n",
      x, y, z);
}

}  // namespace

std::string arm_file(long rods) {
  std::string text = fmt::format(
      "# An arm of {0} rods of 1 kg and 1 m in space, released from the horizontal. The axes of its hinges alternate: "
      "z and "
      "y of\n"
      "# the rod. Its coordinates are the angles of the hinges.\n"
      "format = \"raak/1\"\ntitle = \"Arm of {0} rods\"\nspace = \"spatial\"\n"
      "gravity = [0.0, -9.81, -3.0] # m/s^2, y is up\n\n[ground.points]\nO = [0.0, 0.0, 0.0]\n\n"
      "# Frames at the end that is nearer to the ground, x along the rod.\n",
      rods);
  for (long i = 1; i <= rods; ++i)
    text += fmt::format(
        "[bodies.rod{}]\nmass = 1.0\ninertia = [0.001, \"1/12\", \"1/12\"]\ncom = [0.5, 0.0, 0.0]\n"
        "points = {{ A = [0.0, 0.0, 0.0], B = [1.0, 0.0, 0.0] }}\n\n",
        i);
  text += "[joints]\n";
  for (long i = 1; i <= rods; ++i) {
    const std::string before = i == 1 ? "ground" : fmt::format("rod{}", i - 1);
    text += fmt::format(
        "hinge{0} = {{ type = \"revolute\", pins = [\"{1}.{2}\", \"rod{0}.A\"], axes = [\"{1}.{3}\", \"rod{0}.{3}\"] "
        "}}\n",
        i, before, i == 1 ? "O" : "B", i % 2 == 1 ? "z" : "y");
  }
  // Bodies that are not listed lie in line with the first.
  text += "\n[start.guess]\n\"rod1.rotation\" = [0.0, 0.0, 0.0]\n\n[outputs]\n";
  for (const char* axis : {"x", "y", "z"}) text += fmt::format("\"tip.{1}\" = \"rod{0}.B.{1}\"\n", rods, axis);
  return text + "\n" + one_second() + energy_reference(rods) + tip_reference(rods);
}

}  // namespace raak
