#include "mechanism/joint_tree/tree_coordinates.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "kinematics/start/start_failure.h"
#include "mechanism/bodies/catalogue.h"

namespace raak {
namespace {

// Of the size of a mechanism, or rad: starts that joints of their own close less well are on another branch.
constexpr double closed = 1e-6;

using Axes3 = Axes<double>;

// Where the frame of a body is in the motion of the bodies.
struct Seen {
  Axes3 axes;
  Quaternion turn;
  Vec3d origin, velocity, omega;
};

Seen see(const Instance& instance, const TreeLink& link, int index, const State& motion) {
  const Body& body = instance.bodies()[z(index)];
  Seen seen{link.own, {1.0, 0.0, 0.0, 0.0}, {}, {}, {}};
  if (body.ground) return seen;
  const double* const q = motion.q.data() + body.first;
  const double* const v = motion.v.data() + body.first;
  const Rotation<double> R = body.kind->rotation(q);
  for (Vec3d& axis : seen.axes) axis = R * axis;
  if (body.kind->turning == 3)
    seen.turn = quaternion_product(Quaternion{q[3], q[4], q[5], q[6]}, conjugate(link.turn_after));
  const Vec3d arm = R * now(link.reference - body.reference);
  seen.omega = body.kind->angular_velocity(q, v);
  seen.origin = Vec3d{q[0], q[1], q[2]} + arm;
  seen.velocity = Vec3d{v[0], v[1], v[2]} + cross(seen.omega, arm);
  return seen;
}

Vec3d in_axes(const Axes3& axes, const Vec3d& a) {
  return {dot(axes[0], a), dot(axes[1], a), dot(axes[2], a)};
}

// One frame in another: of the joint in the parent, then of the body.
struct Relative {
  Axes3 axes;  // columns
  Quaternion turn;
  Vec3d way, velocity, omega;
};

Relative relative(const Seen& parent, const TreeLink& link, const Seen& child) {
  const Axes3 joint = turned(parent.axes, link.before);
  const Vec3d arm = along(parent.axes, now(link.offset));
  Relative result;
  for (std::size_t k = 0; k < 3; ++k) result.axes[k] = in_axes(joint, child.axes[k]);
  result.turn = quaternion_product(conjugate(quaternion_product(parent.turn, link.turn_before)), child.turn);
  result.way = in_axes(joint, child.origin - (parent.origin + arm));
  // As the parent sees it: it takes along what is at rest against it.
  const Vec3d carried = parent.velocity + cross(parent.omega, child.origin - parent.origin);
  result.velocity = in_axes(joint, child.velocity - carried);
  result.omega = in_axes(joint, child.omega - parent.omega);
  return result;
}

// The coordinates of a link and their rates.
void read(const TreeLink& link, Relative seen, double* q, double* v) {
  for (std::size_t s = 0; s < link.steps.size(); ++s) {
    const bool crosses_next = s + 1 < link.steps.size() && link.steps[s + 1] == TreeStep::cross;
    switch (link.steps[s]) {
      case TreeStep::slide_x:
      case TreeStep::slide_y:
      case TreeStep::slide_z:
        *q++ = seen.way[static_cast<int>(link.steps[s])];
        *v++ = seen.velocity[static_cast<int>(link.steps[s])];
        break;
      case TreeStep::turn: {
        // The first of two turns carries the second axis, which is the last of the body, in its first one.
        const Vec3d& shown = seen.axes[crosses_next ? 2 : 0];
        const double angle = std::atan2(shown.y, shown.x), c = std::cos(angle), t = std::sin(angle);
        *q++ = angle;
        *v++ = seen.omega.z;
        const auto back = [&](const Vec3d& a) { return Vec3d{c * a.x + t * a.y, c * a.y - t * a.x, a.z}; };
        for (Vec3d& axis : seen.axes) axis = back(axis);
        seen.omega = back(seen.omega);
        break;
      }
      case TreeStep::thread: {
        const double angle = std::atan2(seen.axes[0].y, seen.axes[0].x), lead = link.lead.now();
        constexpr double whole = 2.0 * std::numbers::pi;
        const double turns = lead == 0.0 ? 0.0 : (link.phase.now() + seen.way.z / lead - angle) / whole;
        *q++ = angle + whole * std::round(turns);
        *v++ = seen.omega.z;
        break;
      }
      case TreeStep::cross: {
        const auto back = [](const Vec3d& a) { return Vec3d{a.y, a.z, a.x}; };
        for (Vec3d& axis : seen.axes) axis = back(axis);
        seen.omega = back(seen.omega);
        break;
      }
      case TreeStep::ball: {
        const Quaternion rate = along_quaternion(0.5, seen.turn, seen.omega);
        q = std::copy(seen.turn.begin(), seen.turn.end(), q);
        v = std::copy(rate.begin(), rate.end(), v);
        break;
      }
    }
  }
}

bool has(const TreeLink& link, TreeStep step) {
  return std::find(link.steps.begin(), link.steps.end(), step) != link.steps.end();
}

// A tree of one link on a body that is where it is in the motion: what its coordinates make of it.
TreeFrame<double> rebuilt(const TreeLink& link, const double* q) {
  JointTree alone;
  alone.links.resize(2);
  TreeLink own = link;
  own.parent = 0;
  own.first = 0;
  own.before = ground_axes<double>();
  own.turn_before = {1.0, 0.0, 0.0, 0.0};
  own.offset = {};
  alone.links[1] = own;
  alone.order = {1};
  alone.coordinates = 8;
  return TreeMotion<double>(alone, q, nullptr, nullptr).frame(1);
}

double sign_of(const Quaternion& a, const Quaternion& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] < 0.0 ? -1.0 : 1.0;
}

Relative seen_at(const Instance& instance, const std::vector<TreeLink>& links, const TreeLink& link, int body,
                 const State& motion) {
  return relative(see(instance, links[z(link.parent)], link.parent, motion), link, see(instance, link, body, motion));
}

double gap(const Instance& instance, const TreeFrame<double>& frame, const Relative& seen) {
  const Vec3d off = frame.origin - seen.way;
  double widest = norm(off) / instance.length();
  for (std::size_t k = 0; k < 3; ++k) widest = std::max(widest, norm(frame.axes[k] - seen.axes[k]));
  return widest;
}

}  // namespace

Quaternion conjugate(const Quaternion& p) {
  return {p[0], -p[1], -p[2], -p[3]};
}

Quaternion quaternion_of(const Axes3& a) {
  // Shepperd, J. Guidance and Control 1, 1978: from the largest component.
  const std::array<double, 4> squares{1.0 + a[0].x + a[1].y + a[2].z, 1.0 + a[0].x - a[1].y - a[2].z,
                                      1.0 - a[0].x + a[1].y - a[2].z, 1.0 - a[0].x - a[1].y + a[2].z};
  const auto largest = static_cast<std::size_t>(std::max_element(squares.begin(), squares.end()) - squares.begin());
  const std::array<double, 3> off{a[1].z - a[2].y, a[2].x - a[0].z, a[0].y - a[1].x};
  const std::array<double, 3> sums{a[2].y + a[1].z, a[0].z + a[2].x, a[1].x + a[0].y};
  Quaternion p;
  if (largest == 0) p = {squares[0], off[0], off[1], off[2]};
  if (largest == 1) p = {off[0], squares[1], sums[2], sums[1]};
  if (largest == 2) p = {off[1], sums[2], squares[2], sums[0]};
  if (largest == 3) p = {off[2], sums[1], sums[0], squares[3]};
  const double scale = (p[0] < 0.0 ? -0.5 : 0.5) / std::sqrt(squares[largest]);
  for (double& part : p) part *= scale;
  return p;
}

bool closes(const Instance& instance, const std::vector<TreeLink>& links, const TreeLink& link, int body,
            const State& motion) {
  const Relative seen = seen_at(instance, links, link, body, motion);
  std::array<double, 8> q{}, v{};
  read(link, seen, q.data(), v.data());
  return gap(instance, rebuilt(link, q.data()), seen) < closed;
}

void set_sign(const Instance& instance, const std::vector<TreeLink>& links, TreeLink& link, int body,
              const State& motion) {
  if (has(link, TreeStep::turn) || has(link, TreeStep::ball)) return;
  const Relative seen = seen_at(instance, links, link, body, motion);
  std::array<double, 8> q{}, v{};
  read(link, seen, q.data(), v.data());
  if (sign_of(rebuilt(link, q.data()).turn, seen.turn) > 0.0) return;
  for (double& part : link.turn_before) part = -part;
}

State JointTree::from_bodies(const Instance& instance, const State& motion) const {
  State state = State::of_size(coordinates, 0);
  state.t = motion.t;
  for (const int b : order) {
    const TreeLink& link = links[z(b)];
    const Relative seen = seen_at(instance, links, link, b, motion);
    double* const q = state.q.data() + link.first;
    read(link, seen, q, state.v.data() + link.first);
    const TreeFrame<double> frame = rebuilt(link, q);
    if (!(gap(instance, frame, seen) < closed))
      throw StartFailure(StartFailure::Cause::unreachable_values,
                         "the start has the axes of \"" + instance.mechanism().joints[z(link.joint)].name +
                             "\" the other way round than the model's own start",
                         "write these values under [start] of the model");
    // Of an angle, whole turns decide on the sign of the quaternion.
    if (has(link, TreeStep::turn) && sign_of(frame.turn, seen.turn) < 0.0) {
      double& angle = q[link.size - 1];
      angle += angle > 0.0 ? -2.0 * std::numbers::pi : 2.0 * std::numbers::pi;
    }
  }
  return state;
}

}  // namespace raak
