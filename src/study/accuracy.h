// Correct digits at the end point, as the test set for IVP solvers counts them (Mazzia and Magherini, release 2.4):
//   scd   = -log10 max_i |y_i - ref_i| / |ref_i|                      over the components that count
//   mescd = -log10 max_i |y_i - ref_i| / (atol / rtol + |ref_i|)      over all components
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "kinematics/model.h"
#include "output/formats/json.h"

namespace raak {

// The state and outputs by component name: q.NAME, v.NAME, a.NAME, lambda.K, output names.
std::map<std::string, double> components(const ConstrainedSystem& system, const State& state, const Vector& outputs);

// A component beside its reference, and how far it is off: |value - reference| / max(1, |reference|).
struct Compared {
  std::string name;
  double value = 0.0, reference = 0.0, difference = 0.0;
};

// What a reference says of the end of a run; nothing where it has no values at that time.
std::vector<Compared> compare(const Model& model, const Reference& reference, const Result& result);

Accuracy measure_accuracy(const Model& model, Form form, const Result& result, double rtol, double atol);

// -log10 max |q_i - ref_i| / (1 + |ref_i|) over the positions: the measure in which digits are asked for by rtol. A
// reference that has none of them is compared by what it counts for scd, outputs mostly.
std::optional<double> position_digits(const Model& model, Form form, const Result& result);

}  // namespace raak
