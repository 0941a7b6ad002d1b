#include "study/sweep/store/disk_thread.h"

#include <chrono>
#include <set>
#include <utility>

#include "output/folder/partial_file.h"

namespace raak {
namespace {

constexpr std::chrono::milliseconds between_rounds{200};  // more files at a time cost the disk hardly more

}  // namespace

DiskThread::~DiskThread() {
  end_thread();
}

void DiskThread::add(std::filesystem::path file) {
  const std::scoped_lock lock(mutex_);
  throw_error();
  files_.push_back(std::move(file));
  if (!thread_.joinable()) thread_ = std::thread([this] { work(); });
}

void DiskThread::finish() {
  end_thread();
  const std::scoped_lock lock(mutex_);
  throw_error();
}

void DiskThread::end_thread() {
  {
    const std::scoped_lock lock(mutex_);
    if (!thread_.joinable()) return;
    over_ = true;
  }
  changed_.notify_all();
  thread_.join();
  over_ = false;
}

void DiskThread::throw_error() {
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

void DiskThread::work() {
  std::unique_lock lock(mutex_);
  for (bool last = false; !last;) {
    changed_.wait_for(lock, between_rounds, [&] { return over_; });
    last = over_;  // what was there then is brought to the disk below
    const std::vector<std::filesystem::path> round = std::exchange(files_, {});
    lock.unlock();
    try {
      std::set<std::filesystem::path> folders;
      for (const std::filesystem::path& file : round) {
        sync_file(file);
        folders.insert(file.parent_path());
      }
      for (const std::filesystem::path& folder : folders) sync_folder(folder);
      lock.lock();
    } catch (...) {
      lock.lock();
      if (!error_) error_ = std::current_exception();
    }
  }
}

}  // namespace raak
