// A method that has run, for the next run of the same system: to make one takes a tenth of a short run. A run with it
// has the bits of one with a new method (Integrator::may_begin_again).
#pragma once
#include <memory>
#include <mutex>

#include "run/integrate.h"

namespace raak {

// May be shared by threads: whoever comes second makes a method.
class KeptMethod {
 public:
  // As integrate().
  Result integrate(const ConstrainedSystem& system, const State& start, const Plan& plan,
                   const Observer& observer = {});

 private:
  std::unique_ptr<Integrator> take(const Plan& plan);
  void leave(std::unique_ptr<Integrator> method, const Plan& plan);

  std::mutex mutex_;
  std::unique_ptr<Integrator> method_;  // null: there is none
  std::string name_;                    // what it was made for
  std::optional<Form> form_;
  Tolerances tolerances_;
};

}  // namespace raak
