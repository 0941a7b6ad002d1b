// A range from its end to its begin: for (x : reversed(list)). The view of the standard library is not read by every
// compiler with every library.
#pragma once
#include <iterator>

namespace raak {

template <class Range>
class Reversed {
 public:
  explicit Reversed(const Range& range) : range_(range) {}
  auto begin() const { return std::rbegin(range_); }
  auto end() const { return std::rend(range_); }

 private:
  const Range& range_;
};

// `range` outlives the loop.
template <class Range>
Reversed<Range> reversed(const Range& range) {
  return Reversed<Range>(range);
}

}  // namespace raak
