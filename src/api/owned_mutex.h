// A mutex that knows who has it: what is made while it is held may call functions of a user, and one of them may ask
// for what is being made. That is refused; without a word it would wait for itself.
#pragma once
#include <raak/errors.h>

#include <atomic>
#include <mutex>
#include <string>
#include <thread>

namespace raak_v0::detail {

class OwnedMutex {
 public:
  // `refusal`: what is said to the thread that has it already.
  explicit OwnedMutex(const char* refusal) : refusal_(refusal) {}
  void lock() {
    if (owner_ == std::this_thread::get_id()) throw RequestError(refusal_);
    mutex_.lock();
    owner_ = std::this_thread::get_id();
  }
  void unlock() {
    owner_ = std::thread::id();
    mutex_.unlock();
  }

 private:
  const char* refusal_;
  std::mutex mutex_;
  std::atomic<std::thread::id> owner_;
};

inline constexpr const char* model_in_preparation =
    "the model is being prepared: its own functions cannot use it meanwhile. Give a function the numbers that it needs "
    "before the model is made, or give it another model";

}  // namespace raak_v0::detail
