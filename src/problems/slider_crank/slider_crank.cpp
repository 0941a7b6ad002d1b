// The slider crank as a model: parameters, starts, runs and references of Test Set for IVP Solvers, release 2.4 (2008),
// section II.19. Its equations are in slider_crank_equations.h.
#include "problems/slider_crank/slider_crank.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "base/error.h"
#include "base/linear/factors.h"
#include "kinematics/slow/slow_manifold.h"
#include "problems/constants.h"
#include "problems/references.h"
#include "problems/slider_crank/slider_crank_equations.h"
#include "problems/slider_crank/slider_crank_motion.h"
#include "problems/slider_crank/slider_crank_start.h"

namespace raak {
namespace {

constexpr std::array slider_crank_constants{std::to_array<Constant<SliderCrank>>({
    {"l1", &SliderCrank::l1, "m", "length of the crank", Range::positive},
    {"l2", &SliderCrank::l2, "m", "length of the connecting rod", Range::positive},
    {"m1", &SliderCrank::m1, "kg", "mass of the crank", Range::positive},
    {"m2", &SliderCrank::m2, "kg", "mass of the connecting rod", Range::positive},
    {"m3", &SliderCrank::m3, "kg", "mass of the sliding block", Range::not_negative},
    {"J1", &SliderCrank::J1, "kg m^2", "moment of inertia of the crank", Range::positive},
    {"J2", &SliderCrank::J2, "kg m^2", "moment of inertia of the connecting rod", Range::positive},
    {"h", &SliderCrank::h, "m", "height of the connecting rod", Range::positive},
    {"d", &SliderCrank::d, "m", "width of the connecting rod", Range::positive},
    {"rho", &SliderCrank::rho, "kg/m^3", "density of the connecting rod", Range::positive},
    {"E", &SliderCrank::E, "N/m^2", "Young's modulus of the connecting rod", Range::positive},
    {"gamma", &SliderCrank::gamma, "m/s^2", "acceleration of gravity"},
    {"Omega", &SliderCrank::Omega, "rad/s", "angular velocity of the crank"},
})};

SliderCrank problem_of(const Parameters& parameters) {
  auto problem = read_constants<SliderCrank>(slider_crank_constants, parameters);
  problem.nonlinear = parameters.choice("beam") == "nonlinear";
  problem.damped = parameters.choice("damping") == "on";
  if (parameters.choice("pi") == "crank.f") problem.pi = 3.1415927;
  problem.discretize_rod();
  return problem;
}

// The printed numbers belong to the constants of the document, at which the first term of the expansion agrees with
// them to the digits printed; neither the nonlinear beam nor the damping changes that term.
bool are_of_the_document(const Parameters& defaults, const Parameters& parameters) {
  return std::all_of(defaults.all().begin(), defaults.all().end(), [&](const Parameter& p) {
    const bool counts = p.is_number() || p.name == "motion" || p.name == "order";
    return !counts || parameters.choice(p.name) == p.value;
  });
}

StartRequest start_of(const ConstrainedSystem& system, const SliderCrank& problem, const Parameters& defaults,
                      const Parameters& parameters, Form form) {
  const std::string& start = parameters.choice("start");
  const double phi1 = CrankMotion(parameters).at(0.0);
  if (start == "oscillatory") return rigid_start(problem, phi1);
  if (start == "printed" || are_of_the_document(defaults, parameters))
    return printed_start(problem, form == Form::index2);
  return smooth_rod_start(system, problem, phi1, std::stoi(parameters.choice("order")));
}

// Refuses the start of a motion; a configuration at rest needs none.
template <class Refusal>
class AtRestOnly final : public Assembly {
 public:
  AtRestOnly(std::shared_ptr<const ConstrainedSystem> system, Refusal refusal)
      : system_(std::move(system)), refusal_(std::move(refusal)) {}
  State start(const StartRequest&) const override { throw refusal_; }
  State at_rest(const StartRequest& request) const override {
    State state = State::of_size(system_->coordinates(), system_->rows());
    state.t = request.t;
    state.q = request.q;
    return state;
  }

 private:
  std::shared_ptr<const ConstrainedSystem> system_;
  Refusal refusal_;
};

template <class Refusal>
void refuse_motion(Model& model, StartRequest at_rest, const Refusal& refusal) {
  model.start = std::move(at_rest);
  model.assembly = std::make_shared<const AtRestOnly<Refusal>>(model.system, refusal);
}

// The shape functions of 19.2.1: half sine waves across the rod, parabolas along it. What moves the end of the rod as a
// whole is part of its rigid shape, so that an exaggerated rod still ends on the slider.
Drawing drawing_of(const SliderCrank& s) {
  using Kind = DrawingElement::Kind;
  constexpr int stations = 25;
  Drawing drawing;
  const int O = drawing.add_points({"O", "A", "B", "", "", ""});
  const int A = O + 1, B = O + 2, ahead = O + 3, rail = O + 4;
  const int rigid = static_cast<int>(drawing.points.size());
  drawing.points.resize(drawing.points.size() + 2 * stations);
  std::vector<int> along;
  for (int i = 0; i < 2 * stations; ++i) along.push_back(rigid + i);
  drawing.add(Kind::wall, {rail, rail + 1}, "guide");
  drawing.add(Kind::trace, {A}, "path of A");
  drawing.add(Kind::trace, {rigid + stations + stations / 2}, "path of the middle of the rod");
  drawing.add(Kind::block, {B, ahead}, "slider", 0.07);
  drawing.add(Kind::bar, {O, A}, "crank");
  drawing.add(Kind::beam, along, "connecting rod");
  drawing.add(Kind::ground, {O}, "crank bearing");
  drawing.add(Kind::pin, {A});
  drawing.add(Kind::pin, {B});
  drawing.place = [s, O, ahead, rail, rigid](const State& state, std::span<double> xy) {
    const auto put = [&](int point, double x, double y) {
      xy[2 * static_cast<std::size_t>(point)] = x;
      xy[2 * static_cast<std::size_t>(point) + 1] = y;
    };
    const Vector& q = state.q;
    const double x_A = s.l1.now() * std::cos(q[0]), y_A = s.l1.now() * std::sin(q[0]);
    const double c = std::cos(q[1]), n = std::sin(q[1]), floor = -0.02;
    put(O, 0.0, 0.0);
    put(O + 1, x_A, y_A);
    put(O + 2, q[2], 0.0);
    put(ahead, q[2] + 1.0, 0.0);
    put(rail, s.l2.now() - s.l1.now() - 0.06, floor);
    put(rail + 1, s.l1.now() + s.l2.now() + 0.06, floor);
    for (int i = 0; i < stations; ++i) {
      const double x = static_cast<double>(i) / (stations - 1);
      const double as_rigid = x * (s.l2.now() + q[6]);
      const double u = x * s.l2.now() + q[5] * 4.0 * x * (1.0 - x) + q[6] * x * (2.0 * x - 1.0);
      const double w = q[3] * std::sin(s.pi * x) + q[4] * std::sin(2.0 * s.pi * x);
      put(rigid + i, x_A + as_rigid * c, y_A + as_rigid * n);
      put(rigid + stations + i, x_A + u * c - w * n, y_A + u * n + w * c);
    }
  };
  return drawing;
}

const Counted counted_of_slider_crank{{"q.", "lambda."}, {"q.", "v.", "a.", "lambda."}};

Reference published_slider_crank() {
  return published_reference(
      "Test Set for IVP Solvers 2.4, Table II.19.2 (index 2 with the rounded x3 and PI = 3.1415927)", 0.1,
      {{"q.phi1", 1.500000000000104e1},    {"q.phi2", -3.311734988256260e-1},  {"q.x3", 1.697373328427860e-1},
       {"q.q1", 1.893192899613509e-4},     {"q.q2", 2.375751249879174e-5},     {"q.q3", -5.323896770569702e-6},
       {"q.q4", -8.363313279112129e-6},    {"v.phi1", 1.500000000000000e2},    {"v.phi2", 6.025346755138369e1},
       {"v.x3", -8.753116326670527},       {"v.q1", -3.005541400289738e-2},    {"v.q2", -5.500431812571696e-3},
       {"v.q3", 4.974111734266989e-4},     {"v.q4", 1.105560003626645e-3},     {"a.phi1", 0.0},
       {"a.phi2", 6.488737541276957e3},    {"a.x3", 2.167938629509884e3},      {"a.q1", 3.391137060286523e1},
       {"a.q2", 1.715134772216488e-1},     {"a.q3", -1.422449408912512},       {"a.q4", 1.003946428124810},
       {"lambda.1", -6.232935833287916e1}, {"lambda.2", -1.637920993367306e2}, {"lambda.3", 2.529857947066878e1}},
      counted_of_slider_crank);
}

// The same solution with the offset of x3 that the index-2 form keeps.
Reference with_offset(Reference reference) {
  reference.form = Form::index2;
  for (auto& [t, values] : reference.values) values.at("q.x3") = values.at("index2.x3");
  return reference;
}

using Settings = std::vector<std::pair<std::string, std::string>>;

struct Variant {
  Settings settings;
  const char* file;
  double required_scd;
  bool published;
};
const std::vector<Variant>& variants() {
  static const std::vector<Variant> list{
      {{}, "slider-crank-linear-undamped-smooth.csv", 8.0, true},
      {{{"pi", "crank.f"}}, "slider-crank-linear-undamped-smooth-PI3.1415927.csv", 8.0, true},
      {{{"beam", "nonlinear"}}, "slider-crank-nonlinear-undamped-smooth.csv", 8.0, false},
      {{{"start", "oscillatory"}}, "slider-crank-linear-undamped-osc.csv", 7.5, false},
      {{{"start", "oscillatory"}, {"damping", "on"}}, "slider-crank-linear-damped-osc.csv", 7.5, false},
  };
  return list;
}

std::vector<Reference> references_of(const Parameters& defaults, Parameters parameters) {
  std::vector<Reference> references;
  if (parameters.choice("start") == "printed") parameters.set("start", "smooth");  // the same at these parameters
  for (const Variant& variant : variants()) {
    if (parameters != with_settings(defaults, variant.settings)) continue;
    references.push_back(trusted_reference(variant.file, variant.required_scd, counted_of_slider_crank));
    if (parameters.choice("start") == "smooth") references.push_back(with_offset(references.front()));
    if (variant.published) references.push_back(published_slider_crank());
  }
  return references;
}

// Deformations move the material of the rod: with less mass or moment of inertia than that there is no such rod.
std::optional<Error> impossible_rod(const SliderCrank& problem, const ConstrainedSystem& system) {
  Matrix M(SliderCrank::coordinates, SliderCrank::coordinates);
  Vector q = Vector::Zero(SliderCrank::coordinates);
  for (const double phi1 : {0.0, 0.5 * problem.pi}) {  // along the rod and across it
    q[0] = phi1;
    system.mass(0.0, q, M);
    M(2, 2) = 1.0;  // of the block
    if (Eigen::LLT<Matrix>(M).info() == Eigen::Success) continue;
    const double material = (problem.rho * problem.d * problem.h * problem.l2).now();
    return Error(
        ErrorKind::request,
        fmt::format("no rod has these parameters: its material weighs rho d h l2 = {:.6g} kg, but m2 = {:.6g} kg and "
                    "J2 = {:.6g} kg m^2. Set these too: --set m2={:.6g} --set J2={:.6g}",
                    material, problem.m2.now(), problem.J2.now(), material,
                    material * (problem.l2 * problem.l2).now() / 3.0));
  }
  return std::nullopt;
}

}  // namespace

ModelSource slider_crank() {
  std::vector<Parameter> declared = declare<SliderCrank>(slider_crank_constants);
  declared.push_back(Parameters::choice("beam", {"linear", "nonlinear"}, "strain of the connecting rod"));
  declared.push_back(Parameters::choice("damping", {"off", "on"}, "0.5 percent of damping in the connecting rod"));
  declared.push_back(Parameters::choice("start", {"smooth", "oscillatory", "printed"},
                                        "the rod starts on its slow manifold, rigid, or with the printed numbers"));
  declared.push_back(Parameters::choice("order", {"0", "1", "2", "3"},
                                        "terms of the smooth start after the first, which is that of the document"));
  declared.push_back(Parameters::choice("pi", {"exact", "crank.f"}, "crank.f: 3.1415927, as in the original program"));
  std::vector<std::string> names{"t", "pi"};
  for (const auto& constant : slider_crank_constants) names.emplace_back(constant.name);
  declared.push_back(Parameters::formula("motion", "Omega*t", names, "rad", "angle of the crank over time"));
  const Parameters defaults{std::move(declared)};

  ModelSource source;
  source.name = "slider-crank";
  source.title = "Slider crank with an elastic connecting rod (Test Set for IVP Solvers, II.19)";
  source.parameters = defaults;
  source.runs = {{"default", "linear beam, no damping, smooth start", {}, 0.1, 1e-6},
                 {"nonlinear", "nonlinear beam", {{"beam", "nonlinear"}}, 0.1, 1e-6},
                 {"oscillatory", "rod starts undeformed", {{"start", "oscillatory"}}, 0.1, 1e-6},
                 {"damped", "rod starts undeformed, damped", {{"start", "oscillatory"}, {"damping", "on"}}, 0.1, 1e-6},
                 {"crank.f", "with the pi of the original program", {{"pi", "crank.f"}}, 0.1, 1e-6},
                 {"index2", "constraints at velocity level, rounded x3 kept", {}, 0.1, 1e-6, Form::index2},
                 {"buckling",
                  "nonlinear beam, crank fast enough for the rod to buckle",
                  {{"beam", "nonlinear"}, {"Omega", "160"}, {"start", "printed"}},
                  0.1,
                  1e-6}};
  source.build = [=](const Parameters& parameters, Form form) {
    const SliderCrank problem = problem_of(parameters);
    const bool steady = parameters.choice("motion") == defaults.choice("motion");
    const auto system = steady ? make_system(problem) : make_driven_system(problem, CrankMotion(parameters));
    Model model{system, {}, references_of(defaults, parameters), drawing_of(problem)};
    const StartRequest at_rest = rigid_start(problem, CrankMotion(parameters).at(0.0));
    if (const auto impossible = impossible_rod(problem, *system)) {
      refuse_motion(model, at_rest, *impossible);
      return model;
    }
    if (problem.m3.now() == 0.0) {
      refuse_motion(model, at_rest,
                    Error(ErrorKind::request,
                          "parameter \"m3\" (mass of the sliding block) expects a finite number above 0 for a motion, "
                          "found \"0\", which only raak modes takes"));
      return model;
    }
    model.modes_note =
        "the sliding block moves with the end of the rod, so that its mass m3 lowers the longitudinal frequencies; "
        "--set m3=0 gives those of the matrices of the rod alone, as in the document";
    try {
      model.start = start_of(*system, problem, defaults, parameters, form);
    } catch (const NoSlowManifold& error) {
      refuse_motion(model, at_rest, error);
    }
    return model;
  };
  return source;
}

}  // namespace raak
