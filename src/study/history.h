// A run beside known values over time: the dense output of the run at the times of the values, and by how much each
// component is off at most, and when.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "kinematics/model.h"
#include "run/integrate.h"

namespace raak {

// The largest over all times at which a component is known.
struct Deviation {
  std::string name;
  long times = 0;
  double absolute = 0.0, t_absolute = 0.0;  // |value - reference|, SI; s
  double difference = 0.0, t = 0.0;         // |value - reference| / max(1, |reference|); s
  double value = 0.0, reference = 0.0;      // at t
};

class HistoryComparison {
 public:
  // Of the times that a run from `start` to `until` reaches.
  HistoryComparison(const ConstrainedSystem& system, const Reference& reference, double start, double until);

  // To be sampled, in the order of the run.
  const std::vector<double>& times() const { return times_; }
  void add(const Sample& sample);

  // In the order of the columns of results.
  std::vector<Deviation> deviations() const;

 private:
  const ConstrainedSystem& system_;
  std::map<double, const std::map<std::string, double>*> wanted_;  // by sampled time
  std::vector<double> times_;
  std::map<std::string, Deviation> found_;
};

}  // namespace raak
