#include "mechanism/joint_tree/tree_recursion.h"

#include <algorithm>
#include <cmath>

#include "base/linear/index.h"
#include "mechanism/joint_tree/tree_motion.h"

namespace raak {
namespace {

// The columns of b in the axes whose columns are a.
Axes<double> carried(const Axes<double>& a, const Axes<double>& b) {
  return {along(a, b[0]), along(a, b[1]), along(a, b[2])};
}

// Which axis a direction is, and its sign; -1: none.
struct SignedAxis {
  int axis = -1;
  double sign = 1.0;
};
SignedAxis axis_along(const Vec3d& a) {
  constexpr double rounding = 1e-15;
  for (int k = 0; k < 3; ++k)
    if (std::abs(std::abs(a[k]) - 1.0) <= rounding && std::abs(a[(k + 1) % 3]) + std::abs(a[(k + 2) % 3]) <= rounding)
      return {k, a[k] > 0.0 ? 1.0 : -1.0};
  return {};
}
bool exchanges_axes(Axes<double>& axes) {
  Axes<double> exact{};
  for (std::size_t j = 0; j < 3; ++j) {
    const SignedAxis found = axis_along(axes[j]);
    if (found.axis < 0) return false;
    exact[j][found.axis] = found.sign;
  }
  axes = exact;
  return true;
}

template <class Numbers>
std::shared_ptr<LiveNumbers> owner_of(const Numbers& numbers) {
  for (const Live& number : numbers)
    if (number.may_change()) return number.owner()->shared_from_this();
  return nullptr;
}

}  // namespace

// Where the frame of a body is in that of its node.
struct TreeRecursion::Placed {
  int node = -1;
  Axes<double> axes = ground_axes<double>();
  Vec3d origin{};
};

bool TreeRecursion::serves(const Instance& instance, const JointTree& tree) {
  const auto counts = [](const Body& body) { return body.counter; };
  return tree.rows.empty() && std::none_of(instance.bodies().begin(), instance.bodies().end(), counts);
}

TreeRecursion::TreeRecursion(const Instance& instance, const JointTree& tree, const std::vector<RigidInertia>& moved)
    : instance_(instance), tree_(tree), moved_(moved) {
  const auto look = [&](const auto& numbers) {
    if (!numbers_) numbers_ = owner_of(numbers);
  };
  const auto look_at = [&](const Vec3n& a) { look(std::array<Live, 3>{a.x, a.y, a.z}); };
  look_at(instance.gravity());
  for (const int b : tree.order) {
    const TreeLink& link = tree.links[z(b)];
    look(std::array<Live, 3>{link.lead, link.phase, moved[z(b)].mass});
    look(moved[z(b)].about_centre);
    look_at(moved[z(b)].centre);
    look_at(link.offset);
  }
  if (numbers_) numbers_->attach(this);
  follow();
}
TreeRecursion::~TreeRecursion() {
  if (numbers_) numbers_->detach(this);
}

// All of it anew: it takes no longer than an evaluation or two.
void TreeRecursion::follow() {
  nodes_.clear();
  stages_.clear();
  turnings_ = balls_ = gathering_ = 0;
  for (int k = 0; k < 3; ++k) fall_[k] = -instance_.gravity()[k].now();
  std::vector<std::vector<int>> children(tree_.links.size());
  for (const int b : tree_.order) children[z(tree_.links[z(b)].parent)].push_back(b);
  std::vector<Placed> placed(tree_.links.size());
  std::vector<int> waiting(children[0].rbegin(), children[0].rend());
  while (!waiting.empty()) {
    const int b = waiting.back();
    waiting.pop_back();
    const TreeLink& link = tree_.links[z(b)];
    add_node(link, b, placed[z(link.parent)], placed[z(b)]);
    waiting.insert(waiting.end(), children[z(b)].rbegin(), children[z(b)].rend());
  }
  std::vector<int> last(nodes_.size(), -1);
  for (std::size_t k = 0; k < nodes_.size(); ++k) {
    const int parent = nodes_[k].parent;
    if (parent < 0) continue;
    ++nodes_[z(parent)].children;
    last[z(parent)] = static_cast<int>(k);
  }
  for (const int k : last)
    if (k >= 0) nodes_[z(k)].is_last = true;
  for (Node& node : nodes_)
    if (node.children > 1) node.place = gathering_++;
}

void TreeRecursion::add_node(const TreeLink& link, int body, const Placed& parent, Placed& own) {
  own.node = parent.node;
  own.axes = carried(parent.axes, link.before);
  own.origin = parent.origin + along(parent.axes, now(link.offset));
  if (link.steps.empty()) return;
  Node node;
  node.parent = parent.node;
  node.first_stage = static_cast<int>(stages_.size());
  for (int k = 0; k < 3; ++k) {
    if (own.origin[k] == 0.0) continue;
    Stage shift;
    shift.axis = k;
    shift.offset = own.origin[k];
    stages_.push_back(shift);
  }
  own.origin = {};
  if (!exchanges_axes(own.axes)) {
    Stage rotate;
    rotate.kind = Stage::Kind::rotate;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) rotate.turns[i][j] = own.axes[z(j)][i];
    stages_.push_back(rotate);
    own.axes = ground_axes<double>();
  }
  add_steps(link, body, own);
  node.stages = static_cast<int>(stages_.size()) - node.first_stage;
  const RigidInertia& inertia = moved_[z(body)];
  const Vec3d c = along(own.axes, now(inertia.centre));
  node.mass = inertia.mass.now();
  std::array<double, 6> I;
  for (std::size_t i = 0; i < 6; ++i) I[i] = inertia.about_centre[i].now();
  Axes<double> half;  // I times the rows of the axes
  for (std::size_t k = 0; k < 3; ++k) {
    const int row = static_cast<int>(k);
    half[k] = times_inertia(I, Vec3d{own.axes[0][row], own.axes[1][row], own.axes[2][row]});
  }
  const auto entry = [&](int i, int k) {
    const double of_centre = (i == k ? dot(c, c) : 0.0) - c[i] * c[k];
    return dot(Vec3d{own.axes[0][i], own.axes[1][i], own.axes[2][i]}, half[z(k)]) + node.mass * of_centre;
  };
  const double second[6] = {entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2)};
  std::copy_n(second, 6, node.second);
  for (int k = 0; k < 3; ++k) node.moment[k] = node.mass * c[k];
  own.node = static_cast<int>(nodes_.size());
  nodes_.push_back(node);
}

void TreeRecursion::add_steps(const TreeLink& link, int body, Placed& own) {
  int next = link.first;
  for (const TreeStep step : link.steps) {
    if (step == TreeStep::cross) {
      own.axes = {own.axes[1], own.axes[2], own.axes[0]};
      continue;
    }
    Stage stage;
    stage.coordinate = next++;
    if (step == TreeStep::ball) {
      next += 3;
      stage.kind = Stage::Kind::ball;
      stage.place = balls_++;
      stage.row =
          static_cast<int>(std::find(tree_.balls.begin(), tree_.balls.end(), stage.coordinate) - tree_.balls.begin());
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) stage.turns[i][j] = own.axes[z(j)][i];
      stage.extra = inertia_along_quaternion(instance_.bodies()[z(body)], link).now();
    } else {
      const bool slides = step == TreeStep::slide_x || step == TreeStep::slide_y || step == TreeStep::slide_z;
      const SignedAxis along = axis_along(own.axes[slides ? static_cast<std::size_t>(step) : 2]);
      stage.axis = along.axis;
      stage.sign = along.sign;
      stage.place = turnings_++;
      stage.kind = slides ? Stage::Kind::slide : Stage::Kind::turn;
      if (step == TreeStep::thread) {
        stage.kind = Stage::Kind::thread;
        stage.lead = link.lead.now();
        stage.offset = stage.lead == 0.0 ? link.phase.now() : -stage.lead * link.phase.now();
      }
    }
    stages_.push_back(stage);
  }
}

double TreeRecursion::cost() const {
  constexpr double of_body = 60.0, of_turning = 200.0, of_ball = 600.0, of_shift = 30.0, of_rotation = 200.0;
  double sum = of_body * static_cast<double>(nodes_.size());
  for (const Stage& stage : stages_) {
    if (stage.kind == Stage::Kind::shift) sum += of_shift;
    else if (stage.kind == Stage::Kind::rotate) sum += of_rotation;
    else sum += stage.kind == Stage::Kind::ball ? of_ball : of_turning;
  }
  return sum;
}

}  // namespace raak
