#include "mechanism/large/start/starts_of_parts.h"

#include "mechanism/bodies/placement.h"
#include "mechanism/large/start/large_positions.h"
#include "mechanism/start/arc_guesses.h"
#include "mechanism/start/leaving_singular_rest.h"
#include "mechanism/start/start_motion.h"

namespace raak {
namespace {

constexpr std::size_t most_bodies_as_small = 40;  // beyond it singular values take longer than the search along arcs

Vector configuration_of_small(const std::shared_ptr<const Instance>& instance, StartRequest start) {
  const auto formulas = std::make_shared<const MaximalFormulas>(instance);
  const MechanismSystem complete(formulas);
  // Rates are found for the whole.
  start.v.setZero();
  start.trusted_velocities.clear();
  State found = find_motion(formulas, complete, start);
  RowChoice choice = choose_rows(*formulas, complete, found);
  leave_singular_rest(formulas, complete, start, found, choice);
  return found.q;
}

// Empty where no chain of arcs leads to a configuration.
Vector configuration_along_arcs(const std::shared_ptr<const Instance>& instance, const MaximalFormulas& formulas,
                                const HoldingEvaluation& holding, const StartRequest& start) {
  const ReportedNames names = reported_names(formulas);
  const Vector rest = Vector::Zero(start.v.size());
  Vector gaps;
  const auto inner = [&](const Vector& shown) { return inner_state(*instance, start.t, shown, rest).q; };
  const auto gap = [&](const Vector& shown) { return gap_at(*holding, start.t, inner(shown), gaps); };
  for (const Vector& shown : arc_guesses(*instance, names.velocities, gap)) {
    Vector q = inner(shown);
    if (close_positions(holding, start.t, q, gaps)) return q;
  }
  return {};
}

Vector configuration_of_large(const std::shared_ptr<const Instance>& instance, const StartRequest& start) {
  const MaximalFormulas formulas(instance);
  const LargeEvaluation complete(instance, collect_elements(formulas, std::make_shared<ElementLibrary>()));
  const HoldingEvaluation holding(
      formulas, complete, given_values(reported_names(formulas).positions, start.q, start.trusted_positions), {});
  Vector q = inner_state(*instance, start.t, start.q, start.v).q;
  Vector gaps;
  return close_positions(holding, start.t, q, gaps) ? q : configuration_along_arcs(instance, formulas, holding, start);
}

}  // namespace

bool assemble_part(const Part& part, const Instance& whole, const StartRequest& start, Vector& q) {
  const auto instance = instance_of(part, whole);
  const StartRequest request = request_of(part, whole, start);
  const bool small = part.bodies.size() <= most_bodies_as_small;
  const Vector found = small ? configuration_of_small(instance, request) : configuration_of_large(instance, request);
  if (found.size() == 0) return false;
  Eigen::Index next = 0;
  for (const int index : part.bodies) {
    const Body& body = whole.bodies()[static_cast<std::size_t>(index)];
    q.segment(body.first, body.size) = found.segment(next, body.size);
    next += body.size;
  }
  return true;
}

}  // namespace raak
