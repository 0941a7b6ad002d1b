// Brings files to the disk behind the back of those who write them: to wait for the disk after each block takes as long
// as a hundred runs or more. Until then a power cut may cost them, which their checksums tell; a kill does not.
#pragma once
#include <condition_variable>
#include <exception>
#include <filesystem>
#include <mutex>
#include <thread>
#include <vector>

namespace raak {

class DiskThread {
 public:
  DiskThread() = default;
  ~DiskThread();
  DiskThread(const DiskThread&) = delete;
  DiskThread& operator=(const DiskThread&) = delete;

  // A file that is complete under its name. Throws what an earlier one met.
  void add(std::filesystem::path file);
  // Waits until all are on the disk. Throws what one of them met.
  void finish();

 private:
  void work();
  void end_thread();
  void throw_error();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::filesystem::path> files_;
  std::exception_ptr error_;
  bool over_ = false;
  std::thread thread_;  // there is one while there is something to do
};

}  // namespace raak
