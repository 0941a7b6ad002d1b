// When sweeps over the stages have converged, on sequences of changes that were seen in runs.
#include "methods/control/sweep_monitor.h"

#include <gtest/gtest.h>

#include <vector>

namespace raak {
namespace {

constexpr double enough = 2e-15;
constexpr int most = 30;

// Sweeps after which it was taken for converged; 0: it was not.
int sweeps_until_converged(const std::vector<double>& changes) {
  SweepMonitor monitor(enough, most);
  for (const double change : changes) {
    monitor.add(change);
    if (monitor.converged()) return monitor.sweeps();
  }
  return 0;
}

// Of the heavy top where a component of its quaternion that is held dependent comes near zero.
TEST(SweepMonitor, TakesNoSwingingChangesForRoundingErrors) {
  EXPECT_EQ(sweeps_until_converged({2.8e-6, 3.6e-6, 3.2e-6, 2.0e-6, 9.2e-7, 3.1e-7, 4.1e-8, 4.2e-8, 5.1e-8, 3.8e-8,
                                    2.2e-8, 1.0e-8, 3.6e-9, 6.2e-10, 4.2e-10, 5.7e-10}),
            0);
  EXPECT_EQ(sweeps_until_converged({1.8e-5, 7.0e-7, 3.7e-7, 1.7e-7, 6.3e-8, 1.8e-8, 4.0e-9, 4.2e-10, 2.0e-10, 1.8e-10}),
            0);
}

TEST(SweepMonitor, TakesChangesThatStayForRoundingErrors) {
  EXPECT_EQ(sweeps_until_converged({5.2e-8, 5.8e-9, 3.2e-10, 5.7e-11, 8.2e-12, 2.4e-13, 1.7e-13}), 7);
  EXPECT_EQ(sweeps_until_converged({2.6e-7, 3.5e-11, 2.1e-11, 2.8e-11, 2.4e-11, 2.5e-11}), 5);
}

}  // namespace
}  // namespace raak
