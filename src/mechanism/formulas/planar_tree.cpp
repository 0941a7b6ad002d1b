#include "mechanism/formulas/planar_tree.h"

#include "base/linear/index.h"

namespace raak {
namespace {

// R d, and R d turned by a quarter: how it moves when the body turns.
struct Arm {
  Recorded x, y;
};
Arm rotated(const Recorded& angle, const Live& x, const Live& y) {
  const Recorded c = cos(angle);
  const Recorded s = sin(angle);
  return {c * x - s * y, s * x + c * y};
}
Arm turning(const Recorded& angle, const Vec3n& d) {
  return rotated(angle, -d.y, d.x);
}

}  // namespace

PlanarTree::PlanarTree(const Instance& instance, const SpanningTree& tree)
    : instance_(instance), tree_(tree), place_(instance.bodies().size(), -1) {
  const std::vector<Body>& bodies = instance.bodies();
  int next = 0;
  for (std::size_t b = 1; b < bodies.size(); ++b) {
    place_[b] = next;
    next += bodies[b].size - (is_free(b) ? 0 : 2);
  }
  std::vector<std::map<int, Vec3n>> arms(bodies.size());  // d_a of its centre, by body a
  std::vector<int> base(bodies.size(), 0);                // the free body that carries it; 0: none
  for (const int b : tree.order) {
    const Body& body = bodies[z(b)];
    if (body.ground) continue;
    const SpanningTree::Link& link = tree.links[z(b)];
    if (link.parent < 0) {
      base[z(b)] = b;
    } else {
      const Body& parent = bodies[z(link.parent)];
      base[z(b)] = base[z(link.parent)];
      arms[z(b)] = arms[z(link.parent)];
      if (turns(z(link.parent))) {
        Vec3n& there = arms[z(b)][link.parent];
        there = there + (parent.points.at(link.there.point) - parent.com);
      }
      if (turns(z(b))) arms[z(b)][b] = body.com - body.points.at(link.here.point);
    }
    if (turns(z(b))) pairs_[{b, b}].C += body.inertia[2];
    if (base[z(b)] > 0) carried_[base[z(b)]] += body.mass;
    for (const auto& [a, d] : arms[z(b)]) {
      for (const auto& [e, other] : arms[z(b)]) {
        if (e < a) continue;
        Pair& pair = pairs_[{a, e}];
        pair.C += body.mass * (d.x * other.x + d.y * other.y);
        if (a != e) pair.S += body.mass * (d.x * other.y - d.y * other.x);
      }
      if (base[z(b)] == 0) continue;
      Moment& moment = moments_[{base[z(b)], a}];
      moment.x += body.mass * d.x;
      moment.y += body.mass * d.y;
    }
  }
}

void PlanarTree::mass(const Reals& x, SymmetricEntries& M) const {
  for (const auto& [who, pair] : pairs_) {
    const auto [a, b] = who;
    const int i = angle_of(z(a));
    const int j = angle_of(z(b));
    if (i == j) {
      M(i, i) = pair.C.recorded();
      continue;
    }
    const Arm of_a = rotated(x[z(i)], 1.0, 0.0);
    const Arm of_b = rotated(x[z(j)], 1.0, 0.0);
    M(i, j) = pair.C * (of_a.x * of_b.x + of_a.y * of_b.y) - pair.S * (of_a.x * of_b.y - of_a.y * of_b.x);
  }
  for (const auto& [body, mass] : carried_)
    for (int k = 0; k < 2; ++k) M(place_[z(body)] + k, place_[z(body)] + k) = mass.recorded();
  for (const auto& [who, moment] : moments_) {
    const int j = angle_of(z(who.second));
    const Arm arm = turning(x[z(j)], {moment.x, moment.y, 0.0});
    M(place_[z(who.first)], j) = arm.x;
    M(place_[z(who.first)] + 1, j) = arm.y;
  }
}

// From the leaves to the ground: each body hands what acts on it and on all that it carries to its pin.
void PlanarTree::force(const Reals& x, const Reals& rates, const Reals& on_bodies, Reals& f) const {
  const std::vector<Body>& bodies = instance_.bodies();
  std::vector<Arm> total(bodies.size(), {0.0, 0.0});
  const auto turn = [&](int body, const Vec3n& d, const Arm& force) {
    if (!turns(z(body))) return;
    const int i = angle_of(z(body));
    const Arm arm = turning(x[z(i)], d);
    f[z(i)] += arm.x * force.x + arm.y * force.y;
  };
  for (std::size_t k = tree_.order.size(); k-- > 0;) {
    const int b = tree_.order[k];
    const Body& body = bodies[z(b)];
    if (body.ground) continue;
    const auto first = z(body.first);
    Arm& force = total[z(b)];
    const SpanningTree::Link& link = tree_.links[z(b)];
    if (turns(z(b))) f[z(angle_of(z(b)))] += on_bodies[first + 2];
    force = {force.x + on_bodies[first], force.y + on_bodies[first + 1]};
    if (link.parent < 0) {
      f[z(place_[z(b)])] += force.x;
      f[z(place_[z(b)]) + 1] += force.y;
      continue;
    }
    const Body& parent = bodies[z(link.parent)];
    const SpanningTree::Link& above = tree_.links[z(link.parent)];
    const Vec3n from = above.parent >= 0 ? parent.points.at(above.here.point) : parent.com;
    turn(link.parent, parent.points.at(link.there.point) - from, force);
    total[z(link.parent)] = {total[z(link.parent)].x + force.x, total[z(link.parent)].y + force.y};
  }
  add_inertia_forces(x, rates, f);
}

void PlanarTree::add_inertia_forces(const Reals& x, const Reals& rates, Reals& f) const {
  for (const auto& [who, pair] : pairs_) {
    const auto i = z(angle_of(z(who.first)));
    const auto j = z(angle_of(z(who.second)));
    if (i == j) continue;
    const Arm of_a = rotated(x[i], 1.0, 0.0);
    const Arm of_b = rotated(x[j], 1.0, 0.0);
    const Recorded bent = pair.C * (of_a.x * of_b.y - of_a.y * of_b.x) + pair.S * (of_a.x * of_b.x + of_a.y * of_b.y);
    f[i] += bent * (rates[j] * rates[j]);
    f[j] -= bent * (rates[i] * rates[i]);
  }
  for (const auto& [who, moment] : moments_) {
    const auto j = z(angle_of(z(who.second)));
    const Arm arm = rotated(x[j], moment.x, moment.y);
    f[z(place_[z(who.first)])] += arm.x * (rates[j] * rates[j]);
    f[z(place_[z(who.first)]) + 1] += arm.y * (rates[j] * rates[j]);
  }
}

}  // namespace raak
