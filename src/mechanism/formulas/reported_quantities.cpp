// What is shown of a mechanism: its outputs, and origins, angles and quaternions of its bodies with their rates by the
// names of the model file, whatever coordinates it is solved in.
#include <algorithm>
#include <unordered_map>

#include "mechanism/bodies/catalogue.h"
#include "mechanism/formulas/maximal.h"

namespace raak {

void MaximalFormulas::outputs(const RecordedState& state, Reals& values) const {
  outputs(
      Scene(*instance_, state), [&](std::size_t row) { return state.lambda[row]; }, values);
}

void MaximalFormulas::outputs(const Scene& scene, const Multiplier& multiplier, Reals& values) const {
  for (const NamedQuantity& output : evaluated_) values.push_back(evaluated_on(scene, output.value, multiplier));
}

Real MaximalFormulas::evaluated_on(const Scene& scene, const Quantity& quantity, const Multiplier& multiplier) const {
  return scene.evaluate(quantity, Scene::Level::everything,
                        [&](const std::string& name) { return reaction(scene, name, multiplier); });
}

Reals MaximalFormulas::reported_positions(const Recorded& t, const Reals& q) const {
  const RecordedState state{t, q, {}, {}, {}};
  const Scene scene(*instance_, state);
  Reals shown;
  for (std::size_t b = 0; b < instance_->bodies().size(); ++b) {
    const Frame& f = scene.frame(static_cast<int>(b));
    if (f.body->ground || f.body->counter) continue;
    const Vector3 origin = f.point({});
    for (int i = 0; i < instance_->dimensions(); ++i) shown.push_back(origin[i]);
    shown.insert(shown.end(), f.q + instance_->dimensions(), f.q + f.body->size);
  }
  return shown;
}

Reals MaximalFormulas::reported_velocities(const Recorded& t, const Reals& q, const Reals& v) const {
  const RecordedState state{t, q, v, {}, {}};
  const Scene scene(*instance_, state);
  Reals shown;
  Reals origins;
  for (const Body& body : instance_->bodies()) {
    const Vector3 origin = scene.frame(static_cast<int>(&body - instance_->bodies().data())).point({});
    for (int i = 0; i < instance_->dimensions(); ++i) origins.push_back(origin[i]);
  }
  const Reals rates = scene.rates(origins);
  for (std::size_t b = 0; b < instance_->bodies().size(); ++b) {
    const Body& body = instance_->bodies()[b];
    if (body.ground || body.counter) continue;
    const auto d = static_cast<std::size_t>(instance_->dimensions());
    for (std::size_t i = 0; i < d; ++i) shown.push_back(rates[b * d + i]);
    if (body.kind->turning == 0) continue;
    const Vector3 omega = scene.angular_velocity(static_cast<int>(b));
    for (int i = 3 - body.kind->turning; i < 3; ++i) shown.push_back(omega[i]);
  }
  return shown;
}

std::string rate_name(const std::string& coordinate) {
  const auto dot = coordinate.rfind('.');
  const std::string part = coordinate.substr(dot + 1);
  const bool planar = coordinate.find('.') == dot;
  if (!planar) return coordinate;
  return coordinate.substr(0, dot + 1) + (part == "angle" ? "omega" : "v" + part);
}

std::vector<GivenValue> given_values(const std::vector<std::string>& names, const Vector& values,
                                     const std::vector<std::string>& given) {
  std::vector<GivenValue> result;
  if (given.empty()) return result;
  std::unordered_map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < names.size(); ++i) places.emplace(names[i], i);
  for (const std::string& name : given)
    result.push_back({places.at(name), values[static_cast<Eigen::Index>(places.at(name))]});
  return result;
}

ReportedNames reported_names(const MaximalFormulas& formulas) {
  ReportedNames names;
  const Instance& instance = formulas.instance();
  for (const Body& body : instance.bodies()) {
    if (body.counter) continue;
    for (const NameAndUnit& position : body.kind->positions) {
      names.positions.push_back(body.name + "." + position.name);
      names.position_units.push_back(position.unit);
    }
    for (const NameAndUnit& velocity : body.kind->velocities) {
      names.velocities.push_back(body.name + "." + velocity.name);
      names.velocity_units.push_back(velocity.unit);
    }
  }
  for (const std::size_t row : reported_rows(formulas)) {
    names.rows.push_back(formulas.all_rows()[row]);
  }
  return names;
}

std::vector<std::size_t> reported_rows(const MaximalFormulas& formulas) {
  const std::vector<MechanismRow>& rows = formulas.all_rows();
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (rows[i].kind != Row::Kind::normalization && rows[i].kind != Row::Kind::given) order.push_back(i);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::pair{rows[a].kind, rows[a].index} < std::pair{rows[b].kind, rows[b].index};
  });
  return order;
}

}  // namespace raak
