#include "study/history.h"

#include <algorithm>
#include <cmath>

#include "modelfile/history_file.h"
#include "output/formats/csv.h"
#include "study/accuracy.h"

namespace raak {
namespace {

// What has no value is farther off than anything.
bool exceeds(double value, double largest) {
  return !std::isnan(largest) && !(value <= largest);
}

}  // namespace

HistoryComparison::HistoryComparison(const ConstrainedSystem& system, const Reference& reference, double start,
                                     double until)
    : system_(system) {
  for (const auto& [t, values] : reference.values) {
    if (!is_reached(t, start, until)) continue;
    // The end of a run may be written with fewer digits than it has.
    const bool beyond = until >= start ? t > until : t < until;
    wanted_[beyond ? until : t] = &values;
  }
  for (const auto& [t, values] : wanted_) times_.push_back(t);
  if (until < start) std::reverse(times_.begin(), times_.end());
}

void HistoryComparison::add(const Sample& sample) {
  const auto wanted = wanted_.find(sample.state.t);
  if (wanted == wanted_.end()) return;  // the last moment of a run that ended early
  const auto found = components(system_, sample.state, sample.outputs);
  for (const auto& [name, reference] : *wanted->second) {
    const auto value = found.find(name);
    if (value == found.end()) continue;
    Deviation& largest = found_[name];
    largest.name = name;
    const double absolute = std::abs(value->second - reference);
    const double difference = absolute / std::max(1.0, std::abs(reference));
    if (largest.times == 0 || exceeds(absolute, largest.absolute)) {
      largest.absolute = absolute;
      largest.t_absolute = sample.state.t;
    }
    if (largest.times == 0 || exceeds(difference, largest.difference)) {
      largest.difference = difference;
      largest.t = sample.state.t;
      largest.value = value->second;
      largest.reference = reference;
    }
    ++largest.times;
  }
}

std::vector<Deviation> HistoryComparison::deviations() const {
  std::vector<Deviation> all;
  for (const std::string& name : result_columns(system_))
    if (const auto found = found_.find(name); found != found_.end()) all.push_back(found->second);
  return all;
}

}  // namespace raak
