#include "mechanism/large/large_start.h"

#include <fmt/format.h>

#include <cmath>
#include <unordered_map>

#include "base/error.h"
#include "base/text.h"
#include "mechanism/placement.h"
#include "system/open_joints.h"

namespace raak {
namespace {

constexpr double closed = 1e-10;  // of the size of the mechanism, at least of 1 m
constexpr int most_iterations = 100;
constexpr int most_halvings = 30;
constexpr std::size_t most_names = 12;

std::string some(const std::vector<std::string>& names) {
  if (names.empty()) return "none";
  if (names.size() <= most_names) return join(names);
  return join({names.begin(), names.begin() + most_names}) + fmt::format(" and {} more", names.size() - most_names);
}

std::vector<TrustedRow> trusted_rows(const std::vector<std::string>& names, const Vector& values,
                                     const std::vector<std::string>& trusted, bool velocity) {
  if (trusted.empty()) return {};
  std::unordered_map<std::string, int> index;
  for (std::size_t i = 0; i < names.size(); ++i) index.emplace(names[i], static_cast<int>(i));
  std::vector<TrustedRow> rows;
  for (const std::string& name : trusted) rows.push_back({index.at(name), values[index.at(name)], velocity});
  return rows;
}

double gap_at(const LargeEvaluation& evaluation, double t, const Vector& q, Vector& gaps) {
  gaps.setZero(evaluation.elements().position_rows);
  evaluation.residual(false, t, q.data(), nullptr, gaps.data());
  return gaps.norm();
}

// False where the rows stay open; `gaps` is what is left.
bool close_positions(const LargeEvaluation& evaluation, double t, Vector& q, Vector& gaps) {
  double gap = gap_at(evaluation, t, q, gaps);
  const double size = std::max(1.0, q.size() > 0 ? q.cwiseAbs().maxCoeff() : 0.0);
  const double rounding = 1e-15 * size * std::sqrt(static_cast<double>(gaps.size()));
  for (int i = 0; i < most_iterations && gap > rounding; ++i) {
    Vector full = q;
    Vector unused = q;
    std::vector<int> left_out;
    evaluation.correct_dependent(Solve::positions, t, full.data(), unused.data(), left_out);
    if (!full.allFinite()) break;
    bool better = false;
    double length = 1.0;
    for (int k = 0; k < most_halvings && !better; ++k, length *= 0.5) {
      const Vector candidate = q + length * (full - q);
      Vector there;
      const double next = gap_at(evaluation, t, candidate, there);
      better = next < gap;
      if (!better) continue;
      q = candidate;
      gap = next;
      gaps = there;
    }
    if (!better) break;
  }
  return gaps.size() == 0 || gaps.cwiseAbs().maxCoeff() <= closed * size;
}

// The rows of the mechanism among the gaps; those of trusted values follow them.
std::vector<OpenJoint> open_joints(const MaximalFormulas& formulas, const Vector& gaps, const char* per) {
  constexpr double least_share = 1e-4;  // of the widest gap
  std::vector<std::string> names, units;
  const auto count = std::min<std::size_t>(formulas.all_rows().size(), static_cast<std::size_t>(gaps.size()));
  for (std::size_t i = 0; i < count; ++i) {
    names.push_back(formulas.all_rows()[i].name);
    units.push_back(formulas.all_rows()[i].unit);
  }
  Vector rows = gaps.head(static_cast<Eigen::Index>(count));
  RowMeanings meanings;
  if (*per == '\0')
    meanings.gap = [&](int row, double gap) { return formulas.all_rows()[static_cast<std::size_t>(row)].reading(gap); };
  return gather_gaps(names, units, rows, least_share * rows.cwiseAbs().maxCoeff(), per, meanings);
}

[[noreturn]] void refuse_positions(const MaximalFormulas& formulas, const LargeEvaluation& evaluation,
                                   const StartRequest& start, const Vector& guess, const Vector& open) {
  Vector q = guess;
  Vector gaps = open;
  if (!start.trusted_positions.empty() && close_positions(evaluation, start.t, q, gaps))
    throw Error(ErrorKind::computation,
                fmt::format("the trusted coordinates ({}) contradict the constraints: the closest position still "
                            "leaves a gap of {:.3g}. Trust fewer of them, or other values",
                            some(start.trusted_positions), open.cwiseAbs().maxCoeff()));
  std::vector<OpenJoint> joints = open_joints(formulas, gaps, "");
  const std::string told = text_of(joints, "stays open");
  throw AssemblyError(fmt::format("the mechanism cannot be assembled: at the closest pose found {}. Change the "
                                  "dimensions, or start from another guess",
                                  told),
                      std::move(joints));
}

[[noreturn]] void refuse_rates(const MaximalFormulas& formulas, const StartRequest& start, const Vector& rates) {
  if (!start.trusted_velocities.empty())
    throw Error(ErrorKind::computation,
                fmt::format("the trusted velocities ({}) contradict the constraints by {:.3g}; trust fewer of them",
                            some(start.trusted_velocities), rates.cwiseAbs().maxCoeff()));
  std::vector<OpenJoint> joints = open_joints(formulas, rates, "/s");
  const std::string told = text_of(joints, "is missed");
  throw AssemblyError(fmt::format("the rates contradict each other: at best {}. Change a driver or a rate, or "
                                  "start from another pose",
                                  told),
                      std::move(joints));
}

}  // namespace

State find_large_motion(const MaximalFormulas& formulas, const LargeEvaluation& evaluation, const ReportedNames& names,
                        const StartRequest& start) {
  State state = inner_state(formulas.instance(), start.t, start.q, start.v);
  if (!state.q.allFinite() || !state.v.allFinite())
    throw Error(ErrorKind::request, "the start has values that are not finite numbers");
  const auto instance = evaluation.instance();
  const auto trusting = [&](const std::vector<TrustedRow>& rows) {
    if (rows.empty()) return std::shared_ptr<const LargeEvaluation>(std::shared_ptr<void>(), &evaluation);
    return std::make_shared<const LargeEvaluation>(instance, with_trusted(formulas, evaluation.elements(), rows));
  };
  const auto with_positions = trusting(trusted_rows(names.positions, start.q, start.trusted_positions, false));
  const Vector guess = state.q;
  Vector gaps;
  if (start.correct_positions && !close_positions(*with_positions, start.t, state.q, gaps))
    refuse_positions(formulas, evaluation, start, guess, gaps);
  const auto with_velocities = trusting(trusted_rows(names.velocities, start.v, start.trusted_velocities, true));
  const Elements& elements = with_velocities->elements();
  Vector rates = Vector::Zero(elements.position_rows + elements.velocity_rows);
  if (rates.size() == 0) return state;
  for (int pass = 0; pass < 2; ++pass) {  // the second removes the rounding of the first
    std::vector<int> left_out;
    with_velocities->correct_dependent(Solve::velocities, start.t, state.q.data(), state.v.data(), left_out);
  }
  with_velocities->residual(true, start.t, state.q.data(), state.v.data(), rates.data());
  const double off = rates.cwiseAbs().maxCoeff();
  if (!(off <= closed * std::max(1.0, state.v.cwiseAbs().maxCoeff()))) refuse_rates(formulas, start, rates);
  return state;
}

}  // namespace raak
