#include "mechanism/large/start/large_start.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_set>
#include <utility>

#include "base/error.h"
#include "base/text/some_of.h"
#include "kinematics/start/open_joints.h"
#include "mechanism/bodies/placement.h"
#include "mechanism/formulas/mechanism_system.h"
#include "mechanism/large/start/large_positions.h"
#include "mechanism/large/start/starts_of_parts.h"
#include "mechanism/start/start_motion.h"

namespace raak {
namespace {

std::string some(const std::vector<std::string>& names) {
  return names.empty() ? "none" : some_of(names);
}

// The rows of the mechanism among the gaps; those of trusted values follow them.
std::vector<OpenJoint> open_joints(const MaximalFormulas& formulas, const Vector& gaps, Row::Level level) {
  constexpr double least_share = 1e-4;  // of the widest gap
  const std::vector<Row> rows(formulas.all_rows().begin(), formulas.all_rows().end());
  const Vector of_rows = gaps.head(std::min(gaps.size(), static_cast<Eigen::Index>(rows.size())));
  return gather_gaps(rows, of_rows, least_share * of_rows.cwiseAbs().maxCoeff(), Vector::Ones(of_rows.size()), level);
}

// Names of elements, and of bodies with trusted values, that `gaps` leave open.
std::unordered_set<std::string> open_names(const MaximalFormulas& formulas, const StartRequest& start,
                                           const Vector& gaps, const Vector& closed) {
  std::unordered_set<std::string> names;
  const std::vector<MechanismRow>& rows = formulas.all_rows();
  for (Eigen::Index i = 0; i < gaps.size(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const auto mechanism = static_cast<std::size_t>(formulas.position_rows());
    if (std::abs(gaps[i]) <= closed[i]) continue;
    const std::string& given = k < mechanism ? "" : start.trusted_positions[k - mechanism];
    names.insert(k < mechanism ? rows[k].owner : given.substr(0, given.find('.')));
  }
  return names;
}

bool is_open(const Part& part, const Instance& instance, const std::unordered_set<std::string>& open) {
  const auto named = [&](const auto* element) { return open.contains(element->name); };
  return std::any_of(part.joints.begin(), part.joints.end(), named) ||
         std::any_of(part.drivers.begin(), part.drivers.end(), named) ||
         std::any_of(part.equations.begin(), part.equations.end(), named) ||
         std::any_of(part.bodies.begin(), part.bodies.end(),
                     [&](int body) { return open.contains(instance.bodies()[static_cast<std::size_t>(body)].name); });
}

// Parts with open rows are assembled one by one. False where one of them is not.
bool close_parts(const MaximalFormulas& formulas, const LargeEvaluation& with_positions, const Vector& scales,
                 const StartRequest& start, Vector gaps, Vector& q) {
  const Instance& instance = formulas.instance();
  const Vector closed = closed_gap * size_of_positions(instance, q) * scales;
  const std::unordered_set<std::string> open = open_names(formulas, start, gaps, closed);
  Vector pose = q;
  for (const Part& part : independent_parts(instance))
    if (is_open(part, instance, open) && !assemble_part(part, instance, start, pose)) return false;
  if (!close_positions(with_positions, scales, start.t, pose, gaps)) return false;
  q = pose;
  return true;
}

using Cause = StartFailure::Cause;

[[noreturn]] void refuse_positions(const MaximalFormulas& formulas, const LargeEvaluation& evaluation,
                                   const StartRequest& start, const Vector& guess, const Vector& open) {
  Vector q = guess;
  Vector gaps = open;
  if (!start.trusted_positions.empty() && close_positions(evaluation, scales_of_rows(formulas, {}), start.t, q, gaps))
    throw StartFailure(Cause::contradicting_trust,
                       fmt::format("the trusted coordinates ({}) contradict the constraints: the closest position "
                                   "still leaves a gap of {:.3g}",
                                   some(start.trusted_positions), open.cwiseAbs().maxCoeff()),
                       "trust fewer of them, or other values");
  std::vector<OpenJoint> joints = open_joints(formulas, gaps, Row::Level::position);
  const std::string told = text_of(joints, "stays open");
  throw StartFailure(Cause::open_joints, "the mechanism cannot be assembled: at the closest pose found " + told,
                     "change the dimensions, or start from another guess", std::move(joints));
}

[[noreturn]] void refuse_rates(const MaximalFormulas& formulas, const StartRequest& start, const Vector& rates) {
  if (!start.trusted_velocities.empty())
    throw StartFailure(Cause::contradicting_trust,
                       fmt::format("the trusted velocities ({}) contradict the constraints by {:.3g}",
                                   some(start.trusted_velocities), rates.cwiseAbs().maxCoeff()),
                       "trust fewer of them");
  std::vector<OpenJoint> joints = open_joints(formulas, rates, Row::Level::velocity);
  const std::string told = text_of(joints, "is missed");
  throw StartFailure(Cause::contradicting_rates, "the rates contradict each other: at best " + told,
                     "change a driver or a rate, or start from another pose", std::move(joints));
}

// Velocities that satisfy every row and hold these rates; `rates` is what is left of the rows. False where they do not.
bool find_rates(const MaximalFormulas& formulas, const LargeEvaluation& evaluation, const ReportedNames& names,
                const StartRequest& start, const std::vector<std::string>& held, State& state, Vector& rates) {
  const std::vector<TrustedRow> rows = trusted_rows(names.velocities, start.v, held, true);
  const auto with_velocities = with_rows(formulas, evaluation, rows);
  const Elements& elements = with_velocities->elements();
  rates = Vector::Zero(elements.position_rows + elements.velocity_rows);
  if (rates.size() == 0) return true;
  // Rates of lengths and of angles, in lengths of the mechanism.
  const auto rates_of = [&](const std::vector<std::string>& units, Eigen::Index size) {
    Vector result = Vector::Ones(size);
    for (std::size_t i = 0; i < units.size(); ++i)
      if (units[i].starts_with("m")) result[static_cast<Eigen::Index>(i)] = formulas.instance().length();
    return result;
  };
  std::vector<std::string> units;
  for (const MechanismRow& row : formulas.all_rows()) units.push_back(row.unit);
  for (const TrustedRow& row : rows) units.push_back(names.velocity_units[static_cast<std::size_t>(row.index)]);
  const Vector row_rates = rates_of(units, rates.size()),
               body_rates = rates_of(describe(formulas).units, state.v.size());
  // Where rows are nearly dependent a correction has few digits: each goes on with what the one before it left.
  constexpr int most_passes = 40;
  constexpr double ceases = 0.7;
  double off = std::numeric_limits<double>::infinity();
  for (int pass = 0; pass < most_passes; ++pass) {
    std::vector<int> left_out;
    with_velocities->correct_dependent(Solve::velocities, start.t, state.q.data(), state.v.data(), left_out);
    with_velocities->residual(true, start.t, state.q.data(), state.v.data(), rates.data());
    const double before = std::exchange(off, rates.cwiseQuotient(row_rates).cwiseAbs().maxCoeff());
    if (pass > 0 && !(off < ceases * before)) break;
  }
  const double fastest = state.v.cwiseQuotient(body_rates).cwiseAbs().maxCoeff();
  return off <= closed_gap * std::max(1.0, fastest);
}

}  // namespace

State find_large_motion(const MaximalFormulas& formulas, const LargeEvaluation& evaluation, const ReportedNames& names,
                        const StartRequest& start) {
  State state = inner_state(formulas.instance(), start.t, start.q, start.v);
  if (!state.q.allFinite() || !state.v.allFinite())
    throw Error(ErrorKind::request, "the start has values that are not finite numbers");
  const auto trusted = trusted_rows(names.positions, start.q, start.trusted_positions, false);
  const auto with_positions = with_rows(formulas, evaluation, trusted);
  const Vector scales = scales_of_rows(formulas, trusted);
  const Vector guess = state.q;
  Vector gaps;
  if (start.correct_positions && !close_positions(*with_positions, scales, start.t, state.q, gaps) &&
      !close_parts(formulas, *with_positions, scales, start, gaps, state.q))
    refuse_positions(formulas, evaluation, start, guess, gaps);
  // Rates that are guessed hold too where they can.
  Vector rates;
  const std::vector<std::string> given = rates_given(names, start);
  const Vector guessed = state.v;
  if (given.size() > start.trusted_velocities.size()) {
    if (find_rates(formulas, evaluation, names, start, given, state, rates)) return state;
    state.v = guessed;
  }
  if (!find_rates(formulas, evaluation, names, start, start.trusted_velocities, state, rates))
    refuse_rates(formulas, start, rates);
  return state;
}

}  // namespace raak
