#include "methods/control/order_trial.h"

#include <algorithm>
#include <cmath>

namespace raak {
namespace {

constexpr int highest_order = 5;
constexpr int stable_order = 2;
constexpr double fast = 0.3;    // rad of a vibration in a step: from here on order 3 to 5 may excite it
constexpr double better = 2.0;  // times the step: the trial pays
constexpr double worse = 0.2;   // times the step: accuracy needs the order

}  // namespace

int OrderTrial::after_step(double h, int k, double rate) {
  h = std::abs(h);
  if (!trying_) {
    suspect_ = std::max(0, suspect_ + (k > stable_order && h * rate > fast ? 1 : -1));
    if (suspect_ < wait_) return highest_order;
    trying_ = true;
    first_ = longest_ = h;
    idle_ = 0;
  }
  if (h >= better * longest_) {
    longest_ = h;
    idle_ = 0;
  }
  if (h > worse * first_ && ++idle_ < wait_) return stable_order;
  wait_ = longest_ > first_ ? first_wait : 2 * wait_;
  suspect_ = 0;
  trying_ = false;
  return highest_order;
}

}  // namespace raak
