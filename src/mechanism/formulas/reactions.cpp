// Reactions as outputs: what the rows of a joint exert on a body with their multipliers, minus the gradient of their
// virtual work, taken at the pin of the body in ground axes; what drivers exert along what they drive; and the
// multiplier of a free equation, or what it exerts on a body at the origin of its frame.
#include <algorithm>
#include <map>

#include "base/tape/derivative.h"
#include "mechanism/bodies/catalogue.h"
#include "mechanism/drivers/drivers.h"
#include "mechanism/formulas/maximal.h"
#include "mechanism/joints/catalogue.h"

namespace raak {
namespace {

// Force and moment about a point.
struct Wrench {
  Vector3 force, moment;
};

// JOINT.force.x, JOINT.moment, or the same with the name of a body in between.
struct ReactionName {
  std::string joint, body;
  bool is_force = false;
  int component = 2;
};

std::optional<ReactionName> reaction_name(const std::string& text, bool planar) {
  ReactionName name;
  const std::size_t dot_at = text.find('.');
  name.joint = text.substr(0, dot_at);
  std::string what = dot_at == std::string::npos ? "" : text.substr(dot_at + 1);
  if (!what.starts_with("force") && !what.starts_with("moment")) {
    const std::size_t next = what.find('.');
    if (next == std::string::npos) return std::nullopt;
    name.body = what.substr(0, next);
    what = what.substr(next + 1);
  }
  const char last = what.empty() ? ' ' : what.back();
  name.is_force = what.size() == 7 && what.starts_with("force.") && last >= 'x' && last <= (planar ? 'y' : 'z');
  const bool is_moment =
      planar ? what == "moment" : what.size() == 8 && what.starts_with("moment.") && last >= 'x' && last <= 'z';
  if (!name.is_force && !is_moment) return std::nullopt;
  if (name.is_force || !planar) name.component = last - 'x';
  return name;
}

struct PinOfJoint {
  int body;
  Vector3 at;
};

std::vector<PinOfJoint> pins_of(const Scene& scene, const Element& joint) {
  std::vector<PinOfJoint> pins;
  for (const char* key : {"pins", "between"}) {
    if (!joint.has(key)) continue;
    for (const PointRef& pin : joint.at(key).points) pins.push_back({pin.body, scene.point(pin)});
    return pins;
  }
  for (const int body : joint.at("bodies").bodies) pins.push_back({body, scene.frame(body).point({})});
  return pins;
}

// Of virtual work by the coordinates (and by the rates) of a body that moves.
Wrench wrench_on(const Scene& scene, int body, const Vector3& at, const Real& work, const Real& rate_work) {
  const Frame& f = scene.frame(body);
  const auto size = static_cast<std::size_t>(f.body->size);
  Reals on(size, Real(0.0));
  const auto pull = [&](const Real& of, const Real* variables) {
    if (of.is_zero()) return;
    const Gradient slopes = gradients({of}, Reals(variables, variables + size)).front();
    for (const auto& [i, slope] : slopes) on[static_cast<std::size_t>(i)] -= slope;
  };
  pull(work, f.q);
  pull(rate_work, f.v);
  Wrench wrench;
  wrench.force = {on[0], on[1], scene.planar() ? Real(0.0) : on[2]};
  wrench.moment = f.body->kind->torque_of_forces(f, on.data() + f.body->kind->dimensions());
  wrench.moment = wrench.moment - cross(at - f.at, wrench.force);
  return wrench;
}

// EQUATION.lambda, EQUATION.BODY.force.x or EQUATION.BODY.moment.
std::optional<Real> effort_of_equation(const MaximalFormulas& formulas, const Scene& scene, const std::string& text,
                                       const MaximalFormulas::Multiplier& multiplier) {
  const std::size_t dot_at = text.find('.');
  const std::string equation = text.substr(0, dot_at);
  const std::vector<NamedQuantity>& equations = formulas.instance().mechanism().constraints;
  const auto named =
      std::find_if(equations.begin(), equations.end(), [&](const NamedQuantity& e) { return e.name == equation; });
  if (named == equations.end()) return std::nullopt;
  Real lambda(0.0);  // of an equation that others imply
  for (std::size_t k = 0; k < formulas.kept().size(); ++k) {
    const MechanismRow& row = formulas.all_rows()[formulas.kept()[k]];
    if (row.kind == Row::Kind::equation && row.owner == equation) lambda = multiplier(k);
  }
  if (text.substr(dot_at + 1) == "lambda") return lambda;
  const auto asked = reaction_name(text, scene.planar());
  const int body = asked ? formulas.instance().find_body(asked->body) : 0;
  if (body <= 0) return std::nullopt;  // on the ground an equation need not have a resultant
  const Real work = lambda * scene.evaluate(named->value, Scene::Level::positions);
  const Wrench wrench = wrench_on(scene, body, scene.frame(body).point({}), work, Real(0.0));
  return (asked->is_force ? wrench.force : wrench.moment)[asked->component];
}

}  // namespace

std::optional<Real> MaximalFormulas::reaction(const Scene& scene, const std::string& name,
                                              const Multiplier& multiplier) const {
  const std::size_t dot_at = name.find('.');
  const Element* const joint = instance_->find_joint(name.substr(0, dot_at));
  if (joint == nullptr) {
    const auto effort = driver_effort(name.substr(0, dot_at), name.substr(dot_at + 1), multiplier);
    return effort ? effort : effort_of_equation(*this, scene, name, multiplier);
  }
  const auto asked = reaction_name(name, scene.planar());
  if (!asked) return std::nullopt;
  const std::vector<PinOfJoint> pins = pins_of(scene, *joint);
  auto pin = pins.begin() + 1;
  if (!asked->body.empty()) {
    const int body = instance_->find_body(asked->body);
    pin = std::find_if(pins.begin(), pins.end(), [&](const PinOfJoint& p) { return p.body == body; });
    if (pin == pins.end()) return std::nullopt;
  }
  const auto number = static_cast<std::size_t>(joint - instance_->mechanism().joints.data());
  const ElementScene joint_scene(scene, *joint);
  const JointInfo& info = *find_joint(joint->type);
  // The virtual work of rows with their multipliers.
  const auto work_of = [&](const RowRange& range, auto&& rows_of) {
    Real work(0.0);
    if (range.begin == range.end) return work;
    Rows rows("", range.begin, directions_);
    rows_of(joint_scene, rows);
    for (std::size_t row = range.begin; row < range.end; ++row) {
      const auto found = std::lower_bound(kept_.begin(), kept_.end(), row);
      if (found == kept_.end() || *found != row) continue;
      work += multiplier(static_cast<std::size_t>(found - kept_.begin())) * rows.values[row - range.begin];
    }
    return work;
  };
  const Real work = work_of(position_rows_of_joint_[number], info.rows);
  const Real rate_work = work_of(velocity_rows_of_joint_[number], info.velocity_rows);
  Wrench wrench;
  if (!scene.frame(pin->body).body->ground) {
    wrench = wrench_on(scene, pin->body, pin->at, work, rate_work);
  } else {
    // On the ground acts the opposite of what acts on all others.
    std::vector<int> met;
    for (const PinOfJoint& other : pins) {
      if (scene.frame(other.body).body->ground || std::find(met.begin(), met.end(), other.body) != met.end()) continue;
      met.push_back(other.body);
      const Wrench on = wrench_on(scene, other.body, pin->at, work, rate_work);
      wrench.force = wrench.force - on.force;
      wrench.moment = wrench.moment - on.moment;
    }
  }
  return (asked->is_force ? wrench.force : wrench.moment)[asked->component];
}

std::optional<Real> MaximalFormulas::driver_effort(const std::string& driver, const std::string& what,
                                                   const Multiplier& multiplier) const {
  if (what != "force" && what != "moment") return std::nullopt;
  const std::vector<Element>& drivers = instance_->mechanism().drivers;
  const auto named = std::find_if(drivers.begin(), drivers.end(), [&](const Element& e) { return e.name == driver; });
  if (named == drivers.end()) return std::nullopt;
  const std::string unit = unit_of_driver(*instance_, *named);
  if (unit == (what == "force" ? "rad" : "m")) return std::nullopt;  // the other one is meant
  for (std::size_t k = 0; k < kept_.size(); ++k) {
    const MechanismRow& row = rows_[kept_[k]];
    if (row.kind == Row::Kind::driver && drivers[row.index].name == driver) return -multiplier(k);
  }
  return Real(0.0);
}

}  // namespace raak
