// Starts of a mechanism that is evaluated element by element, everything in the order of its size: Newton's method
// with sparse factors, dependent rows by vanishing pivots.
#include <algorithm>
#include <cmath>
#include <set>

#include "kinematics/start/start_failure.h"
#include "mechanism/bodies/placement.h"
#include "mechanism/large/large_system.h"
#include "mechanism/large/start/large_start.h"
#include "mechanism/start/listed_bodies.h"
#include "mechanism/start/start_motion.h"
#include "mechanism/start/start_road.h"

namespace raak {
namespace {

constexpr std::size_t most_rows_for_svd = 300;  // dependent rows among so many are chosen by singular values
constexpr double probed_by_elements = 0.02;     // rad and lengths of the mechanism by which configurations are probed
constexpr double share_of_null_vector = 1e-8;   // of the null vector on the rows of a joint

using Evaluation = std::shared_ptr<const LargeEvaluation>;

// A configuration on the manifold a little beside q; q itself if none is found.
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
  Vector beside = q + probed_by_elements / farthest * Vector::Map(way.data(), q.size());
  Vector unused = beside;
  for (int i = 0; i < 10; ++i) {
    std::vector<int> rows;
    const double gap = evaluation.correct_dependent(Solve::positions, t, beside.data(), unused.data(), rows);
    if (!(gap < 1e3 * std::max(1.0, length))) return q;
    if (gap < 1e-12 * std::min(1.0, length)) return beside;
  }
  return beside;
}

RowChoice choose_rows(const MaximalFormulas& formulas, const LargeEvaluation& evaluation, double t, const Vector& q) {
  RowChoice choice;
  MobilityReport& report = choice.report;
  const std::vector<MechanismRow>& owners = formulas.all_rows();
  const auto m = static_cast<int>(owners.size());
  const int n = formulas.instance().coordinates_of_file();
  const auto quaternions = static_cast<int>(std::count_if(
      owners.begin(), owners.end(), [](const MechanismRow& row) { return row.kind == Row::Kind::normalization; }));
  std::vector<int> dependent = evaluation.dependent_rows(t, q.data());
  const std::size_t at_start = dependent.size();
  Vector best = q;
  for (unsigned seed = 1; seed <= 3 && !dependent.empty(); ++seed) {
    const Vector beside = probe(evaluation, t, q, seed);
    const std::vector<int> there = evaluation.dependent_rows(t, beside.data());
    if (there.size() >= dependent.size() && (seed > 1 || there.size() > dependent.size())) continue;
    dependent = there;
    best = beside;
  }
  for (int i = 0; i < m; ++i)
    if (!std::binary_search(dependent.begin(), dependent.end(), i)) choice.kept.push_back(static_cast<std::size_t>(i));
  report.bodies = formulas.instance().bodies_of_file() - 1;
  report.drivers = static_cast<int>(formulas.instance().mechanism().drivers.size());
  report.coordinates = n - quaternions;
  report.rows = m - quaternions;
  report.gruebler = n - m;
  report.rank = report.rows - static_cast<int>(dependent.size());
  report.momentary = static_cast<int>(at_start - dependent.size());
  report.mobility = report.coordinates - report.rank;
  if (dependent.empty()) return choice;
  const std::vector<double> null = evaluation.null_multipliers(t, best.data(), dependent);
  double largest = 0.0;
  for (const double w : null) largest = std::max(largest, std::abs(w));
  std::set<std::string> sharing;
  Vector vanishing = Vector::Zero(m);
  for (std::size_t i = 0; i < null.size(); ++i) {
    if (owners[i].kind == Row::Kind::normalization || !(std::abs(null[i]) > share_of_null_vector * largest)) continue;
    vanishing[static_cast<Eigen::Index>(i)] = null[i];
    choice.indeterminate.push_back(i);
    sharing.insert(owners[i].owner);
  }
  choice.seen.push_back({t, best, vanishing});
  report.sharing.assign(sharing.begin(), sharing.end());
  return choice;
}

class RoadByElements final : public StartRoad {
 public:
  explicit RoadByElements(const std::shared_ptr<const Instance>& instance)
      : instance_(instance), library_(std::make_shared<ElementLibrary>()) {
    all_ = std::make_shared<const MaximalFormulas>(instance);
    evaluation_ = evaluate(*all_);
    complete_ = std::make_shared<const LargeSystem>(all_, evaluation_);
  }

  std::shared_ptr<ConstrainedSystem> make_system(
      const std::shared_ptr<const MaximalFormulas>& formulas) const override {
    const bool has_all = formulas->kept() == all_->kept() && formulas->directions() == all_->directions();
    return std::make_shared<LargeSystem>(formulas, has_all ? evaluation_ : evaluate(*formulas));
  }

  // The search with matrices takes over where it can be afforded and is needed: where this one fails or ends far from
  // what is listed, and where rows are dependent and bodies move, so that several motions may begin.
  State find_motion(const StartRequest& start) const override {
    try {
      State motion = find_large_motion(*all_, *evaluation_, complete_->reported(), start);
      const ListedBodies listed(*instance_, complete_->reported().velocities);
      const Vector guess = inner_state(*instance_, start.t, start.q, start.v).q;
      if (affords_matrices() && ListedBodies::is_far(listed.distance(guess, motion.q)))
        return raak::find_motion(all_, *complete_, start);
      const bool moves = motion.v.size() > 0 && motion.v.cwiseAbs().maxCoeff() > 0.0;
      if (!moves || !affords_matrices() || evaluation_->dependent_rows(motion.t, motion.q.data()).empty())
        return motion;
    } catch (const StartFailure&) {
      if (!affords_matrices()) throw;
    }
    return raak::find_motion(all_, *complete_, start);
  }

  FoundStart find_start(const StartRequest& start) const override {
    State motion = find_motion(start);
    RowChoice rows = choose_rows(*all_, *evaluation_, motion.t, motion.q);
    rows.directions = all_->directions();
    if (rows.report.rank == rows.report.rows) return {std::move(motion), std::move(rows), all_, complete_};
    if (affords_matrices()) {
      rows = raak::choose_rows(*all_, *complete_, motion);
      return {std::move(motion), std::move(rows), all_, complete_};
    }
    // In directions that move with bodies: what depends on other rows does not change when the whole turns.
    const auto turned = std::make_shared<MaximalFormulas>(*all_);
    turned->keep(all_->kept(), moving_directions(*all_));
    const Evaluation evaluation = evaluate(*turned);
    rows = choose_rows(*turned, *evaluation, motion.t, motion.q);
    rows.directions = turned->directions();
    return {std::move(motion), std::move(rows), turned, std::make_shared<const LargeSystem>(turned, evaluation)};
  }

 private:
  bool affords_matrices() const {
    return complete_->has_dense_matrices() && all_->all_rows().size() <= most_rows_for_svd;
  }
  Evaluation evaluate(const MaximalFormulas& formulas) const {
    return std::make_shared<const LargeEvaluation>(instance_, collect_elements(formulas, library_));
  }

  std::shared_ptr<const Instance> instance_;
  std::shared_ptr<ElementLibrary> library_;
  Evaluation evaluation_;  // of all rows
};

}  // namespace

std::shared_ptr<const StartRoad> road_by_elements(const std::shared_ptr<const Instance>& instance) {
  return std::make_shared<const RoadByElements>(instance);
}

}  // namespace raak
