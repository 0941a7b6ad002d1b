#include "mechanism/joint_tree/joint_tree.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <ranges>
#include <utility>

#include "base/linear/index.h"
#include "mechanism/bodies/catalogue.h"
#include "mechanism/joint_tree/tree_coordinates.h"

namespace raak {
namespace {

// Directions of a joint's axes as they are in the file: they decide on which products are left out.
Vec3d pinned(const Vec3n& a) {
  return {a.x.value(), a.y.value(), a.z.value()};
}

// The axes of a joint in one of its bodies, the named one last; `flip`: turned by half a turn about none or one of
// them.
Axes<double> joint_axes(const Instance& instance, const Element& joint, std::size_t pin, int flip) {
  Axes<double> axes = ground_axes<double>();
  if (joint.has("axes")) {
    const AxisRef& ref = joint.at("axes").axes[pin];
    const Vec3d axis = pinned(instance.bodies()[z(ref.body)].axes.at(ref.axis));
    const auto [u, v] = perpendiculars(constant(axis));
    axes = {now(u), now(v), (1.0 / norm(axis)) * axis};
  }
  for (int k = 0; k < 3; ++k)
    if (flip > 0 && k != flip - 1) axes[z(k)] = -1.0 * axes[z(k)];
  return axes;
}

// Nothing is left of what the weights 0 and 1 take or leave.
Live weighted(const std::array<Live, 3>& numbers, const std::array<double, 3>& by) {
  Live sum = 0.0;
  bool empty = true;
  for (std::size_t i = 0; i < 3; ++i) {
    if (by[i] == 0.0 || (!numbers[i].may_change() && numbers[i].now() == 0.0)) continue;
    const Live part = by[i] == 1.0 ? numbers[i] : by[i] == -1.0 ? -numbers[i] : by[i] * numbers[i];
    sum = empty ? part : sum + part;
    empty = false;
  }
  return sum;
}

// a'b: the axes b in those of a.
Axes<double> seen_from(const Axes<double>& a, const Axes<double>& b) {
  Axes<double> result;
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) result[z(j)][i] = dot(a[z(i)], b[z(j)]);
  return result;
}

class Search {
 public:
  Search(const MaximalFormulas& formulas, const State& motion)
      : formulas_(formulas), instance_(formulas.instance()), motion_(motion), met_(instance_.bodies().size(), 0) {
    tree_.links.resize(met_.size());
    tree_.links[0].own = ground_axes<double>();
    const std::vector<std::size_t>& kept = formulas.kept();
    rows_of_.resize(instance_.mechanism().joints.size());
    gone_.assign(kept.size(), 0);
    for (std::size_t i = 0; i < formulas.all_rows().size(); ++i) {
      const MechanismRow& row = formulas.all_rows()[i];
      if (row.kind == Row::Kind::joint && row.level == Row::Level::position) rows_of_[row.index].push_back(i);
    }
    find_pairs();
  }

  JointTree run() {
    met_[0] = 1;
    grow({0});
    for (int b = 1; b < static_cast<int>(met_.size()); ++b) {
      if (met_[z(b)] != 0) continue;
      fly(b);
      grow({b});
    }
    count_coordinates();
    const std::vector<std::size_t>& kept = formulas_.kept();
    for (std::size_t i = 0; i < kept.size(); ++i) {
      const MechanismRow& row = formulas_.all_rows()[kept[i]];
      if (gone_[i] != 0 || row.kind == Row::Kind::normalization) continue;
      tree_.rows.push_back(i);
      tree_.position_rows += row.level == Row::Level::position ? 1 : 0;
    }
    return std::move(tree_);
  }

 private:
  // A pin of a joint that hangs on its first one, or carries it.
  struct Pair {
    std::size_t joint, pin;
  };
  void find_pairs() {
    pairs_of_.resize(met_.size());
    const std::vector<Element>& joints = instance_.mechanism().joints;
    for (std::size_t j = 0; j < joints.size(); ++j) {
      if (!info_of_joint(joints[j]).tree_steps) continue;
      const auto& pins = joints[j].at("pins").points;
      for (std::size_t pin = 1; pin < pins.size(); ++pin)
        for (const std::size_t end : {std::size_t{0}, pin}) pairs_of_[z(pins[end].body)].push_back({j, pin});
    }
  }
  void grow(std::vector<int> front) {
    for (std::size_t next = 0; next < front.size(); ++next) {
      const int from = front[next];
      for (const Pair& pair : pairs_of_[z(from)]) {
        const int child = hang(pair.joint, pair.pin, from);
        if (child >= 0) front.push_back(child);
      }
    }
  }
  // The places of the rows of a pair of pins among the kept ones; none where one of them is not kept.
  std::vector<std::size_t> kept_rows(std::size_t joint, std::size_t pin) const {
    const std::size_t pairs = instance_.mechanism().joints[joint].at("pins").points.size() - 1;
    const std::size_t count = rows_of_[joint].size() / pairs;
    std::vector<std::size_t> places;
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t row = rows_of_[joint][(pin - 1) * count + k];
      const auto found = std::lower_bound(formulas_.kept().begin(), formulas_.kept().end(), row);
      if (found == formulas_.kept().end() || *found != row) return {};
      places.push_back(static_cast<std::size_t>(found - formulas_.kept().begin()));
    }
    return places;
  }
  // The body that now hangs on `from`; -1: none does.
  int hang(std::size_t j, std::size_t pin, int from) {
    const Element& joint = instance_.mechanism().joints[j];
    const auto& pins = joint.at("pins").points;
    const bool forward = pins[0].body == from;
    const std::size_t there = forward ? 0 : pin, here = forward ? pin : 0;
    const int child = pins[here].body;
    if (pins[there].body != from || met_[z(child)] != 0) return -1;
    const Body& body = instance_.bodies()[z(child)];
    if (body.ground || body.kind->turning != 3) return -1;
    TreeLink link;
    link.rows = kept_rows(j, pin);
    if (link.rows.empty()) return -1;
    link.parent = from;
    link.joint = static_cast<int>(j);
    link.steps = *info_of_joint(joint).tree_steps;
    const TreeLink& parent = tree_.links[z(from)];
    const Axes<double> axes = joint_axes(instance_, joint, there, 0);
    link.before = seen_from(parent.own, axes);
    link.turn_before = quaternion_of(link.before);
    link.offset = in_axes(parent.own, instance_.bodies()[z(from)].points.at(pins[there].point) - parent.reference);
    link.reference = body.points.at(pins[here].point);
    if (link.steps == std::vector{TreeStep::thread}) {
      const std::vector<double>& datum = instance_.joint_datum(joint.name);
      // Before the start has decided how the thread stands, it is a sleeve with a row of velocities.
      if (datum.empty()) {
        link.steps = {TreeStep::slide_z, TreeStep::turn};
      } else {
        link.lead = (0.5 / std::numbers::pi) * instance_.number(joint.at("pitch").numbers.front());
        link.phase = forward ? datum.front() : -datum.front();
      }
    }
    // Rows that keep axes parallel hold where they are opposite too: what the start has is what stays.
    for (int flip = 0; flip < 4; ++flip) {
      link.own = joint_axes(instance_, joint, here, flip);
      link.turn_after = conjugate(quaternion_of(link.own));
      if (!closes(instance_, tree_.links, link, child, motion_)) continue;
      set_sign(instance_, tree_.links, link, child, motion_);
      for (const std::size_t row : link.rows) gone_[row] = 1;
      add(child, std::move(link));
      return child;
    }
    return -1;
  }
  void fly(int b) {
    const Body& body = instance_.bodies()[z(b)];
    TreeLink link;
    link.steps = {TreeStep::slide_x, TreeStep::slide_y, TreeStep::slide_z};
    if (body.kind->turning == 3) link.steps.push_back(TreeStep::ball);
    link.before = link.own = ground_axes<double>();
    link.turn_before = link.turn_after = {1.0, 0.0, 0.0, 0.0};
    link.reference = body.reference;
    add(b, std::move(link));
  }
  void add(int b, TreeLink link) {
    met_[z(b)] = 1;
    tree_.order.push_back(b);
    tree_.links[z(b)] = std::move(link);
  }
  // In the order of the bodies.
  void count_coordinates() {
    for (TreeLink& link : tree_.links) {
      link.first = tree_.coordinates;
      for (const TreeStep step : link.steps) {
        if (step == TreeStep::ball) tree_.balls.push_back(tree_.coordinates);
        link.size += step == TreeStep::ball ? 4 : step == TreeStep::cross ? 0 : 1;
        tree_.coordinates = link.first + link.size;
      }
    }
  }

  const MaximalFormulas& formulas_;
  const Instance& instance_;
  const State& motion_;
  JointTree tree_;
  std::vector<char> met_;                          // by body
  std::vector<std::vector<std::size_t>> rows_of_;  // of each joint, among all rows
  std::vector<char> gone_;                         // by kept row
  std::vector<std::vector<Pair>> pairs_of_;        // by body
};

}  // namespace

Vec3n in_axes(const Axes<double>& axes, const Vec3n& a) {
  Vec3n result;
  for (int i = 0; i < 3; ++i) result[i] = weighted({a.x, a.y, a.z}, {axes[z(i)].x, axes[z(i)].y, axes[z(i)].z});
  return result;
}

std::array<Live, 6> in_axes(const Axes<double>& axes, const std::array<Live, 6>& inertia) {
  const auto& [xx, yy, zz, xy, xz, yz] = inertia;
  const std::array<Vec3n, 3> rows{Vec3n{xx, xy, xz}, Vec3n{xy, yy, yz}, Vec3n{xz, yz, zz}};
  std::array<Vec3n, 3> half;  // its products with each axis
  for (std::size_t i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k)
      half[i][k] = weighted({rows[z(k)].x, rows[z(k)].y, rows[z(k)].z}, {axes[i].x, axes[i].y, axes[i].z});
  const auto entry = [&](std::size_t i, std::size_t j) {
    return weighted({half[j].x, half[j].y, half[j].z}, {axes[i].x, axes[i].y, axes[i].z});
  };
  return {entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2)};
}

std::vector<RigidInertia> JointTree::inertias(const Instance& instance) const {
  std::vector<RigidInertia> result(links.size());
  for (const int b : order) {
    const Body& body = instance.bodies()[z(b)];
    result[z(b)] = {body.mass, in_axes(links[z(b)].own, body.com - links[z(b)].reference), {}};
    if (body.kind->turning > 0) result[z(b)].about_centre = in_axes(links[z(b)].own, body.inertia);
  }
  return result;
}

std::vector<RigidInertia> JointTree::welded(std::vector<RigidInertia> own) const {
  for (const int b : std::views::reverse(order)) {
    const TreeLink& link = links[z(b)];
    if (!link.steps.empty()) continue;
    Axes<double> back;  // the axes of the parent's frame in those of the body's
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) back[z(i)][j] = link.before[z(j)][i];
    const RigidInertia here = std::exchange(own[z(b)], {});
    RigidInertia& to = own[z(link.parent)];
    if (link.parent == 0) continue;
    const Vec3n c = in_axes(back, here.centre) + link.offset;
    const std::array<Live, 6> more = in_axes(back, here.about_centre);
    const Live mass = to.mass + here.mass;
    const Vec3n centre = (1.0 / mass) * (to.mass * to.centre + here.mass * c);
    for (std::size_t i = 0; i < 6; ++i) to.about_centre[i] += more[i];
    for (const auto& [m, at] : {std::pair{to.mass, to.centre - centre}, {here.mass, c - centre}}) {
      const Live xx = m * at.x * at.x, yy = m * at.y * at.y, zz = m * at.z * at.z;
      const std::array<Live, 6> moved{yy + zz, xx + zz, xx + yy, -m * at.x * at.y, -m * at.x * at.z, -m * at.y * at.z};
      for (std::size_t i = 0; i < 6; ++i) to.about_centre[i] += moved[i];
    }
    to.mass = mass;
    to.centre = centre;
  }
  return own;
}

bool is_tree_without_loops(const Instance& instance) {
  const Mechanism& mechanism = instance.mechanism();
  if (instance.planar() || !mechanism.drivers.empty() || !mechanism.constraints.empty() ||
      instance.bodies().size() != z(instance.bodies_of_file()))
    return false;
  std::vector<int> group(instance.bodies().size());  // towards one body of those that are tied
  std::iota(group.begin(), group.end(), 0);
  const auto find = [&](int body) {
    while (group[z(body)] != body) body = group[z(body)] = group[z(group[z(body)])];
    return body;
  };
  for (const Element& joint : mechanism.joints) {
    if (!info_of_joint(joint).tree_steps) return false;
    const auto& pins = joint.at("pins").points;
    for (std::size_t pin = 1; pin < pins.size(); ++pin) {
      const int one = find(pins.front().body), other = find(pins[pin].body);
      if (one == other) return false;
      group[z(one)] = other;
    }
  }
  return true;
}

JointTree find_joint_tree(const MaximalFormulas& formulas, const State& motion) {
  const Instance& instance = formulas.instance();
  if (instance.planar()) return {};
  return Search(formulas, motion).run();
}

}  // namespace raak
