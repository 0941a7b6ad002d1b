#include "mechanism/mechanism_system.h"

#include <algorithm>
#include <limits>

#include "mechanism/output_units.h"

namespace raak {

Description describe(const MaximalFormulas& formulas) {
  Description description;
  const Instance& instance = formulas.instance();
  for (const Body& body : instance.bodies()) {
    static const char* const planar[] = {"centre.x", "centre.y", "angle"};
    static const char* const spatial[] = {"centre.x",     "centre.y",     "centre.z",    "quaternion.w",
                                          "quaternion.x", "quaternion.y", "quaternion.z"};
    for (int i = 0; i < body.size; ++i)
      description.coordinates.push_back(body.name + "." + (instance.planar() ? planar : spatial)[i]);
  }
  for (const std::size_t row : formulas.kept()) description.constraints.push_back(formulas.all_rows()[row].name);
  for (const NamedQuantity& output : formulas.evaluated()) {
    description.outputs.push_back(output.name);
    // Points 1 m from an origin often stand for directions: a product of lengths may be meant as anything.
    const std::string unit = unit_of(output.value.value);
    description.output_units.push_back(unit == "m^2" ? "" : unit);
  }
  return description;
}

std::vector<int> reported_multipliers(const MaximalFormulas& formulas) {
  const std::vector<std::size_t>& kept = formulas.kept();
  std::vector<int> multipliers;
  for (const std::size_t row : reported_rows(formulas)) {
    const auto found = std::lower_bound(kept.begin(), kept.end(), row);
    const bool is_kept = found != kept.end() && *found == row;
    multipliers.push_back(is_kept ? static_cast<int>(found - kept.begin()) : -1);
  }
  return multipliers;
}

MechanismSystem::MechanismSystem(const std::shared_ptr<const MaximalFormulas>& formulas)
    : RecordedSystem(formulas, formulas->instance().coordinates(), formulas->position_rows(), formulas->velocity_rows(),
                     describe(*formulas)),
      lambda_of_row_(reported_multipliers(*formulas)) {
  set_reported(reported_names(*formulas));
  reported_rows_ = reported_rows(*formulas);
}

void MechanismSystem::mark_indeterminate(const std::vector<std::size_t>& rows, std::vector<int> outputs) {
  for (std::size_t i = 0; i < reported_rows_.size(); ++i)
    if (std::binary_search(rows.begin(), rows.end(), reported_rows_[i])) lambda_of_row_[i] = -1;
  indeterminate_outputs_ = std::move(outputs);
}

void MechanismSystem::evaluate_outputs(const State& state, Vector& values) const {
  RecordedSystem::evaluate_outputs(state, values);
  for (const int i : indeterminate_outputs_) values[i] = std::numeric_limits<double>::quiet_NaN();
}

void MechanismSystem::report(const State& state, State& shown) const {
  const Vector lambda = state.lambda;
  RecordedSystem::report(state, shown);
  shown.lambda.resize(static_cast<Eigen::Index>(lambda_of_row_.size()));
  for (std::size_t i = 0; i < lambda_of_row_.size(); ++i)
    shown.lambda[static_cast<Eigen::Index>(i)] =
        lambda_of_row_[i] < 0 ? std::numeric_limits<double>::quiet_NaN() : lambda[lambda_of_row_[i]];
}

}  // namespace raak
