#include "mechanism/large/assemble_large.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/error.h"
#include "mechanism/formula_names.h"
#include "mechanism/large/large_start.h"
#include "mechanism/large/large_system.h"
#include "mechanism/loose_bodies.h"
#include "mechanism/placement.h"
#include "mechanism/redundancy.h"
#include "mechanism/row_watch.h"
#include "mechanism/start_motion.h"
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
  const std::vector<RowOwner>& owners = formulas.all_rows();
  const auto m = static_cast<int>(owners.size());
  const int n = formulas.instance().coordinates_of_file();
  const auto quaternions = static_cast<int>(std::count_if(
      owners.begin(), owners.end(), [](const RowOwner& row) { return row.kind == RowOwner::Kind::unit_length; }));
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
  for (std::size_t i = 0; i < null.size(); ++i)
    if (owners[i].kind != RowOwner::Kind::unit_length && std::abs(null[i]) > share * largest)
      sharing.insert(owners[i].name.substr(0, owners[i].name.find(',')));
  report.sharing.assign(sharing.begin(), sharing.end());
  report.indeterminate = report.sharing;
  return choice;
}

// In directions that move with bodies: what depends on other rows does not change when the whole turns.
RowChoice choose_moving_rows(const std::shared_ptr<const Instance>& instance, const MaximalFormulas& all,
                             const std::shared_ptr<ElementLibrary>& library, const State& found) {
  MaximalFormulas turned = all;
  turned.keep(all.kept(), moving_directions(all));
  const LargeEvaluation evaluation(instance, collect_elements(turned, library));
  RowChoice choice = choose_rows(turned, evaluation, found.t, found.q);
  choice.directions = turned.directions();
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
  try {
    found = find_large_motion(*all, *complete, names, model.start);
    RowChoice choice = choose_rows(*all, *complete, found.t, found.q);
    const auto rows = static_cast<int>(all->all_rows().size());
    if (choice.report.rank < choice.report.rows)
      choice = rows <= most_rows_for_svd ? raak::choose_rows(*all, LargeSystem(all, complete), found)
                                         : choose_moving_rows(instance, *all, library, found);
    if (choice.kept.size() < all->all_rows().size()) {
      const auto fewer = std::make_shared<MaximalFormulas>(*all);
      fewer->keep(choice.kept, choice.directions);
      formulas = fewer;
      evaluation = std::make_shared<const LargeEvaluation>(instance, collect_elements(*formulas, library));
    }
    choice.report.notes = notes_on_loose_bodies(*instance);
    model.mobility = std::make_shared<MobilityReport>(std::move(choice.report));
  } catch (const Error& error) {
    // Another start may do: the failure is told when this one is asked for.
    if (error.kind() != ErrorKind::computation) throw;
  }
  const auto system = std::make_shared<const LargeSystem>(formulas, evaluation);
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
