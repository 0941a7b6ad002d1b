// What the processor of this machine can do. RAAK_PLAIN in the environment makes a program behave as on any x86-64, so
// that the plain path can be tested where it is not needed.
#pragma once
#include <cstdlib>

namespace raak {

// AVX2 and FMA; asked once, when the program starts.
inline const bool machine_has_avx2 = [] {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0 &&
         std::getenv("RAAK_PLAIN") == nullptr;
}();

// The same operations on twice as many registers.
inline const bool machine_has_avx512 = [] {
  return machine_has_avx2 && __builtin_cpu_supports("avx512vl") != 0 && __builtin_cpu_supports("avx512dq") != 0;
}();

}  // namespace raak
