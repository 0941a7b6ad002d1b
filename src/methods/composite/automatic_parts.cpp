#include "methods/composite/automatic_parts.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "methods/charts/chart.h"
#include "methods/charts/partitioned_gauss.h"
#include "methods/collocation/gauss.h"

namespace raak {
namespace {

constexpr int most_lasting_freedoms = 4;

// Whether the only row changes its length: elsewhere it may vanish, as that of a crank and a rod of one length does
// where both stand upright.
bool row_changes_length(const ConstrainedSystem& system, const State& start) {
  constexpr double way = 0.3;  // in the scales of the coordinates
  constexpr double noticed = 1e-3;
  constexpr int most_corrections = 10;
  Matrix row(1, system.coordinates());
  system.jacobian(start.t, start.q, row);
  const double length = row.norm();
  if (!(length > 0.0)) return true;
  // Along the row's own coordinates: one moves, the one with the largest entry follows.
  Eigen::Index follows = 0;
  Eigen::Index moves = 0;
  row.cwiseAbs().row(0).maxCoeff(&follows);
  Vector others = row.cwiseAbs().transpose();
  others[follows] = -1.0;
  others.maxCoeff(&moves);
  Vector along = Vector::Zero(system.coordinates());
  along[moves] = 1.0;
  along[follows] = -row(0, moves) / row(0, follows);
  Vector q = start.q + way / along.cwiseQuotient(system.coordinate_scales()).norm() * along;
  const double closed = std::max(1e-9 * system.row_scales()[0], rounding_of_rows(system, q));
  double residual = HUGE_VAL;
  for (int i = 0; i < most_corrections && residual > closed; ++i) residual = system.correct_position(start.t, q.data());
  if (!(residual <= closed)) return true;
  system.jacobian(start.t, q, row);
  return !(std::abs(row.norm() - length) <= noticed * length);
}

}  // namespace

AutomaticParts::AutomaticParts(const ConstrainedSystem& system, Form form, const Tolerances& tolerances,
                               Integrator& whole)
    : system_(system), form_(form), tolerances_(tolerances), whole_(whole) {}

bool AutomaticParts::may_use_tangent() const {
  return form_ != Form::index2 && system_.velocity_rows() == 0 && system_.position_rows() > 0 &&
         CoordinateChoice::is_affordable(system_);
}

bool AutomaticParts::independent_coordinates_last(const State& start) const {
  if (!may_use_tangent()) return false;
  const int rows = system_.position_rows();
  const int freedoms = system_.coordinates() - rows;
  return freedoms <= most_lasting_freedoms && freedoms <= 2 * rows && (rows > 1 || row_changes_length(system_, start));
}

std::unique_ptr<Integrator> AutomaticParts::with_help(Part part, std::unique_ptr<Integrator> method) {
  if (!SingularityCrossing::serves(system_, form_)) return method;
  auto helped = std::make_unique<SingularityCrossing>(system_, names[part], form_, tolerances_, std::move(method));
  helped_[part] = helped.get();
  return helped;
}

Integrator& AutomaticParts::make(Part part) {
  std::unique_ptr<Integrator>& made = methods_[part];
  if (made) return *made;
  if (part == radau) {
    auto method = std::make_unique<Radau>(system_, form_, tolerances_);
    radau_ = method.get();
    made = with_help(part, std::move(method));
  } else if (part == gauss) {
    auto method = make_gauss(system_, form_, tolerances_);
    gauss_ = method.get();
    made = with_help(part, std::move(method));
  } else {
    auto method = make_tangent(system_, form_, tolerances_);
    tangent_ = method.get();
    made = std::move(method);
  }
  made->count_as_part_of(whole_);
  if (fixed_steps_) made->use_fixed_steps();
  return *made;
}

bool AutomaticParts::may_begin_again() const {
  return std::all_of(methods_.begin(), methods_.end(),
                     [](const auto& method) { return method == nullptr || method->may_begin_again(); });
}

void AutomaticParts::use_fixed_steps() {
  fixed_steps_ = true;
  for (const auto& method : methods_)
    if (method) method->use_fixed_steps();
}

void AutomaticParts::visit_state(Archive& archive) {
  bool made[] = {has(tangent), has(gauss), has(radau)};
  archive(made);
  for (const Part part : {tangent, gauss, radau}) {
    if (!made[part]) continue;
    make(part).visit_state(archive);
  }
  scratch(system_, form_, tolerances_, whole_, fixed_steps_, methods_, helped_, tangent_, gauss_, radau_);
}

}  // namespace raak
