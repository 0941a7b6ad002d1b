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
#include "kinematics/start/start_positions.h"
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
std::unordered_set<std::string> open_names(const HoldingEvaluation& holding, const Vector& gaps, double closed) {
  std::unordered_set<std::string> names;
  const Vector scales = holding.scales();
  for (Eigen::Index i = 0; i < gaps.size(); ++i) {
    if (std::abs(gaps[i]) <= closed * scales[i]) continue;
    const MechanismRow& row = holding.rows()[static_cast<std::size_t>(i)];
    names.insert(row.kind == Row::Kind::given ? row.owner.substr(0, row.owner.find('.')) : row.owner);
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
bool close_parts(const Instance& instance, const HoldingEvaluation& holding, const StartRequest& start, Vector gaps,
                 Vector& q) {
  const auto open = open_names(holding, gaps, closed_gap * size_of_positions(instance, q));
  for (const Part& part : independent_parts(instance))
    if (is_open(part, instance, open) && !assemble_part(part, instance, start, q)) return false;
  return close_positions(holding, start.t, q, gaps);
}

using Cause = StartFailure::Cause;

[[noreturn]] void refuse_positions(const MaximalFormulas& formulas, const LargeEvaluation& evaluation,
                                   const StartRequest& start, const Vector& guess, const Vector& open) {
  Vector q = guess;
  Vector gaps = open;
  if (!start.trusted_positions.empty() && close_positions({formulas, evaluation, {}, {}}, start.t, q, gaps))
    throw StartFailure(Cause::contradicting_trust,
                       fmt::format("the trusted coordinates ({}) contradict the constraints: the closest position "
                                   "still leaves a gap of {:.3g}",
                                   some(start.trusted_positions), open.cwiseAbs().maxCoeff()),
                       "trust fewer of them, or other values");
  std::vector<OpenJoint> joints = open_joints(formulas, gaps, Row::Level::position);
  const std::string text = text_of(joints, "stays open");
  throw StartFailure(Cause::open_joints,
                     "the mechanism cannot be assembled: at the closest configuration found " + text,
                     "change the dimensions, or start from another guess", std::move(joints));
}

[[noreturn]] void refuse_rates(const MaximalFormulas& formulas, const StartRequest& start, const Vector& rates) {
  if (!start.trusted_velocities.empty())
    throw StartFailure(Cause::contradicting_trust,
                       fmt::format("the trusted velocities ({}) contradict the constraints by {:.3g}",
                                   some(start.trusted_velocities), rates.cwiseAbs().maxCoeff()),
                       "trust fewer of them");
  std::vector<OpenJoint> joints = open_joints(formulas, rates, Row::Level::velocity);
  const std::string text = text_of(joints, "is missed");
  throw StartFailure(Cause::contradicting_rates, "the rates contradict each other: at best " + text,
                     "change a driver or a rate, or start from another configuration", std::move(joints));
}

// Velocities that satisfy every row and hold these rates; `rates` is what is left of the rows. False where they do not.
bool find_rates(const MaximalFormulas& formulas, const LargeEvaluation& evaluation, const ReportedNames& names,
                const StartRequest& start, const std::vector<std::string>& held, State& state, Vector& rates) {
  const HoldingEvaluation holding(formulas, evaluation, {}, given_values(names.velocities, start.v, held));
  rates = Vector::Zero(static_cast<Eigen::Index>(holding.rows().size()));
  if (rates.size() == 0) return true;
  const Vector scales = holding.scales();
  Vector body_scales = Vector::Ones(state.v.size());
  const std::vector<std::string> units = describe(formulas).units;
  for (std::size_t i = 0; i < units.size(); ++i)
    if (units[i] == "m") body_scales[static_cast<Eigen::Index>(i)] = formulas.instance().length();
  // Where rows are nearly dependent a correction has few digits: each goes on with what the one before it left.
  constexpr int most_passes = 40;
  constexpr double ceases = 0.7;
  double off = std::numeric_limits<double>::infinity();
  for (int pass = 0; pass < most_passes; ++pass) {
    std::vector<int> left_out;
    holding->correct_dependent(Solve::velocities, start.t, state.q.data(), state.v.data(), left_out);
    holding->residual(true, start.t, state.q.data(), state.v.data(), rates.data());
    const double before = std::exchange(off, rates.cwiseQuotient(scales).cwiseAbs().maxCoeff());
    if (pass > 0 && !(off < ceases * before)) break;
  }
  const double fastest = state.v.cwiseQuotient(body_scales).cwiseAbs().maxCoeff();
  return off <= closed_gap * std::max(1.0, fastest);
}

}  // namespace

State find_large_motion(const MaximalFormulas& formulas, const LargeEvaluation& evaluation, const ReportedNames& names,
                        const StartRequest& start) {
  State state = inner_state(formulas.instance(), start.t, start.q, start.v);
  if (!state.q.allFinite() || !state.v.allFinite())
    throw Error(ErrorKind::request, "the start has values that are not finite numbers");
  if (start.correct_positions) {
    const HoldingEvaluation holding(formulas, evaluation,
                                    given_values(names.positions, start.q, start.trusted_positions), {});
    const Vector guess = state.q;
    Vector gaps;
    const auto solution = [&](bool closed) { return PositionSolution{state.q, closed, 0, {}, gaps.cwiseAbs()}; };
    const PositionSolution found = first_to_close({
        {"from the guess", true, [&] { return solution(close_positions(holding, start.t, state.q, gaps)); }},
        {"part by part", true,
         [&] { return solution(close_parts(formulas.instance(), holding, start, gaps, state.q)); }},
    });
    if (!found.converged) refuse_positions(formulas, evaluation, start, guess, gaps);
  }
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
