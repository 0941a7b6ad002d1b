#include "run/recording_clock.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <ctime>
#include <thread>

#include "base/tape/kernel.h"

namespace raak {
namespace {

void work_for(double seconds) {
  const double end = static_cast<double>(std::clock()) / CLOCKS_PER_SEC + seconds;
  while (static_cast<double>(std::clock()) / CLOCKS_PER_SEC < end) {
  }
}

TEST(RecordingClock, CountsNeitherKernelsNorTheTimeOfOthers) {
  RecordingClock clock;
  clock.begin();
  {
    const PreparationTimer kernels;
    work_for(0.05);
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(50));  // as if the processor were given to somebody else
  clock.end();
  EXPECT_LT(clock.seconds(), 0.03);  // a virtual machine has hiccups
}

TEST(RecordingClock, CountsWhatIsWorkedBetweenBeginAndEnd) {
  RecordingClock clock;
  clock.begin();
  work_for(0.02);
  clock.end();
  work_for(0.1);
  const double found = clock.seconds();
  EXPECT_GT(found, 0.01);
  EXPECT_LT(found, 0.08);
}

TEST(RecordingClock, AReadingTakesAFiniteTimeThatIsFoundOnce) {
  const double found = seconds_of_a_reading();
  EXPECT_GE(found, 0.0);
  EXPECT_TRUE(std::isfinite(found));
  EXPECT_EQ(seconds_of_a_reading(), found);
}

}  // namespace
}  // namespace raak
