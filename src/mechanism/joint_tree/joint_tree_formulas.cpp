#include "mechanism/joint_tree/joint_tree_formulas.h"

#include <algorithm>
#include <ranges>

#include "base/tape/derivative.h"
#include "base/tape/substitution.h"
#include "mechanism/bodies/catalogue.h"
#include "system/recorded/recording.h"

namespace raak {
namespace {

Vector3 operator*(const std::array<Real, 6>& I, const Vector3& a) {
  return times_inertia(I, a);
}

// m (c'c 1 - c c') with h = m c.
std::array<Real, 6> second_moment(const Vector3& h, const Vector3& c) {
  const Real xx = h.x * c.x, yy = h.y * c.y, zz = h.z * c.z;
  return {yy + zz, xx + zz, xx + yy, -(h.x * c.y), -(h.x * c.z), -(h.y * c.z)};
}

Reals some(const Reals& all, const std::vector<std::size_t>& places, std::size_t first, std::size_t last) {
  Reals result;
  for (std::size_t i = first; i < last; ++i) result.push_back(all[places[i]]);
  return result;
}

Real square(const Reals& q, int first) {
  Real sum(0.0);
  for (std::size_t k = 0; k < 4; ++k) sum += q[z(first) + k] * q[z(first) + k];
  return sum;
}

}  // namespace

JointTreeFormulas::JointTreeFormulas(std::shared_ptr<const MaximalFormulas> maximal, JointTree tree)
    : maximal_(std::move(maximal)),
      tree_(std::move(tree)),
      own_(tree_.inertias(maximal_->instance())),
      moved_(tree_.welded(own_)) {}

JointTreeFormulas::Motion JointTreeFormulas::motion(const Reals& q, const Reals* v, const Reals* a) const {
  return {tree_, q.data(), v != nullptr ? v->data() : nullptr, a != nullptr ? a->data() : nullptr};
}

std::array<Real, 4> JointTreeFormulas::quaternion(const Motion& motion, int body) const {
  return quaternion_product(motion.frame(body).turn, tree_.links[z(body)].turn_after);
}

Vector3 JointTreeFormulas::centre_from_origin(const Motion& motion, int body) const {
  return along(motion.frame(body).axes, lifted(own_[z(body)].centre));
}

JointTreeFormulas::Bodies JointTreeFormulas::bodies(const Motion& motion) const {
  return bodies_of(instance(), tree_, own_, motion);
}

JointTreeFormulas::Variables JointTreeFormulas::variables() const {
  Variables result;
  result.t = Tape::current().new_input(block_of_variables);
  for (Reals* part : {&result.q, &result.v, &result.a})
    for (int i = 0; i < instance().coordinates(); ++i) part->push_back(Tape::current().new_input(block_of_variables));
  return result;
}

Reals JointTreeFormulas::at(const Reals& values, const Variables& variables, const Recorded& t,
                            const Bodies& bodies) const {
  Reals from{variables.t}, to{t};
  from.insert(from.end(), variables.q.begin(), variables.q.end());
  from.insert(from.end(), variables.v.begin(), variables.v.end());
  to.insert(to.end(), bodies.q.begin(), bodies.q.end());
  to.insert(to.end(), bodies.v.begin(), bodies.v.end());
  return substitute(values, from, to);
}

std::array<Real, 6> JointTreeFormulas::turned_inertia(const Motion& motion, int body, const RigidInertia& of) const {
  const Axes<Real>& e = motion.frame(body).axes;
  const std::array<Live, 6>& I = of.about_centre;
  if (I[3].now() == 0.0 && I[4].now() == 0.0 && I[5].now() == 0.0 && !I[3].may_change() && !I[4].may_change() &&
      !I[5].may_change()) {
    // Izz 1 + (Ixx - Izz) x x' + (Iyy - Izz) y y'.
    const Vector3 x = (I[0] - I[2]).recorded() * e[0], y = (I[1] - I[2]).recorded() * e[1];
    const Real all = I[2].recorded();
    const auto entry = [&](int i, int j) { return x[i] * e[0][j] + y[i] * e[1][j]; };
    return {all + entry(0, 0), all + entry(1, 1), all + entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2)};
  }
  std::array<Real, 6> own;
  for (std::size_t i = 0; i < 6; ++i) own[i] = I[i].recorded();
  const Axes<Real> columns{along(e, Vector3{own[0], own[3], own[4]}), along(e, Vector3{own[3], own[1], own[5]}),
                           along(e, Vector3{own[4], own[5], own[2]})};
  const auto entry = [&](int i, int j) {
    return columns[0][i] * e[0][j] + columns[1][i] * e[1][j] + columns[2][i] * e[2][j];
  };
  return {entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2)};
}

JointTreeFormulas::Inertia JointTreeFormulas::inertia(const Motion& motion, int b) const {
  const RigidInertia& own = moved_[z(b)];
  const Vector3 c = motion.from_root(b, along(motion.frame(b).axes, lifted(own.centre)));
  const Real mass = own.mass.recorded();
  Inertia result{mass, mass * c, turned_inertia(motion, b, own)};
  const std::array<Real, 6> carried = second_moment(result.centre, c);
  for (std::size_t i = 0; i < 6; ++i) result.second[i] += carried[i];
  return result;
}

void JointTreeFormulas::mass(const Recorded& /*t*/, const Reals& q, SymmetricEntries& M) const {
  const Motion moves = motion(q);
  std::vector<Inertia> carried(tree_.links.size());
  for (const int b : std::views::reverse(tree_.order)) {
    const TreeLink& link = tree_.links[z(b)];
    Inertia& all = carried[z(b)];
    const Inertia own = inertia(moves, b);
    const auto add = [](Inertia& to, const Inertia& from) {
      to.mass += from.mass;
      to.centre = to.centre + from.centre;
      for (std::size_t i = 0; i < 6; ++i) to.second[i] += from.second[i];
    };
    add(all, own);
    if (link.parent > 0) add(carried[z(link.parent)], all);
    for (int j = link.first; j < link.first + link.size; ++j) {
      const Twist<Real>& S = moves.twist(j);
      const Vector3 n = all.second * S.turn + cross(all.centre, S.slide);
      const Vector3 f = all.mass * S.slide - cross(all.centre, S.turn);
      const auto with = [&](int k) { return dot(moves.twist(k).turn, n) + dot(moves.twist(k).slide, f); };
      for (int k = link.first; k <= j; ++k) M(j, k) += with(k);
      for (int a = link.parent; a > 0; a = tree_.links[z(a)].parent)
        for (int k = tree_.links[z(a)].first; k < tree_.links[z(a)].first + tree_.links[z(a)].size; ++k)
          if (const Real entry = with(k); !entry.is_zero()) M(j, k) += entry;
    }
  }
  for (const int b : tree_.order) {
    const TreeLink& link = tree_.links[z(b)];
    if (std::find(link.steps.begin(), link.steps.end(), TreeStep::ball) == link.steps.end()) continue;
    const Body& body = instance().bodies()[z(b)];
    const Real extra = inertia_along_quaternion(body, link).recorded();
    const int p = link.first + link.size - 4;
    for (int i = 0; i < 4; ++i)
      for (int k = 0; k <= i; ++k) M(p + i, p + k) += extra * (q[z(p + i)] * q[z(p + k)]);
  }
}

Wrench JointTreeFormulas::wrench(const Motion& motion, int b, const Reals& forces) const {
  const Body& body = instance().bodies()[z(b)];
  Wrench result{{forces[0], forces[1], forces[2]}, {}};
  if (body.kind->turning > 0) result.moment = ground_turn(0.5, quaternion(motion, b), forces.data() + 3);
  return result;
}

Wrench JointTreeFormulas::about_root(const Motion& motion, int b, const Wrench& about_centre) const {
  const Vector3 c = motion.from_root(b, centre_from_origin(motion, b));
  return {about_centre.force, about_centre.moment + cross(c, about_centre.force)};
}

std::vector<Wrench> JointTreeFormulas::applied(const Recorded& t, const Motion& motion, const Bodies& bodies) const {
  const Variables x = variables();
  Reals all(x.q.size(), Real(0.0));
  maximal_->applied_force(x.t, x.q, x.v, all);
  all = at(all, x, t, bodies);
  std::vector<Wrench> result(tree_.links.size());
  for (const int b : tree_.order) {
    const Body& body = instance().bodies()[z(b)];
    if (body.counter) continue;  // nothing acts on it, weight included
    const auto first = all.begin() + body.first;
    result[z(b)] = about_root(motion, b, wrench(motion, b, {first, first + body.size}));
  }
  return result;
}

std::vector<Wrench> JointTreeFormulas::unbalanced(const Recorded& t, const Motion& motion, const Bodies& bodies,
                                                  const std::vector<RigidInertia>& inertias) const {
  std::vector<Wrench> result = applied(t, motion, bodies);
  for (const int b : tree_.order) {
    if (instance().bodies()[z(b)].counter) continue;
    const Wrench inertia = inertia_force(motion, b, inertias[z(b)]);
    result[z(b)] = {result[z(b)].force - inertia.force, result[z(b)].moment - inertia.moment};
  }
  return result;
}

Wrench JointTreeFormulas::inertia_force(const Motion& motion, int b, const RigidInertia& of) const {
  const TreeFrame<Real>& frame = motion.frame(b);
  const Vector3 c = along(frame.axes, lifted(of.centre));
  const Vector3 fall = frame.acceleration - lifted(instance().gravity());
  const Vector3 a = fall + (cross(frame.alpha, c) + cross(frame.omega, cross(frame.omega, c)));
  const Vector3 force = of.mass.recorded() * a;
  const std::array<Real, 6> I = turned_inertia(motion, b, of);
  const Vector3 moment = I * frame.alpha + cross(frame.omega, I * frame.omega);
  return {force, moment + cross(motion.from_root(b, c), force)};
}

void JointTreeFormulas::force(const Recorded& t, const Reals& q, const Reals& v, Reals& f) const {
  const Motion moves = motion(q, &v);
  add_along_twists(moves, unbalanced(t, moves, bodies(moves), moved_), f);
}

Reals JointTreeFormulas::applied_force(const Recorded& t, const Reals& q, const Reals& v) const {
  const Motion moves = motion(q, &v);
  Reals f(q.size(), Real(0.0));
  add_along_twists(moves, applied(t, moves, bodies(moves)), f);
  return f;
}

void JointTreeFormulas::add_along_twists(const Motion& moves, std::vector<Wrench> on, Reals& f) const {
  for (const int b : std::views::reverse(tree_.order)) {
    const TreeLink& link = tree_.links[z(b)];
    const Wrench& own = on[z(b)];
    for (int j = link.first; j < link.first + link.size; ++j)
      f[z(j)] += dot(moves.twist(j).turn, own.moment) + dot(moves.twist(j).slide, own.force);
    if (link.parent == 0) continue;
    Wrench& parent = on[z(link.parent)];
    parent.force = parent.force + own.force;
    parent.moment = parent.moment + own.moment;
  }
}

Recorded JointTreeFormulas::potential(const Recorded& t, const Reals& q) const {
  const Variables x = variables();
  return at({maximal_->potential(x.t, x.q)}, x, t, bodies(motion(q))).front();
}

Recorded JointTreeFormulas::power(const Recorded& t, const Reals& q, const Reals& v) const {
  const Variables x = variables();
  return at({maximal_->power(x.t, x.q, x.v)}, x, t, bodies(motion(q, &v))).front();
}

std::vector<EnergyTerm> JointTreeFormulas::energy_terms(const Recorded& t, const Reals& q, const Reals& v) const {
  const Variables x = variables();
  std::vector<EnergyTerm> terms = maximal_->energy_terms(x.t, x.q, x.v);
  Reals values;
  for (const EnergyTerm& term : terms) values.push_back(term.value);
  values = at(values, x, t, bodies(motion(q, &v)));
  for (std::size_t i = 0; i < terms.size(); ++i) terms[i].value = values[i];
  return terms;
}

// The motion of a tree does not: what does is in the formulas of the bodies, which are shorter.
bool JointTreeFormulas::may_depend_on_time_or_branch() const {
  KernelRecording recording(instance().coordinates(), 0);
  const RecordedState& x = recording.x;
  Reals found(x.q.size(), Real(0.0));
  maximal_->applied_force(x.t, x.q, x.v, found);
  maximal_->constraint(x.t, x.q, found);
  maximal_->velocity_constraint(x.t, x.q, x.v, found);
  return !recording.tape().functions_of(0).empty() || !recording.switching_functions().empty();
}

Reals JointTreeFormulas::reported_positions(const Recorded& /*t*/, const Reals& q) const {
  return bodies(motion(q)).q;
}

Reals JointTreeFormulas::reported_velocities(const Recorded& /*t*/, const Reals& q, const Reals& v) const {
  return bodies(motion(q, &v)).v;
}

void JointTreeFormulas::constraint(const Recorded& t, const Reals& q, Reals& g) const {
  if (tree_.position_rows > 0) {
    const Variables x = variables();
    Reals all;
    maximal_->constraint(x.t, x.q, all);
    const Reals rows = some(all, tree_.rows, 0, z(tree_.position_rows));
    const Reals found = at(rows, x, t, bodies(motion(q)));
    g.insert(g.end(), found.begin(), found.end());
  }
  for (const int first : tree_.balls) g.push_back(0.5 * (square(q, first) - 1.0));
}

void JointTreeFormulas::velocity_constraint(const Recorded& t, const Reals& q, const Reals& v, Reals& c) const {
  if (z(tree_.position_rows) == tree_.rows.size()) return;
  const Variables x = variables();
  Reals all;
  maximal_->velocity_constraint(x.t, x.q, x.v, all);
  const Reals found = at(all, x, t, bodies(motion(q, &v)));
  c.insert(c.end(), found.begin(), found.end());
}

}  // namespace raak
