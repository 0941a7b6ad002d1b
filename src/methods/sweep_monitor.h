// Decides when an iteration over the stages of a step has converged, from the sizes of its changes.
#pragma once
#include <algorithm>
#include <cmath>

namespace raak {

class SweepMonitor {
 public:
  // Converged when the error left is estimated below `enough`.
  SweepMonitor(double enough, int most, double least_rate = 0.03)
      : enough_(enough), most_(most), least_rate_(least_rate) {}

  bool goes_on() const { return !converged_ && !failed_ && sweeps_ < most_; }
  void add(double change) {
    ++sweeps_;
    if (!(change < 1e30)) {
      failed_ = true;
      return;
    }
    if (change < enough_) converged_ = true;
    if (sweeps_ > 1) {
      // One good sweep after a good prediction promises too much: no rate below least_rate_ is believed.
      const double rate = std::max(least_rate_, change / before_);
      const bool still = rate > 0.4;
      if (rate < 0.5 && change * rate / (1.0 - rate) < enough_) converged_ = true;
      if (still && best_rate_ < 0.2 && change < rounding_) converged_ = true;
      else if (!converged_ && rate > 2.0) failed_ = true;
      if (!still || !converged_) contraction_ = rate;
      best_rate_ = std::min(best_rate_, rate);
    }
    before_ = change;
  }
  bool converged() const { return converged_; }
  int sweeps() const { return sweeps_; }
  double contraction() const { return contraction_; }

 private:
  static constexpr double rounding_ = 1e-9;  // changes that stop falling below this are rounding errors
  double enough_;
  int most_;
  double least_rate_;
  int sweeps_ = 0;
  double before_ = 0.0, contraction_ = 0.0, best_rate_ = 1.0;
  bool converged_ = false, failed_ = false;
};

}  // namespace raak
