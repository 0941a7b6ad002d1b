// Why there is no start, as a type: whoever explains it need not read the words that a user reads.
#pragma once
#include <string>
#include <vector>

#include "base/error.h"

namespace raak {

// A joint, driver, equation or given value and what its rows lack.
struct OpenJoint {
  std::string name;
  double gap = 0.0;
  std::string unit;  // "m", "rad", "m/s", "rad/s"; empty: it has none
};

class StartFailure : public Error {
 public:
  enum class Cause {
    open_joints,          // position rows stay open
    unreachable_values,   // all joints close, but not with the values given
    contradicting_rates,  // rates of drivers, joints or given ones
    contradicting_trust,  // trusted coordinates against the constraints
    undetermined,         // trusted values do not fix the start
    undefined,            // a formula has no value there
    not_finite,           // accelerations or the mass matrix are no numbers
    massless,             // a motion has no inertia
    singular,             // several motions begin there, or none
    not_smooth            // stiff parts would vibrate
  };
  // What was found, and what to try: a phrase each, without a full stop. `open`: the largest gap first.
  StartFailure(Cause cause, const std::string& finding, const std::string& advice, std::vector<OpenJoint> open = {});
  Cause cause() const { return cause_; }
  const std::string& finding() const { return finding_; }
  const std::string& advice() const { return advice_; }
  const std::vector<OpenJoint>& open() const { return open_; }

 private:
  Cause cause_;
  std::string finding_, advice_;
  std::vector<OpenJoint> open_;
};

}  // namespace raak
