// Numbers of things are int here and std::size_t in the standard library: z(i) is an index of its containers.
#pragma once
#include <cstddef>

namespace raak {

inline std::size_t z(int i) {
  return static_cast<std::size_t>(i);
}

}  // namespace raak
