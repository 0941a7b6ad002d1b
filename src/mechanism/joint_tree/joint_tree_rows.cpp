// Slopes, rates and multipliers of the rows of a joint tree.
#include <algorithm>

#include "base/reversed.h"
#include "base/tape/derivative.h"
#include "mechanism/bodies/catalogue.h"
#include "mechanism/joint_tree/joint_tree_formulas.h"

namespace raak {
namespace {

Wrench operator-(const Wrench& a, const Wrench& b) {
  return {a.force - b.force, a.moment - b.moment};
}
Wrench operator*(const Real& s, const Wrench& a) {
  return {s * a.force, s * a.moment};
}

}  // namespace

std::vector<std::vector<std::pair<int, Reals>>> JointTreeFormulas::slopes(const Reals& rows, const Reals& of,
                                                                          const Variables& variables, const Recorded& t,
                                                                          const Bodies& bodies) const {
  const std::vector<Gradient> by_variables = gradients(rows, of);
  // All at once: what they share is recorded once.
  Reals entries;
  for (const Gradient& row : by_variables)
    for (const auto& [i, slope] : row) entries.push_back(slope);
  entries = at(entries, variables, t, bodies);
  auto next = entries.begin();
  std::vector<std::vector<std::pair<int, Reals>>> result;
  for (const Gradient& row : by_variables) {
    auto& of_row = result.emplace_back();
    int body = 0;
    for (const auto& [i, slope] : row) {
      const std::vector<Body>& all = instance().bodies();
      while (i >= all[z(body)].first + all[z(body)].size || all[z(body)].size == 0) ++body;
      if (of_row.empty() || of_row.back().first != body)
        of_row.emplace_back(body, Reals(z(all[z(body)].size), Real(0.0)));
      of_row.back().second[z(i - all[z(body)].first)] = *next++;
    }
  }
  return result;
}

Gradient JointTreeFormulas::along_twists(const Motion& motion,
                                         const std::vector<std::pair<int, Wrench>>& on_bodies) const {
  Reals sums(z(tree_.coordinates), Real(0.0));
  for (const auto& [body, on] : on_bodies)
    for (int b = body; b > 0; b = tree_.links[z(b)].parent) {
      const TreeLink& link = tree_.links[z(b)];
      for (int j = link.first; j < link.first + link.size; ++j)
        sums[z(j)] += dot(motion.twist(j).turn, on.moment) + dot(motion.twist(j).slide, on.force);
    }
  Gradient result;
  for (int j = 0; j < tree_.coordinates; ++j)
    if (!sums[z(j)].is_zero()) result.emplace_back(j, sums[z(j)]);
  return result;
}

std::optional<std::vector<Gradient>> JointTreeFormulas::jacobian(const RecordedState& x) const {
  std::vector<Gradient> G;
  const Motion moves = motion(x.q, &x.v);
  const Bodies now = bodies(moves);
  const Variables at = variables();
  const auto add = [&](const Reals& rows, const Reals& of) {
    for (const auto& row : slopes(rows, of, at, x.t, now)) {
      std::vector<std::pair<int, Wrench>> on;
      for (const auto& [body, forces] : row)
        on.emplace_back(body, about_root(moves, body, wrench(moves, body, forces)));
      G.push_back(along_twists(moves, on));
    }
  };
  Reals position, velocity, chosen;
  maximal_->constraint(at.t, at.q, position);
  for (int i = 0; i < tree_.position_rows; ++i) chosen.push_back(position[tree_.rows[z(i)]]);
  add(chosen, at.q);
  for (const int first : tree_.balls) {
    Gradient& row = G.emplace_back();
    for (int k = first; k < first + 4; ++k) row.emplace_back(k, x.q[z(k)]);
  }
  maximal_->velocity_constraint(at.t, at.q, at.v, velocity);
  add(velocity, at.v);
  return G;
}

std::optional<Reals> JointTreeFormulas::velocity_residual(const RecordedState& x) const {
  const Bodies now = bodies(motion(x.q, &x.v));
  const Variables by = variables();
  Reals residual = rates(by, 1);
  residual = at(residual, by, x.t, now);
  return with_balls(std::move(residual), [&](int first) {
    Real sum(0.0);
    for (int k = first; k < first + 4; ++k) sum += x.q[z(k)] * x.v[z(k)];
    return sum;
  });
}

std::optional<Reals> JointTreeFormulas::bias(const RecordedState& x) const {
  const Bodies now = bodies(motion(x.q, &x.v));
  const Variables by = variables();
  Reals change = rates(by, 2);
  Bodies with = now;
  Variables all = by;
  // The accelerations of the bodies stand in the place of further variables.
  all.v.insert(all.v.end(), by.a.begin(), by.a.end());
  with.v.insert(with.v.end(), now.a.begin(), now.a.end());
  change = at(change, all, x.t, with);
  for (Real& entry : change) entry = -entry;
  return with_balls(std::move(change), [&](int first) {
    Real sum(0.0);
    for (int k = first; k < first + 4; ++k) sum -= x.v[z(k)] * x.v[z(k)];
    return sum;
  });
}

Reals JointTreeFormulas::rates(const Variables& x, int times) const {
  Reals position, velocity, rows;
  maximal_->constraint(x.t, x.q, position);
  for (int i = 0; i < tree_.position_rows; ++i) rows.push_back(position[tree_.rows[z(i)]]);
  Reals from{x.t}, to{Real(1.0)};
  from.insert(from.end(), x.q.begin(), x.q.end());
  to.insert(to.end(), x.v.begin(), x.v.end());
  rows = derivative_along(rows, from, to);
  maximal_->velocity_constraint(x.t, x.q, x.v, velocity);
  rows.insert(rows.end(), velocity.begin(), velocity.end());
  if (times == 1) return rows;
  from.insert(from.end(), x.v.begin(), x.v.end());
  to.insert(to.end(), x.a.begin(), x.a.end());
  return derivative_along(rows, from, to);
}

Reals JointTreeFormulas::multipliers(const RecordedState& x) const {
  const Motion moves = motion(x.q, &x.v, &x.a);
  const Bodies now = bodies(moves);
  std::vector<Wrench> left = unbalanced(x.t, moves, now, own_);
  const Variables at = variables();
  const std::size_t kept = maximal_->kept().size(), positions = z(maximal_->position_rows());
  Reals lambda(kept, Real(0.0)), rows, velocity;
  maximal_->constraint(at.t, at.q, rows);
  auto on_bodies = slopes(rows, at.q, at, x.t, now);
  maximal_->velocity_constraint(at.t, at.q, at.v, velocity);
  for (auto& row : slopes(velocity, at.v, at, x.t, now)) on_bodies.push_back(std::move(row));
  const auto of_row = [&](int body, const Reals& forces) {
    return about_root(moves, body, wrench(moves, body, forces));
  };
  const auto take = [&](std::size_t row) {
    for (const auto& [body, forces] : on_bodies[row])
      left[z(body)] = left[z(body)] - lambda[row] * of_row(body, forces);
  };
  for (std::size_t i = 0; i < tree_.rows.size(); ++i) {
    // Of the state: positions, quaternions, velocities.
    const bool of_positions = tree_.rows[i] < positions;
    lambda[tree_.rows[i]] = x.lambda[of_positions ? i : i + tree_.balls.size()];
    take(tree_.rows[i]);
  }
  for (const int b : reversed(tree_.order)) {
    const Vector3 origin = moves.from_root(b, {});
    // Rows that push, then those that only turn: each by its own part, so that no length is compared with an angle,
    // however far the bodies have slid along each other.
    for (const bool turns : {false, true}) {
      std::vector<std::size_t> of_joint;
      std::vector<Vector3> parts;
      for (const std::size_t row : tree_.links[z(b)].rows) {
        const auto on = std::find_if(on_bodies[row].begin(), on_bodies[row].end(),
                                     [&](const auto& entry) { return entry.first == b; });
        const Wrench unit = of_row(b, on->second);
        const bool pushes = !(unit.force.x.is_zero() && unit.force.y.is_zero() && unit.force.z.is_zero());
        if (pushes == turns) continue;
        of_joint.push_back(row);
        parts.push_back(turns ? unit.moment : unit.force);
      }
      const Wrench& carried = left[z(b)];
      const Vector3 whole = turns ? carried.moment - cross(origin, carried.force) : carried.force;
      SymmetricEntries products(static_cast<int>(parts.size()));
      Reals right;
      for (std::size_t i = 0; i < parts.size(); ++i) {
        for (std::size_t k = 0; k <= i; ++k)
          products(static_cast<int>(i), static_cast<int>(k)) = dot(parts[i], parts[k]);
        right.push_back(dot(parts[i], whole));
      }
      SparseLdl(products).solve(right);
      for (std::size_t i = 0; i < of_joint.size(); ++i) {
        lambda[of_joint[i]] = right[i];
        take(of_joint[i]);
      }
    }
  }
  return lambda;
}

}  // namespace raak
