// A mechanism in maximal coordinates as a system: its states are reported as body coordinates and joint rows in file
// order; a multiplier or an output that is not unique, because joints constrain the same motion more than once, is
// reported as absent (not a number).
#pragma once
#include <functional>
#include <memory>

#include "mechanism/formulas/maximal.h"
#include "mechanism/formulas/row_turns.h"
#include "system/joint_graph.h"
#include "system/recorded/recorded_system.h"
#include "system/turn_gauge.h"

namespace raak {

// Names of coordinates, kept rows and outputs.
Description describe(const MaximalFormulas& formulas);

// Outputs whose values are not unique: some in every state, others in some states only.
struct IndeterminateOutputs {
  std::vector<int> always;
  std::function<std::vector<int>(const State&)> of_state;  // none: in no state more than those

  // Makes them not a number.
  void withhold(const State& state, Vector& values) const;
};

// A system that withholds what is not unique: rows, as places among all rows, and outputs.
class WithholdsIndeterminate {
 public:
  virtual ~WithholdsIndeterminate() = default;
  virtual void mark_indeterminate(const std::vector<std::size_t>& rows, IndeterminateOutputs outputs) = 0;
};

class MechanismSystem final : public RecordedSystem,
                              public JointGraph,
                              public CountsTurns,
                              public WithholdsIndeterminate {
 public:
  explicit MechanismSystem(const std::shared_ptr<const MaximalFormulas>& formulas);
  void report(const State& state, State& shown) const override;
  void evaluate_outputs(const State& state, Vector& values) const override;
  std::vector<Joint> joints() const override;
  std::vector<Driver> drivers() const override;
  const TurnGauge* turn_gauge() const override { return gauge_.get(); }
  void mark_indeterminate(const std::vector<std::size_t>& rows, IndeterminateOutputs outputs) override;

 private:
  ShownMultipliers multipliers_;
  IndeterminateOutputs indeterminate_;
  std::shared_ptr<const MaximalFormulas> formulas_;
  std::shared_ptr<const TurnGauge> gauge_;
};

}  // namespace raak
