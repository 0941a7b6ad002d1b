#include "mechanism/large/start/assemble_large.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/error.h"
#include "mechanism/bodies/free_bodies.h"
#include "mechanism/bodies/placement.h"
#include "mechanism/formulas/formula_names.h"
#include "mechanism/large/large_system.h"
#include "mechanism/large/start/large_start.h"
#include "mechanism/rows/redundancy.h"
#include "mechanism/rows/row_watch.h"
#include "mechanism/rows/unsure_reactions.h"
#include "mechanism/start/start_motion.h"
#include "mechanism/watched_events.h"
#include "system/turn_gauge.h"

namespace raak {
namespace {

constexpr int most_rows_for_svd = 300;  // dependent rows among so many are chosen by singular values
constexpr double nearby = 0.02;         // rad and lengths of the mechanism by which poses are probed
constexpr double share = 1e-8;          // of the null vector on the rows of a joint

using Evaluation = std::shared_ptr<const LargeEvaluation>;

std::vector<int> dependent_rows(const LargeEvaluation& evaluation, double t, const Vector& q) {
  Vector pose = q;
  Vector v = Vector::Zero(q.size());
  std::vector<int> rows;
  evaluation.correct_dependent(Solve::velocities, t, pose.data(), v.data(), rows);
  std::sort(rows.begin(), rows.end());
  return rows;
}

// A pose on the manifold a little beside q; q itself if none is found.
Vector probe(const LargeEvaluation& evaluation, double t, const Vector& q, unsigned seed) {
  const std::vector<double> way = evaluation.random_motion(t, q.data(), seed);
  const double length = evaluation.instance()->length();
  double farthest = 0.0;
  for (const Body& body : evaluation.instance()->bodies())
    for (int i = 0; i < body.size; ++i) {
      const double moved = std::abs(way[static_cast<std::size_t>(body.first + i)]);
      farthest = std::max(farthest, i < evaluation.instance()->dimensions() && !body.counter ? moved / length : moved);
    }
  if (!(farthest > 0.0)) return q;
  Vector pose = q + nearby / farthest * Vector::Map(way.data(), q.size());
  Vector unused = pose;
  for (int i = 0; i < 10; ++i) {
    std::vector<int> rows;
    const double gap = evaluation.correct_dependent(Solve::positions, t, pose.data(), unused.data(), rows);
    if (!(gap < 1e3 * std::max(1.0, length))) return q;
    if (gap < 1e-12 * std::min(1.0, length)) return pose;
  }
  return pose;
}

RowChoice choose_rows(const MaximalFormulas& formulas, const LargeEvaluation& evaluation, double t, const Vector& q) {
  RowChoice choice;
  MobilityReport& report = choice.report;
  const std::vector<MechanismRow>& owners = formulas.all_rows();
  const auto m = static_cast<int>(owners.size());
  const int n = formulas.instance().coordinates_of_file();
  const auto quaternions = static_cast<int>(std::count_if(
      owners.begin(), owners.end(), [](const MechanismRow& row) { return row.kind == Row::Kind::normalization; }));
  std::vector<int> dependent = dependent_rows(evaluation, t, q);
  const std::size_t at_start = dependent.size();
  Vector best = q;
  for (unsigned seed = 1; seed <= 3 && !dependent.empty(); ++seed) {
    const Vector pose = probe(evaluation, t, q, seed);
    const std::vector<int> there = dependent_rows(evaluation, t, pose);
    if (there.size() >= dependent.size() && (seed > 1 || there.size() > dependent.size())) continue;
    dependent = there;
    best = pose;
  }
  for (int i = 0; i < m; ++i)
    if (!std::binary_search(dependent.begin(), dependent.end(), i)) choice.kept.push_back(static_cast<std::size_t>(i));
  report.bodies = formulas.instance().bodies_of_file() - 1;
  report.coordinates = n - quaternions;
  report.rows = m - quaternions;
  report.gruebler = n - m;
  report.rank = report.rows - static_cast<int>(dependent.size());
  report.momentary = static_cast<int>(at_start - dependent.size());
  report.mobility = report.coordinates - report.rank;
  if (dependent.empty()) return choice;
  const std::vector<double> null = evaluation.null_multipliers(t, best.data());
  double largest = 0.0;
  for (const double w : null) largest = std::max(largest, std::abs(w));
  std::set<std::string> sharing;
  Vector vanishing = Vector::Zero(m);
  for (std::size_t i = 0; i < null.size(); ++i) {
    if (owners[i].kind == Row::Kind::normalization || !(std::abs(null[i]) > share * largest)) continue;
    vanishing[static_cast<Eigen::Index>(i)] = null[i];
    choice.indeterminate.push_back(i);
    sharing.insert(owners[i].owner);
  }
  choice.seen.push_back({t, best, vanishing});
  report.sharing.assign(sharing.begin(), sharing.end());
  return choice;
}

// Which rows are kept, and what of the reactions is not unique.
struct Choice {
  RowChoice rows;
  IndeterminateOutputs outputs;
};

// Of all rows, in the directions that the formulas have them in.
void note_indeterminate(const std::shared_ptr<const MaximalFormulas>& formulas, const Evaluation& evaluation,
                        const State& found, Choice& choice) {
  const auto complete = std::make_shared<const LargeSystem>(formulas, evaluation);
  UnsureOutputs unsure = unsure_outputs(*complete, choice.rows, found);
  choice.outputs.always = std::move(unsure.always);
  choice.outputs.of_state =
      watch_unsure_outputs(complete, formulas->instance(), static_cast<int>(choice.rows.kept.size()), unsure.sometimes);
  choice.rows.report.indeterminate = indeterminate_components(
      *formulas, choice.rows, found,
      [&](const std::shared_ptr<MaximalFormulas>& of) { return std::make_shared<const LargeSystem>(of, evaluation); });
}

// In directions that move with bodies: what depends on other rows does not change when the whole turns.
Choice choose_moving_rows(const std::shared_ptr<const Instance>& instance, const MaximalFormulas& all,
                          const std::shared_ptr<ElementLibrary>& library, const State& found) {
  const auto turned = std::make_shared<MaximalFormulas>(all);
  turned->keep(all.kept(), moving_directions(all));
  const auto evaluation = std::make_shared<const LargeEvaluation>(instance, collect_elements(*turned, library));
  Choice choice{choose_rows(*turned, *evaluation, found.t, found.q), {}};
  choice.rows.directions = turned->directions();
  note_indeterminate(turned, evaluation, found, choice);
  return choice;
}

// By singular values.
Choice choose_lasting_rows(const std::shared_ptr<const MaximalFormulas>& all, const Evaluation& complete,
                           const State& found) {
  Choice choice{raak::choose_rows(*all, LargeSystem(all, complete), found), {}};
  note_indeterminate(all, complete, found, choice);
  return choice;
}

}  // namespace

State start_of_large(const std::shared_ptr<const Instance>& instance) {
  const MaximalFormulas all(instance);
  const LargeEvaluation complete(instance, collect_elements(all, std::make_shared<ElementLibrary>()));
  const ReportedNames names = reported_names(all);
  return find_large_motion(all, complete, names, placed_start(*instance, names.positions, names.velocities));
}

Model assemble_large(const std::shared_ptr<const Instance>& instance) {
  const auto all = std::make_shared<const MaximalFormulas>(instance);
  require_known_names(*all);
  const auto library = std::make_shared<ElementLibrary>();
  const Evaluation complete = std::make_shared<const LargeEvaluation>(instance, collect_elements(*all, library));
  const ReportedNames names = reported_names(*all);
  Model model;
  model.start = placed_start(*instance, names.positions, names.velocities);
  std::shared_ptr<const MaximalFormulas> formulas = all;
  Evaluation evaluation = complete;
  State found;
  Choice choice;
  try {
    found = find_large_motion(*all, *complete, names, model.start);
    choice.rows = choose_rows(*all, *complete, found.t, found.q);
    const auto rows = static_cast<int>(all->all_rows().size());
    if (choice.rows.report.rank < choice.rows.report.rows)
      choice = rows <= most_rows_for_svd ? choose_lasting_rows(all, complete, found)
                                         : choose_moving_rows(instance, *all, library, found);
    if (choice.rows.kept.size() < all->all_rows().size()) {
      const auto fewer = std::make_shared<MaximalFormulas>(*all);
      fewer->keep(choice.rows.kept, choice.rows.directions);
      formulas = fewer;
      evaluation = std::make_shared<const LargeEvaluation>(instance, collect_elements(*formulas, library));
    }
    choice.rows.report.notes = notes_on_free_bodies(*instance);
    model.mobility = std::make_shared<MobilityReport>(std::move(choice.rows.report));
  } catch (const Error& error) {
    // Another start may do: the failure is told when this one is asked for.
    if (error.kind() != ErrorKind::computation) throw;
  }
  const auto system = std::make_shared<LargeSystem>(formulas, evaluation);
  system->mark_indeterminate(choice.rows.indeterminate, std::move(choice.outputs));
  model.system = system;
  model.left_out_gap = watch_left_out_rows_of(std::make_shared<const LargeSystem>(all, complete), all, *formulas);
  model.events = watched_events(*formulas, [&](const std::shared_ptr<MaximalFormulas>& watched) {
    return std::make_shared<const LargeSystem>(watched, evaluation);
  });
  model.assemble = [all, complete, system, names, found, own = model.start](const StartRequest& start) {
    const bool known = found.q.size() > 0 && asks_alike(start, own);
    const State motion = known ? found : find_large_motion(*all, *complete, names, start);
    State state = State::of_size(system->coordinates(), system->rows());
    state.t = motion.t;
    state.q = motion.q;
    state.v = motion.v;
    if (const TurnGauge* const gauge = turn_gauge_of(*system)) gauge->set_centres(state.q);
    complete_start(*system, state);
    return state;
  };
  return model;
}

}  // namespace raak
