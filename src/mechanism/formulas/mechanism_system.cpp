#include "mechanism/formulas/mechanism_system.h"

#include <limits>

#include "mechanism/bodies/catalogue.h"
#include "mechanism/formulas/output_units.h"
#include "mechanism/formulas/turn_measures.h"
#include "mechanism/start/joint_ends.h"

namespace raak {

Description describe(const MaximalFormulas& formulas) {
  Description description;
  const Instance& instance = formulas.instance();
  for (const Body& body : instance.bodies()) {
    if (body.counter) {
      for (int i = 0; i < body.size; ++i) {
        description.coordinates.emplace_back("turns");
        description.units.emplace_back("rad");
      }
      continue;
    }
    for (const NameAndUnit& coordinate : body.kind->coordinates) {
      description.coordinates.push_back(body.name + "." + coordinate.name);
      description.units.push_back(coordinate.unit);
    }
  }
  description.length = instance.length();
  for (const std::size_t row : formulas.kept()) description.constraints.push_back(formulas.all_rows()[row]);
  for (const NamedQuantity& output : formulas.evaluated()) {
    description.outputs.push_back(output.name);
    // Points 1 m from an origin often stand for directions: a product of lengths may be meant as anything.
    const std::string unit = unit_of(output.value.value);
    description.output_units.push_back(unit == "m^2" ? "" : unit);
  }
  return description;
}

MechanismSystem::MechanismSystem(const std::shared_ptr<const MaximalFormulas>& formulas)
    : RecordedSystem(formulas, formulas->instance().coordinates(), formulas->position_rows(), formulas->velocity_rows(),
                     describe(*formulas)),
      multipliers_(formulas),
      formulas_(formulas),
      gauge_(make_turn_gauge(formulas->instance())) {
  set_reported(reported_names(*formulas));
}

std::vector<JointGraph::Joint> MechanismSystem::joints() const {
  return joints_of(formulas_->instance());
}
std::vector<JointGraph::Driver> MechanismSystem::drivers() const {
  return drivers_of(formulas_->instance());
}

void IndeterminateOutputs::withhold(const State& state, Vector& values) const {
  for (const int i : always) values[i] = std::numeric_limits<double>::quiet_NaN();
  if (!of_state) return;
  for (const int i : of_state(state)) values[i] = std::numeric_limits<double>::quiet_NaN();
}

void MechanismSystem::mark_indeterminate(const std::vector<std::size_t>& rows, IndeterminateOutputs outputs) {
  multipliers_.mark_indeterminate(rows);
  indeterminate_ = std::move(outputs);
}

void MechanismSystem::evaluate_outputs(const State& state, Vector& values) const {
  RecordedSystem::evaluate_outputs(state, values);
  indeterminate_.withhold(state, values);
}

void MechanismSystem::report(const State& state, State& shown) const {
  const double t = state.t;
  const Vector q = state.q, lambda = state.lambda;  // both states may be the same
  RecordedSystem::report(state, shown);
  multipliers_.show(t, q, lambda, shown.lambda);
}

}  // namespace raak
