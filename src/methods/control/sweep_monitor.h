// Decides when an iteration over the stages of a step has converged, from the sizes of its changes.
#pragma once
#include <algorithm>
#include <cmath>

namespace raak {

// Of gauss, in all coordinates or in independent ones.
inline constexpr int most_sweeps = 16, most_sweeps_of_fixed_steps = 100;
inline constexpr double target_contraction = 0.25;  // beyond it shorter steps are cheaper than more sweeps
// Of the collocation methods: what may be left of a change in steps that are not judged.
inline constexpr double change_of_fixed_steps = 1e-14;

class SweepMonitor {
 public:
  // Converged when the error left is estimated below `enough`. The changes of fixed-point sweeps are the residuals
  // themselves; those of Newton corrections may be small only because the matrix no longer fits (`corrected`: a stiff
  // one makes every change small), and must be seen to fall.
  SweepMonitor(double enough, int most, double least_rate = 0.03, bool corrected = false)
      : enough_(enough), most_(most), least_rate_(least_rate), corrected_(corrected) {}

  // Changes that stop falling below this are rounding errors, where they are known to be larger than usual.
  void expect_rounding(double size) { rounding_ = std::max(rounding_, size); }

  bool goes_on() const { return !converged_ && !failed_ && sweeps_ < most_; }
  void add(double change) { add(change, change); }
  // `residual`: what the change corrects, in the same norm.
  void add(double change, double residual) {
    ++sweeps_;
    if (!(change < 1e30)) {
      failed_ = true;
      return;
    }
    if (change < (corrected_ ? std::max(1e-4 * enough_, negligible_) : enough_)) converged_ = true;
    const double stiffness = corrected_ ? residual / std::max(change, 1e-300) : 1.0;
    if (sweeps_ > 1) judge(change, stiffness > 10.0 * stiffness_);
    before_ = change;
    stiffness_ = stiffness;
  }
  bool converged() const { return converged_; }
  // It gave up with small changes that do not fall: rounding errors, if the matrix is known to fit.
  bool is_still() const { return is_still_; }
  int sweeps() const { return sweeps_; }
  double contraction() const { return contraction_; }

 private:
  // What was left of other components says nothing of the rate of a stiffer one that comes to light.
  void judge(double change, bool stiffer) {
    // One good sweep after a good prediction promises too much: no rate below least_rate_ is believed.
    const double rate = std::max(least_rate_, change / before_);
    const bool still = rate > 0.4;
    if (rate < (corrected_ ? 0.9 : 0.5) && !stiffer && change * rate < (1.0 - rate) * enough_) converged_ = true;
    // Changes that fall more slowly may only have met a slower component: far from enough they must be seen to stay.
    // Those that stood still before and fell again are of a pair of complex rates, and stand still again.
    if (!corrected_ && rate > 0.8 && change >= rounding_) swings_ = true;
    const bool stalls =
        still && best_rate_ < 0.2 && change < (swings_ ? std::min(rounding_, 100.0 * enough_) : rounding_);
    if (stalls && stalled_ && rate > 0.8) ++stays_;
    if (stalls && (stays_ > (corrected_ ? 0 : 1) || change < 100.0 * enough_)) converged_ = true;
    else if (stalls) stalled_ = true;
    else if (!converged_ && corrected_ && rate > 0.9 && change < enough_) failed_ = is_still_ = true;
    else if (!converged_ && rate > 2.0) failed_ = true;
    if (!still || !converged_) contraction_ = rate;
    best_rate_ = std::min(best_rate_, rate);
  }

  static constexpr double negligible_ = 1e-13;
  double enough_;
  int most_;
  double least_rate_;
  bool corrected_;
  double rounding_ = 1e-9;  // changes that stop falling below this are rounding errors
  int sweeps_ = 0;
  double before_ = 0.0, stiffness_ = 0.0, contraction_ = 0.0, best_rate_ = 1.0;
  bool converged_ = false, failed_ = false, is_still_ = false;
  bool stalled_ = false;  // the changes have stopped falling well
  int stays_ = 0;         // sweeps since then in which they stayed as they are
  bool swings_ = false;   // they did so before, when they were no rounding errors
};

}  // namespace raak
