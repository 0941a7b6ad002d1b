// Memory of this thread, which evaluations of any mechanism use in turn. Large pages spare the processor most of its
// page walks: an evaluation passes through all of it.
#pragma once
#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <new>

namespace raak {

template <class Number>
class ThreadMemory {
  static constexpr std::size_t page = std::size_t{1} << 21U;

 public:
  ThreadMemory() = default;
  ~ThreadMemory() { release(); }
  ThreadMemory(const ThreadMemory&) = delete;
  ThreadMemory& operator=(const ThreadMemory&) = delete;

  Number* of_size(std::size_t size) {
    if (size <= size_) return data_;
    release();
    data_ = nullptr;
    size_ = 0;
    const std::size_t bytes = (size * sizeof(Number) + page - 1) / page * page;
    data_ = static_cast<Number*>(::operator new (bytes, std::align_val_t{page}));
    if (bytes > page) madvise(data_, bytes, MADV_HUGEPAGE);  // a wish: nothing depends on it
    std::fill_n(data_, size, Number(0.0));
    size_ = size;
    return data_;
  }

 private:
  void release() { ::operator delete (data_, std::align_val_t{page}); }
  Number* data_ = nullptr;
  std::size_t size_ = 0;
};

template <class Number>
Number* thread_memory(std::size_t size) {
  thread_local ThreadMemory<Number> memory;
  return memory.of_size(size);
}

}  // namespace raak
