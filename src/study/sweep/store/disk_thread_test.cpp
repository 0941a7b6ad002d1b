#include "study/sweep/store/disk_thread.h"

#include <gtest/gtest.h>

#include <fstream>

#include "base/error.h"

namespace raak {
namespace {

namespace fs = std::filesystem;

TEST(DiskThread, TakesFilesFromManyThreads) {
  const fs::path folder = fs::path(testing::TempDir()) / "disk_thread_test";
  fs::create_directories(folder);
  DiskThread disk;
  for (int round = 0; round < 3; ++round) {
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
      threads.emplace_back([&, i] {
        const fs::path file = folder / std::to_string(i);
        std::ofstream(file) << "x";
        disk.add(file);
      });
    for (std::thread& thread : threads) thread.join();
    EXPECT_NO_THROW(disk.finish());
  }
  EXPECT_NO_THROW(disk.finish());
  disk.add(folder / "removed meanwhile");
  EXPECT_NO_THROW(disk.finish());
  fs::remove_all(folder);
}

TEST(DiskThread, TellsOnceWhatGoesWrong) {
  const fs::path file = fs::path(testing::TempDir()) / "disk_thread_test_file";
  std::ofstream(file) << "x";
  DiskThread disk;
  disk.add(file / "inside");  // of a file, which is no folder
  EXPECT_THROW(disk.finish(), Error);
  EXPECT_NO_THROW(disk.finish());
  fs::remove(file);
}

}  // namespace
}  // namespace raak
