// Which processor computes: what the C library and the machine code choose by its features may round differently.
#pragma once
#include <string>

namespace raak {

// "GenuineIntel 6-143: avx2 fma avx512f"
const std::string& processor_name();

}  // namespace raak
