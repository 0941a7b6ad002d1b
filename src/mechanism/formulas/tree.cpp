#include "mechanism/formulas/tree.h"

#include <algorithm>
#include <deque>
#include <map>
#include <optional>

#include "base/linear/index.h"
#include "base/tape/derivative.h"
#include "kinematics/rank/rank_policy.h"
#include "kinematics/slow/force_balance.h"
#include "mechanism/bodies/catalogue.h"
#include "mechanism/formulas/planar_tree.h"
#include "mechanism/formulas/turn_measures.h"
#include "mechanism/joints/catalogue.h"

namespace raak {
namespace {

class TreeFormulas final : public Formulas {
 public:
  TreeFormulas(const std::shared_ptr<const MaximalFormulas>& maximal, SpanningTree tree)
      : shown_(maximal), maximal_(maximal), tree_(std::move(tree)) {
    if (!shown_->instance().planar()) return;
    planar_.emplace(shown_->instance(), tree_);
    maximal_ = std::make_shared<const MaximalFormulas>(shown_->with_references(pins()));
  }

  void mass(const Recorded& t, const Reals& x, SymmetricEntries& M) const override {
    if (planar_) return planar_->mass(x, M);
    const Reals q = bodies(x);
    const std::vector<Gradient> J = gradients(q, x);
    SymmetricEntries full(static_cast<int>(q.size()));
    maximal_->mass(t, q, full);
    for (const auto& [where, entry] : full.all()) {
      const auto [a, b] = where;
      for (const auto& [i, left] : J[z(a)])
        for (const auto& [j, right] : J[z(b)]) {
          // Both halves of an off-diagonal entry land on the same pair; on the diagonal of M_z they count twice.
          if (a == b && i < j) continue;
          const Recorded term = left * entry * right;
          M(i, j) += a != b && i == j ? 2.0 * term : term;
        }
    }
  }
  void force(const Recorded& t, const Reals& x, const Reals& rates, Reals& f) const override {
    const Reals q = bodies(x);
    const Reals v = derivative_along(q, x, rates);
    Reals full(q.size(), Recorded(0.0));
    maximal_->force(t, q, v, full);
    if (planar_) return planar_->force(x, rates, full, f);
    const Reals drift = derivative_along(v, x, rates);
    const std::vector<Gradient> J = gradients(q, x);
    SymmetricEntries M(static_cast<int>(q.size()));
    maximal_->mass(t, q, M);
    const Reals inertia = M.times(drift);
    for (std::size_t a = 0; a < q.size(); ++a)
      for (const auto& [i, arm] : J[a]) f[z(i)] += arm * (full[a] - inertia[a]);
  }
  void constraint(const Recorded& t, const Reals& x, Reals& g) const override {
    Reals all;
    maximal_->constraint(t, bodies(x), all);
    for (const std::size_t row : tree_.rows)
      if (row < all.size()) g.push_back(all[row]);
  }
  void velocity_constraint(const Recorded& t, const Reals& x, const Reals& rates, Reals& c) const override {
    if (maximal_->velocity_rows() == 0) return;
    const Reals q = bodies(x);
    maximal_->velocity_constraint(t, q, derivative_along(q, x, rates), c);
  }
  Recorded potential(const Recorded& t, const Reals& x) const override { return maximal_->potential(t, bodies(x)); }
  Recorded power(const Recorded& t, const Reals& x, const Reals& rates) const override {
    const Reals q = bodies(x);
    return maximal_->power(t, q, derivative_along(q, x, rates));
  }
  std::vector<EnergyTerm> energy_terms(const Recorded& t, const Reals& x, const Reals& rates) const override {
    const Reals q = bodies(x);
    return maximal_->energy_terms(t, q, derivative_along(q, x, rates));
  }
  Reals reported_positions(const Recorded& /*t*/, const Reals& x) const override {
    return bodies(x, shown_->instance());
  }
  Reals reported_velocities(const Recorded& t, const Reals& x, const Reals& rates) const override {
    return derivative_along(reported_positions(t, x), x, rates);
  }

 private:
  // The pin on which each body hangs; of one that hangs on none its centre.
  std::vector<Vec3n> pins() const {
    std::vector<Vec3n> result;
    for (std::size_t b = 0; b < tree_.links.size(); ++b) {
      const Body& body = shown_->instance().bodies()[b];
      const SpanningTree::Link& link = tree_.links[b];
      result.push_back(link.parent >= 0 ? body.points.at(link.here.point) : body.com);
    }
    return result;
  }
  // Q(z): the maximal coordinates.
  Reals bodies(const Reals& x) const { return bodies(x, maximal_->instance()); }
  Reals bodies(const Reals& x, const Instance& instance) const {
    Reals q(z(instance.coordinates()), Recorded(0.0));
    for (std::size_t i = 0; i < tree_.coordinates.size(); ++i) q[z(tree_.coordinates[i])] = x[i];
    std::vector<Frame> frames(instance.bodies().size());
    for (const int b : tree_.order) {
      const Body& body = instance.bodies()[z(b)];
      Frame& frame = frames[z(b)];
      frame.body = &body;
      frame.R = Rotation<Real>::identity();
      if (body.ground) continue;
      const auto first = z(body.first);
      const std::size_t d = z(instance.dimensions());
      frame.q = q.data() + first;
      body.kind->orient(frame);
      const SpanningTree::Link& link = tree_.links[z(b)];
      if (link.parent >= 0) {
        const Vec3n there = instance.bodies()[z(link.parent)].points.at(link.there.point);
        const Vec3n here = body.points.at(link.here.point) - body.reference;
        const Vector3 at = frames[z(link.parent)].point(there) - frame.R * lifted(here);
        for (std::size_t i = 0; i < d; ++i) q[first + i] = at[static_cast<int>(i)];
      }
      for (std::size_t i = 0; i < d; ++i) frame.at[static_cast<int>(i)] = q[first + i];
    }
    return q;
  }

  std::shared_ptr<const MaximalFormulas> shown_;    // in coordinates of the centres of mass
  std::shared_ptr<const MaximalFormulas> maximal_;  // in the plane in those of the pins: points take fewer operations
  SpanningTree tree_;
  std::optional<PlanarTree> planar_;
};

// Solved in tree coordinates, shown through the maximal form: reactions are those of all joints.
class TreeSystem final : public RecordedSystem, public JointGraph, public CountsTurns {
 public:
  TreeSystem(std::shared_ptr<const TreeFormulas> formulas, const SpanningTree& tree, int velocity_rows,
             std::shared_ptr<const MechanismSystem> maximal, const Instance& instance)
      : RecordedSystem(std::move(formulas), static_cast<int>(tree.coordinates.size()),
                       static_cast<int>(tree.rows.size()) - velocity_rows, velocity_rows, describe(tree, *maximal)),
        maximal_(std::move(maximal)),
        gauge_(make_turn_gauge(instance, &tree.coordinates)) {
    set_reported(maximal_->reported());
  }
  std::vector<Joint> joints() const override { return maximal_->joints(); }
  std::vector<Driver> drivers() const override { return maximal_->drivers(); }
  const TurnGauge* turn_gauge() const override { return gauge_.get(); }
  void report(const State& state, State& shown) const override { maximal_->report(complete(state), shown); }
  void report_motion(const State& state, State& shown) const override {
    maximal_->report_motion(motion_of_bodies(state), shown);
  }
  void evaluate_outputs(const State& state, Vector& values) const override {
    if (outputs() == 0) return;
    if (outputs_need_forces()) maximal_->evaluate_outputs(complete(state), values);
    else maximal_->evaluate_outputs(motion_of_bodies(state), values);
  }
  bool outputs_need_forces() const override { return maximal_->outputs_need_forces(); }

 private:
  static Description describe(const SpanningTree& tree, const ConstrainedSystem& maximal) {
    Description description;
    const Description& all = maximal.description();
    for (const int i : tree.coordinates) {
      description.coordinates.push_back(all.coordinates[z(i)]);
      description.units.push_back(all.units[z(i)]);
    }
    for (const std::size_t i : tree.rows) {
      description.constraints.push_back(all.constraints[i]);
    }
    description.outputs = all.outputs;
    description.output_units = all.output_units;
    description.length = all.length;
    return description;
  }
  // In the coordinates of the bodies: without multipliers, and with those of all rows.
  const State& motion_of_bodies(const State& state) const {
    thread_local State full;
    show(state, maximal_->coordinates(), maximal_->coordinates(), full);
    full.lambda.setZero(maximal_->rows());
    return full;
  }
  State complete(const State& state) const {
    State full = motion_of_bodies(state);
    const Vector a = full.a;
    const double pivot = update_accelerations(*maximal_, full);
    full.a = a;  // as good, and right in a singular configuration too
    if (!(pivot > RankPolicy::resolved_pivot)) balance_forces(*maximal_, full);
    return full;
  }
  std::shared_ptr<const MechanismSystem> maximal_;
  std::shared_ptr<const TurnGauge> gauge_;
};

}  // namespace

SpanningTree find_tree(const MaximalFormulas& formulas) {
  const Instance& instance = formulas.instance();
  const Mechanism& mechanism = instance.mechanism();
  const std::vector<std::size_t>& kept = formulas.kept();
  const int d = instance.dimensions();
  // The rows of each joint among all rows: pin pair after pin pair.
  std::vector<std::vector<std::size_t>> rows_of(mechanism.joints.size());
  for (std::size_t i = 0; i < formulas.all_rows().size(); ++i) {
    const MechanismRow& row = formulas.all_rows()[i];
    if (row.kind == Row::Kind::joint && row.level == Row::Level::position) rows_of[row.index].push_back(i);
  }
  SpanningTree tree;
  tree.links.resize(instance.bodies().size());
  std::vector<int> depth(instance.bodies().size(), -1);
  std::vector<char> gone(formulas.all_rows().size(), 0);
  const auto try_pair = [&](std::size_t j, std::size_t pin, int from) {
    const Element& joint = mechanism.joints[j];
    const auto& pins = joint.at("pins").points;
    const bool forward = pins[0].body == from;
    const PointRef& there = forward ? pins[0] : pins[pin];
    const PointRef& here = forward ? pins[pin] : pins[0];
    if (there.body != from || depth[z(here.body)] >= 0) return false;
    const std::size_t per_pin = rows_of[j].size() / (pins.size() - 1);
    std::vector<std::size_t> rows(rows_of[j].begin() + static_cast<std::ptrdiff_t>((pin - 1) * per_pin),
                                  rows_of[j].begin() + static_cast<std::ptrdiff_t>((pin - 1) * per_pin + z(d)));
    for (const std::size_t row : rows)
      if (!std::binary_search(kept.begin(), kept.end(), row)) return false;
    for (const std::size_t row : rows) gone[row] = 1;
    tree.links[z(here.body)] = {from, there, here};
    depth[z(here.body)] = depth[z(from)] + 1;
    tree.depth = std::max(tree.depth, depth[z(here.body)]);
    tree.order.push_back(here.body);
    return true;
  };
  const auto grow = [&](std::size_t first) {
    for (std::size_t next = first; next < tree.order.size(); ++next)
      for (std::size_t j = 0; j < mechanism.joints.size(); ++j) {
        if (!info_of_joint(mechanism.joints[j]).keeps_points_together) continue;
        const std::size_t pins = mechanism.joints[j].at("pins").points.size();
        for (std::size_t pin = 1; pin < pins; ++pin) try_pair(j, pin, tree.order[next]);
      }
  };
  tree.order.push_back(0);
  depth[0] = 0;
  grow(0);
  // What is left flies, or hangs on something that does.
  for (int b = 1; b < static_cast<int>(instance.bodies().size()); ++b) {
    if (depth[z(b)] >= 0) continue;
    depth[z(b)] = 1;
    tree.order.push_back(b);
    grow(tree.order.size() - 1);
  }
  for (int b = 1; b < static_cast<int>(instance.bodies().size()); ++b) {
    const Body& body = instance.bodies()[z(b)];
    const int skip = tree.links[z(b)].parent >= 0 ? d : 0;
    for (int i = skip; i < body.size; ++i) tree.coordinates.push_back(body.first + i);
  }
  for (std::size_t i = 0; i < kept.size(); ++i)
    if (!gone[kept[i]]) tree.rows.push_back(i);
  return tree;
}

std::shared_ptr<const ConstrainedSystem> make_tree_system(const std::shared_ptr<const MaximalFormulas>& formulas,
                                                          const SpanningTree& tree,
                                                          const std::shared_ptr<const MechanismSystem>& maximal) {
  if (tree.coordinates.size() == z(formulas->instance().coordinates()) || tree.coordinates.empty()) return nullptr;
  return std::make_shared<TreeSystem>(std::make_shared<TreeFormulas>(formulas, tree), tree, formulas->velocity_rows(),
                                      maximal, formulas->instance());
}

}  // namespace raak
