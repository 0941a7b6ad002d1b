// A mechanism in maximal coordinates as a system: its states are reported as body coordinates and joint rows in file
// order; the multiplier of a row that was left out as redundant is reported as absent (not a number).
#pragma once
#include <memory>

#include "mechanism/maximal.h"
#include "system/recorded_system.h"

namespace raak {

// Names of coordinates, kept rows and outputs.
Description describe(const MaximalFormulas& formulas);
// The multiplier behind each reported row, -1: none.
std::vector<int> reported_multipliers(const MaximalFormulas& formulas);

class MechanismSystem final : public RecordedSystem {
 public:
  explicit MechanismSystem(std::shared_ptr<const MaximalFormulas> formulas);
  void report(const State& state, State& shown) const override;

 private:
  std::vector<int> lambda_of_row_;  // the multiplier behind each reported row, -1: none
};

}  // namespace raak
