#include "study/modes/modes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/error.h"
#include "base/text/text.h"
#include "run/integrate.h"
#include "study/modes/mode_solvers.h"
#include "study/modes/static_equilibrium.h"

namespace raak {
namespace {

using Complex = std::complex<double>;
constexpr Eigen::Index most_dense_freedoms = 1000;

[[noreturn]] void refuse_singular(double t, const std::vector<std::string>& joints, const std::string& where) {
  throw Error(
      ErrorKind::computation,
      fmt::format("there are no modes about a singular configuration: in {}, with drivers held at t = {:.6g} s, "
                  "the constraint rows of {} are dependent, and more than one motion may go on from there. Try: "
                  "--at T with a time at which the mechanism is elsewhere, or a start beside that configuration "
                  "(--guess, --set)",
                  where, t, joints.empty() ? "some joints" : join(joints)));
}

void require_regular(const RestEquations& equations, const std::string& where) {
  const Dependence dependence = find_dependence(equations);
  if (dependence.singular) refuse_singular(equations.t(), dependence.joints, where);
}

// Rows that repeat others are left out of a system: those that did so at the start only would open unseen.
void require_closed(const Model& model, double t, const Vector& q) {
  constexpr double open = 1e-6;  // of the size of the mechanism
  if (!model.dropped_rows) return;
  State at = State::of_size(model.system->coordinates(), model.system->rows());
  at.t = t;
  at.q = q;
  const RowGap gap = model.dropped_rows->widest_gap(at);
  if (gap.share > open)
    throw Error(ErrorKind::computation,
                fmt::format("the equilibrium that was found opens \"{}\" by {:.2e}: its row repeats others at the "
                            "start, but not there. Start beside that configuration (--guess, --set), or use --at T",
                            gap.row.name(), gap.size));
}

// The search for the equilibrium closes what is open at the start.
Vector start_configuration(const Model& model) {
  return model.assembly ? model.assembly->at_rest(model.start).q : consistent_start(model).q;
}

State state_at(const Model& model, const ModesRequest& request) {
  State start = consistent_start(model);
  if (*request.at == start.t) return start;
  Plan plan;
  plan.until = *request.at;
  plan.tolerances = Tolerances::uniform(1e-10, 1e-10);
  plan.dropped_rows = model.dropped_rows;
  plan.measure_quality = false;
  plan.stop = request.stop;
  const Result result = integrate(*model.system, start, plan);
  if (result.termination == Termination::interrupted)
    throw Error(ErrorKind::interrupted, "stopped on the way to the configuration of --at");
  if (result.termination != Termination::ok)
    throw Error(ErrorKind::computation,
                fmt::format("the motion does not reach --at {:.6g} s: {}", *request.at, result.message));
  return result.end;
}

Vector reported(const ConstrainedSystem& system, double t, const Vector& q, const Vector& rates) {
  State moving = State::of_size(system.coordinates(), system.rows()), shown;
  moving.t = t;
  moving.q = q;
  moving.v = rates;
  system.report_motion(moving, shown);
  return shown.v;
}

Mode::Kind kind_of(const RawMode& raw) {
  constexpr double rounding = 1e-9;
  if (raw.rigid) return Mode::Kind::rigid;
  if (raw.s.real() > rounding * std::abs(raw.s)) return Mode::Kind::unstable;
  return raw.s.imag() == 0.0 ? Mode::Kind::overdamped : Mode::Kind::vibration;
}

Mode shaped(const ConstrainedSystem& system, double t, const Vector& q, const RawMode& raw) {
  constexpr double in_step = 1e-6;
  Mode mode;
  mode.s = raw.s;
  mode.kind = kind_of(raw);
  mode.x = system.coordinate_scales().cast<Complex>().cwiseProduct(raw.x);
  const Vector real = reported(system, t, q, mode.x.real()), imaginary = reported(system, t, q, mode.x.imag());
  Eigen::VectorXcd shape(real.size());
  shape.real() = real;
  shape.imag() = imaginary;
  Eigen::Index largest = 0;
  for (Eigen::Index i = 1; i < shape.size(); ++i)
    if (std::abs(shape[i]) > (1.0 + in_step) * std::abs(shape[largest])) largest = i;
  if (shape.size() == 0 || !(std::abs(shape[largest]) > 0.0)) {
    mode.shape = real;
    return mode;
  }
  const Complex one = 1.0 / shape[largest];
  shape *= one;
  mode.x *= one;
  mode.shape = shape.real();
  if (shape.imag().cwiseAbs().maxCoeff() > in_step) mode.quadrature = shape.imag();
  else mode.x = mode.x.real().cast<Complex>().eval();
  return mode;
}

}  // namespace

double Mode::damping() const {
  return kind == Kind::rigid ? 0.0 : -s.real() / std::abs(s) + 0.0;
}

double Mode::frequency() const {
  return omega() / (2.0 * std::numbers::pi);
}

const char* kind_name(Mode::Kind kind) {
  switch (kind) {
    case Mode::Kind::rigid:
      return "rigid";
    case Mode::Kind::vibration:
      return "vibration";
    case Mode::Kind::overdamped:
      return "overdamped";
    case Mode::Kind::unstable:
      return "unstable";
  }
  return "";
}

Modes modes_about(const ConstrainedSystem& system, double t, const Vector& q, bool equilibrium,
                  const ModesRequest& request) {
  RestEquations equations(system, t);
  const std::string where = equilibrium ? "the equilibrium" : "the configuration";
  const bool determined = equations.evaluate(q);
  require_regular(equations, where);
  if (!determined)
    throw Error(ErrorKind::computation,
                fmt::format("the modes about {} at t = {:.6g} s are not defined: forces are not finite there, or a "
                            "motion that the joints allow has no inertia. Try another configuration with --at T",
                            where, t));
  Modes found;
  found.t = t;
  found.q = q;
  found.equilibrium = equilibrium || is_balanced(equations);
  equations.linearise(found.equilibrium);
  if (const auto kinked = equations.kinked_coordinate())
    throw Error(ErrorKind::computation,
                fmt::format("the modes about {} at t = {:.6g} s are not defined: a force on \"{}\" has no derivative "
                            "there, as dry friction has none at rest and a contact none where it just touches. Write "
                            "it without the corner, such as tanh(v/v0) for sign(v), or try another configuration with "
                            "--at T",
                            where, t, *kinked));
  found.freedoms = equations.freedoms();
  const Eigen::Index n = system.coordinates();
  found.iterative =
      n > request.most_dense && SparseEquations::worthwhile(system) != nullptr && 2 * request.count <= found.freedoms;
  if (!found.iterative && found.freedoms > most_dense_freedoms)
    throw Error(ErrorKind::request, fmt::format("--count {}: of {} freedoms at most {} modes can be found",
                                                request.count, found.freedoms, found.freedoms / 2));
  const std::vector<RawMode> raw =
      found.iterative ? iterative_modes(equations, request.count) : dense_modes(equations, request.count);
  for (const RawMode& mode : raw) found.modes.push_back(shaped(system, t, q, mode));
  return found;
}

Modes find_modes(const Model& model, const ModesRequest& request) {
  const ConstrainedSystem& system = *model.system;
  // Motions that a structure has at first order only.
  if (model.mobility && model.mobility->infinitesimal() > 0)
    refuse_singular(model.start.t, model.mobility->sharing, "the start");
  if (request.at) {
    const State there = state_at(model, request);
    return modes_about(system, there.t, there.q, false, request);
  }
  const double t = model.start.t;
  RestEquations equations(system, t);
  const EquilibriumSearch search = find_equilibrium(equations, start_configuration(model), request.stop);
  if (search.singular) {
    equations.evaluate(search.q);
    require_regular(equations, "the configuration where the search for an equilibrium ended");
  }
  if (!search.found) {
    throw Error(ErrorKind::computation,
                fmt::format("no static equilibrium was found from the start, drivers held at t = {:.6g} s: after {} "
                            "steps it still moves{}. Try: --at {:.6g} for the modes about the start as it is, or hold "
                            "what moves by a spring, a joint or a driver",
                            t, search.steps, search.moving.empty() ? "" : ", in " + search.moving, t));
  }
  require_closed(model, t, search.q);
  Modes found = modes_about(system, t, search.q, true, request);
  found.steps = search.steps;
  return found;
}

}  // namespace raak
