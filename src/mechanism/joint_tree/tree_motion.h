// Where the bodies of a joint tree are and how they move, from the root outwards, over any scalar type. In ground axes:
// for a frame whose origin is r from that of its parent
//   v = v_p + w_p x r + r',  a = a_p + w'_p x r + w_p x (w_p x r) + 2 w_p x r' + r''  (r', r'': as the parent sees
//   them).
// Featherstone, Rigid Body Dynamics Algorithms, 2008, chapters 2 and 4.
#pragma once
#include <type_traits>
#include <vector>

#include "base/linear/index.h"
#include "mechanism/bodies/catalogue.h"
#include "mechanism/bodies/quaternion.h"
#include "mechanism/joint_tree/joint_tree.h"

namespace raak {

template <class Real>
Real number_now(const Live& number) {
  if constexpr (std::is_same_v<Real, double>) return number.now();
  else return number.recorded();
}
template <class Real>
Vec3<Real> vector_now(const Vec3n& a) {
  return {number_now<Real>(a.x), number_now<Real>(a.y), number_now<Real>(a.z)};
}

// A vector of a frame in ground axes.
template <class Real, class Number>
Vec3<Real> along(const Axes<Real>& axes, const Vec3<Number>& a) {
  return Real(a.x) * axes[0] + Real(a.y) * axes[1] + Real(a.z) * axes[2];
}
template <class Real>
Axes<Real> turned(const Axes<Real>& axes, const Axes<double>& by) {
  return {along(axes, by[0]), along(axes, by[1]), along(axes, by[2])};
}
template <class Real>
Axes<Real> ground_axes() {
  return {{{Real(1.0), Real(0.0), Real(0.0)}, {Real(0.0), Real(1.0), Real(0.0)}, {Real(0.0), Real(0.0), Real(1.0)}}};
}

// a b.
template <class Real, class Other>
std::array<Real, 4> quaternion_product(const std::array<Real, 4>& a, const std::array<Other, 4>& b) {
  return {b[0] * a[0] - b[1] * a[1] - b[2] * a[2] - b[3] * a[3], b[1] * a[0] + b[0] * a[1] + b[3] * a[2] - b[2] * a[3],
          b[2] * a[0] - b[3] * a[1] + b[0] * a[2] + b[1] * a[3], b[3] * a[0] + b[2] * a[1] - b[1] * a[2] + b[0] * a[3]};
}

template <class Real>
struct TreeFrame {
  using Vector3 = Vec3<Real>;
  Axes<Real> axes = ground_axes<Real>();
  std::array<Real, 4> turn{Real(1.0), Real(0.0), Real(0.0), Real(0.0)};
  Vector3 origin, from_root;  // from_root: from a point of this moment that the bodies on one root share
  Vector3 omega, velocity, alpha, acceleration;
};

// The velocities for a unit rate of one coordinate: the angular one, and that of the point that the bodies share.
template <class Real>
struct Twist {
  Vec3<Real> turn, slide;
};

template <class Real>
class TreeMotion {
 public:
  using Vector3 = Vec3<Real>;

  // Accelerations are those for the rates of the rates, or for none. Null rates: velocities are not wanted.
  TreeMotion(const JointTree& tree, const Real* q, const Real* rates, const Real* accelerations)
      : q_(q), rates_(rates), accelerations_(accelerations), frames_(tree.links.size()), twists_(z(tree.coordinates)) {
    for (const int b : tree.order) place(tree.links[z(b)], frames_[z(tree.links[z(b)].parent)], frames_[z(b)]);
  }

  const TreeFrame<Real>& frame(int body) const { return frames_[z(body)]; }
  const Twist<Real>& twist(int coordinate) const { return twists_[z(coordinate)]; }
  // A point of a body from the point that twists and moments belong to.
  Vector3 from_root(int body, const Vector3& from_origin) const { return frames_[z(body)].from_root + from_origin; }

 private:
  void place(const TreeLink& link, const TreeFrame<Real>& parent, TreeFrame<Real>& frame) {
    frame = parent;
    move(frame, along(frame.axes, vector_now<Real>(link.offset)));
    const bool on_ground = link.parent == 0;
    if (on_ground) frame.from_root = {};
    frame.axes = turned(frame.axes, link.before);
    frame.turn = quaternion_product(frame.turn, link.turn_before);
    int next = link.first;
    for (const TreeStep step : link.steps) {
      switch (step) {
        case TreeStep::slide_x:
        case TreeStep::slide_y:
        case TreeStep::slide_z: {
          const Vector3 axis = frame.axes[static_cast<std::size_t>(step)];
          twists_[z(next)] = {{}, axis};
          slide(frame, axis, q_[next], rate(next), acceleration(next), on_ground);
          break;
        }
        case TreeStep::turn:
          twists_[z(next)] = {frame.axes[2], cross(frame.from_root, frame.axes[2])};
          turn(frame, next);
          break;
        case TreeStep::thread: {
          const Vector3 axis = frame.axes[2];
          const Real lead = number_now<Real>(link.lead), phase = number_now<Real>(link.phase);
          twists_[z(next)] = {axis, cross(frame.from_root, axis) + lead * axis};
          if (link.lead.pinned_sign() == 0) slide(frame, axis, phase, Real(0.0), Real(0.0), on_ground);
          else slide(frame, axis, lead * (q_[next] - phase), lead * rate(next), lead * acceleration(next), on_ground);
          turn(frame, next);
          break;
        }
        case TreeStep::cross:
          frame.axes = {frame.axes[1], frame.axes[2], frame.axes[0]};
          frame.turn = quaternion_product(frame.turn, std::array<double, 4>{0.5, 0.5, 0.5, 0.5});
          continue;
        case TreeStep::ball:
          ball(frame, next);
          next += 3;
          break;
      }
      ++next;
    }
  }
  Real rate(int i) const { return rates_ != nullptr ? rates_[i] : Real(0.0); }
  Real acceleration(int i) const { return accelerations_ != nullptr ? accelerations_[i] : Real(0.0); }

  // To another point of the same body.
  void move(TreeFrame<Real>& frame, const Vector3& by) {
    frame.origin = frame.origin + by;
    frame.from_root = frame.from_root + by;
    if (rates_ == nullptr) return;
    const Vector3 around = cross(frame.omega, by);
    frame.velocity = frame.velocity + around;
    frame.acceleration = frame.acceleration + (cross(frame.alpha, by) + cross(frame.omega, around));
  }
  void slide(TreeFrame<Real>& frame, const Vector3& axis, const Real& by, const Real& speed, const Real& change,
             bool with_root) {
    const Vector3 root = frame.from_root;
    move(frame, by * axis);
    if (with_root) frame.from_root = root;
    if (rates_ == nullptr) return;
    const Vector3 own = speed * axis;
    frame.velocity = frame.velocity + own;
    frame.acceleration = frame.acceleration + (Real(2.0) * cross(frame.omega, own) + change * axis);
  }
  void turn(TreeFrame<Real>& frame, int coordinate) {
    using std::cos;
    using std::sin;
    const Real half = Real(0.5) * q_[coordinate];
    const Real c = cos(half), s = sin(half);
    frame.turn = quaternion_product(frame.turn, std::array<Real, 4>{c, Real(0.0), Real(0.0), s});
    const Real cosine = c * c - s * s, sine = Real(2.0) * (s * c);
    const auto [x, y, axis] = frame.axes;
    frame.axes[0] = cosine * x + sine * y;
    frame.axes[1] = cosine * y - sine * x;
    if (rates_ == nullptr) return;
    spin(frame, rates_[coordinate] * axis, acceleration(coordinate) * axis);
  }
  // Adds a rotation, as its parent sees it.
  void spin(TreeFrame<Real>& frame, const Vector3& own, const Vector3& change) {
    frame.alpha = frame.alpha + (cross(frame.omega, own) + change);
    frame.omega = frame.omega + own;
  }
  // A quaternion of any length says which way: w = 2 E q' / |q|^2.
  void ball(TreeFrame<Real>& frame, int first) {
    using std::sqrt;
    const std::array<Real, 4> p{q_[first], q_[first + 1], q_[first + 2], q_[first + 3]};
    const auto product = [&](const Real* with) {
      return p[0] * with[0] + p[1] * with[1] + p[2] * with[2] + p[3] * with[3];
    };
    const Real inverse = Real(1.0) / product(p.data());
    const Axes<Real> before = frame.axes;
    const auto spin_of = [&](const Real* rate) { return along(before, inverse * ground_turn(2.0, p, rate)); };
    for (int k = 0; k < 4; ++k) {
      std::array<Real, 4> one{Real(0.0), Real(0.0), Real(0.0), Real(0.0)};
      one[z(k)] = Real(1.0);
      const Vector3 turn = spin_of(one.data());
      twists_[z(first + k)] = {turn, cross(frame.from_root, turn)};
    }
    const Real root = sqrt(inverse);
    frame.turn =
        quaternion_product(frame.turn, std::array<Real, 4>{root * p[0], root * p[1], root * p[2], root * p[3]});
    const auto R = Rotation<Real>::of_quaternion(p[0], p[1], p[2], p[3]);
    for (int k = 0; k < 3; ++k)
      frame.axes[z(k)] = along(before, inverse * Vector3{R.row[0][k], R.row[1][k], R.row[2][k]});
    if (rates_ == nullptr) return;
    // E(q') q' = 0.
    const Vector3 own = spin_of(rates_ + first);
    Vector3 change = (Real(-2.0) * product(rates_ + first) * inverse) * own;
    if (accelerations_ != nullptr) change = change + spin_of(accelerations_ + first);
    spin(frame, own, change);
  }

  const Real *q_, *rates_, *accelerations_;
  std::vector<TreeFrame<Real>> frames_;
  std::vector<Twist<Real>> twists_;
};

// The coordinates of the bodies with their rates, and the rates of these.
template <class Real>
struct BodyMotions {
  std::vector<Real> q, v, a;
};

// `own`: JointTree::inertias().
template <class Real>
BodyMotions<Real> bodies_of(const Instance& instance, const JointTree& tree, const std::vector<RigidInertia>& own,
                            const TreeMotion<Real>& motion) {
  BodyMotions<Real> result;
  result.q.resize(z(instance.coordinates()), Real(0.0));
  result.v = result.a = result.q;
  for (const int b : tree.order) {
    const Body& body = instance.bodies()[z(b)];
    const TreeFrame<Real>& frame = motion.frame(b);
    const auto first = z(body.first);
    const Vec3<Real> c = along(frame.axes, vector_now<Real>(own[z(b)].centre));
    const Vec3<Real> around = cross(frame.omega, c);
    const Vec3<Real> at = frame.origin + c, v = frame.velocity + around;
    const Vec3<Real> a = frame.acceleration + (cross(frame.alpha, c) + cross(frame.omega, around));
    for (int i = 0; i < 3; ++i) {
      result.q[first + z(i)] = at[i];
      result.v[first + z(i)] = v[i];
      result.a[first + z(i)] = a[i];
    }
    if (body.kind->turning == 0) continue;
    // p' = E'w / 2, p'' = E'w' / 2 - |w|^2 p / 4.
    const std::array<Real, 4> p = quaternion_product(frame.turn, tree.links[z(b)].turn_after);
    const auto rate = along_quaternion(0.5, p, frame.omega), change = along_quaternion(0.5, p, frame.alpha);
    const Real quarter = 0.25 * dot(frame.omega, frame.omega);
    for (std::size_t k = 0; k < 4; ++k) {
      result.q[first + 3 + k] = p[k];
      result.v[first + 3 + k] = rate[k];
      result.a[first + 3 + k] = change[k] - quarter * p[k];
    }
  }
  return result;
}

// The same in numbers, from q, v and a of a state; multipliers are left out.
State bodies_of_tree(const Instance& instance, const JointTree& tree, const std::vector<RigidInertia>& own,
                     const State& state);

}  // namespace raak
