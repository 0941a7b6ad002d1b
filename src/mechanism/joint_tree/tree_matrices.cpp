#include "mechanism/joint_tree/tree_matrices.h"

#include <algorithm>
#include <cmath>
#include <ranges>

#include "mechanism/joint_tree/tree_motion.h"

namespace raak {
namespace {

// A body with all that it carries, about the point that the bodies on its root share.
struct Carried {
  double mass = 0.0;
  Vec3d centre;                   // times mass
  std::array<Vec3d, 3> second{};  // rows
};

std::array<Vec3d, 3> turned_inertia(const RigidInertia& of, const Axes<double>& e) {
  std::array<double, 6> I;
  for (std::size_t i = 0; i < 6; ++i) I[i] = of.about_centre[i].now();
  std::array<Vec3d, 3> rows;
  for (std::size_t k = 0; k < 3; ++k) {
    const int row = static_cast<int>(k);
    rows[k] = along(e, times_inertia(I, Vec3d{e[0][row], e[1][row], e[2][row]}));
  }
  return rows;
}

Vec3d times(const std::array<Vec3d, 3>& rows, const Vec3d& a) {
  return {dot(rows[0], a), dot(rows[1], a), dot(rows[2], a)};
}

bool has_ball(const TreeLink& link) {
  return std::find(link.steps.begin(), link.steps.end(), TreeStep::ball) != link.steps.end();
}

// Differences to both sides, column by column.
template <class Function>
void differentiate(const Vector& at, const Vector& scales, Function&& function, Matrix& slopes) {
  constexpr double small = 6e-6;  // the third root of the rounding error
  Vector x = at;
  for (Eigen::Index i = 0; i < at.size(); ++i) {
    const double h = small * std::max(scales[i], std::abs(at[i]));
    x[i] = at[i] + h;
    const double ahead = x[i];
    slopes.col(i) = function(x);
    x[i] = at[i] - h;
    slopes.col(i) = (slopes.col(i) - function(x)) / (ahead - x[i]);
    x[i] = at[i];
  }
}

}  // namespace

template <class Entry>
void TreeMatrices::for_each_entry(const Vector& q, bool diagonal_only, Entry&& entry) const {
  const TreeMotion<double> motion(tree_, q.data(), nullptr, nullptr);
  std::vector<Carried> carried(tree_.links.size());
  for (const int b : std::views::reverse(tree_.order)) {
    const TreeLink& link = tree_.links[z(b)];
    const RigidInertia& own = moved_[z(b)];
    const Axes<double>& e = motion.frame(b).axes;
    const Vec3d c = motion.from_root(b, along(e, now(own.centre)));
    const double mass = own.mass.now();
    const std::array<Vec3d, 3> about_centre = turned_inertia(own, e);
    Carried& all = carried[z(b)];
    all.mass += mass;
    all.centre = all.centre + mass * c;
    for (int k = 0; k < 3; ++k) {
      Vec3d& row = all.second[z(k)];
      row = row + about_centre[z(k)] - (mass * c[k]) * c;
      row[k] += mass * dot(c, c);
    }
    for (int j = link.first; j < link.first + link.size; ++j) {
      const Twist<double>& S = motion.twist(j);
      const Vec3d n = times(all.second, S.turn) + cross(all.centre, S.slide);
      const Vec3d f = all.mass * S.slide - cross(all.centre, S.turn);
      const auto with = [&](int k) { return dot(motion.twist(k).turn, n) + dot(motion.twist(k).slide, f); };
      if (diagonal_only) {
        entry(j, j, with(j));
        continue;
      }
      for (int k = link.first; k <= j; ++k) entry(j, k, with(k));
      for (int a = link.parent; a > 0; a = tree_.links[z(a)].parent)
        for (int k = tree_.links[z(a)].first; k < tree_.links[z(a)].first + tree_.links[z(a)].size; ++k)
          entry(j, k, with(k));
    }
    if (has_ball(link)) {
      const double extra = inertia_along_quaternion(instance_.bodies()[z(b)], link).now();
      const int p = link.first + link.size - 4;
      for (int i = p; i < p + 4; ++i)
        for (int k = diagonal_only ? i : p; k <= i; ++k) entry(i, k, extra * (q[i] * q[k]));
    }
    if (link.parent == 0) continue;
    Carried& parent = carried[z(link.parent)];
    parent.mass += all.mass;
    parent.centre = parent.centre + all.centre;
    for (std::size_t k = 0; k < 3; ++k) parent.second[k] = parent.second[k] + all.second[k];
  }
}

void TreeMatrices::mass(const Vector& q, Matrix& M) const {
  M.setZero(tree_.coordinates, tree_.coordinates);
  for_each_entry(q, false, [&](int i, int k, double value) {
    M(i, k) += value;
    if (i != k) M(k, i) += value;
  });
}

void TreeMatrices::mass_diagonal(const Vector& q, Vector& diagonal) const {
  diagonal.setZero(tree_.coordinates);
  for_each_entry(q, true, [&](int i, int, double value) { diagonal[i] += value; });
}

Vector TreeMatrices::needed(const Vector& q, const Vector& v, const Vector& a, bool falls) const {
  const TreeMotion<double> motion(tree_, q.data(), v.data(), a.data());
  const Vec3d gravity = now(instance_.gravity());
  std::vector<Vec3d> forces(tree_.links.size()), moments(tree_.links.size());
  Vector result = Vector::Zero(tree_.coordinates);
  for (const int b : std::views::reverse(tree_.order)) {
    const TreeLink& link = tree_.links[z(b)];
    const RigidInertia& of = moved_[z(b)];
    const TreeFrame<double>& frame = motion.frame(b);
    const Vec3d c = along(frame.axes, now(of.centre));
    Vec3d acceleration = frame.acceleration + cross(frame.alpha, c) + cross(frame.omega, cross(frame.omega, c));
    if (falls) acceleration = acceleration - gravity;
    const Vec3d own = of.mass.now() * acceleration;
    const std::array<Vec3d, 3> I = turned_inertia(of, frame.axes);
    const Vec3d force = forces[z(b)] + own;
    const Vec3d moment = moments[z(b)] + times(I, frame.alpha) + cross(frame.omega, times(I, frame.omega)) +
                         cross(motion.from_root(b, c), own);
    for (int j = link.first; j < link.first + link.size; ++j)
      result[j] += dot(motion.twist(j).turn, moment) + dot(motion.twist(j).slide, force);
    if (has_ball(link)) {
      const int p = link.first + link.size - 4;
      const double extra = inertia_along_quaternion(instance_.bodies()[z(b)], link).now();
      result.segment(p, 4) += extra * q.segment(p, 4).dot(a.segment(p, 4)) * q.segment(p, 4);
    }
    if (link.parent == 0) continue;
    forces[z(link.parent)] = forces[z(link.parent)] + force;
    moments[z(link.parent)] = moments[z(link.parent)] + moment;
  }
  return result;
}

void TreeMatrices::force(double t, const Vector& q, const Vector& v, Vector& f) const {
  f = -needed(q, v, Vector::Zero(q.size()), true);
  if (applied_) applied_(t, q, v, f);
}

void TreeMatrices::force_derivatives(double t, const Vector& q, const Vector& v, const Vector& scales, Matrix& f_q,
                                     Matrix& f_v) const {
  Vector f(q.size());
  const auto at = [&](const Vector& position, const Vector& rate) {
    force(t, position, rate, f);
    return f;
  };
  differentiate(
      q, scales, [&](const Vector& x) { return at(x, v); }, f_q);
  differentiate(
      v, scales, [&](const Vector& x) { return at(q, x); }, f_v);
}

void TreeMatrices::inertia_stiffness(const State& state, const Vector& scales, Matrix& K) const {
  const Vector still = Vector::Zero(state.q.size());
  differentiate(
      state.q, scales, [&](const Vector& x) { return needed(x, still, state.a, false); }, K);
  for (std::size_t i = 0; i < tree_.balls.size(); ++i)
    for (int k = tree_.balls[i]; k < tree_.balls[i] + 4; ++k) K(k, k) += state.lambda[static_cast<Eigen::Index>(i)];
}

void TreeMatrices::constraint(const Vector& q, Vector& g) const {
  for (std::size_t i = 0; i < tree_.balls.size(); ++i)
    g[static_cast<Eigen::Index>(i)] = 0.5 * (q.segment(tree_.balls[i], 4).squaredNorm() - 1.0);
}

void TreeMatrices::velocity_constraint(const Vector& q, const Vector& v, Vector& c) const {
  for (std::size_t i = 0; i < tree_.balls.size(); ++i)
    c[static_cast<Eigen::Index>(i)] = q.segment(tree_.balls[i], 4).dot(v.segment(tree_.balls[i], 4));
}

void TreeMatrices::jacobian(const Vector& q, Matrix& G) const {
  G.setZero();
  for (std::size_t i = 0; i < tree_.balls.size(); ++i)
    G.row(static_cast<Eigen::Index>(i)).segment(tree_.balls[i], 4) = q.segment(tree_.balls[i], 4).transpose();
}

void TreeMatrices::bias(const Vector& v, Vector& bias) const {
  for (std::size_t i = 0; i < tree_.balls.size(); ++i)
    bias[static_cast<Eigen::Index>(i)] = -v.segment(tree_.balls[i], 4).squaredNorm();
}

Live inertia_along_quaternion(const Body& body, const TreeLink& link) {
  const Vec3n arm = body.com - link.reference;
  const Live square = arm.x * arm.x + arm.y * arm.y + arm.z * arm.z;
  return 4.0 / 3.0 * (body.inertia[0] + body.inertia[1] + body.inertia[2] + 2.0 * body.mass * square);
}

}  // namespace raak
