#include "study/sweep/store/processor.h"

#include <cpuid.h>
#include <fmt/format.h>

#include <cstring>

namespace raak {
namespace {

std::string read_name() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid(0, &a, &b, &c, &d) == 0) return "unknown";
  char vendor[13] = {};
  std::memcpy(vendor, &b, 4);
  std::memcpy(vendor + 4, &d, 4);
  std::memcpy(vendor + 8, &c, 4);
  __get_cpuid(1, &a, &b, &c, &d);
  const unsigned family = ((a >> 8) & 15) + ((a >> 20) & 255), model = ((a >> 4) & 15) | ((a >> 12) & 240);
  std::string name = fmt::format("{} {}-{}:", vendor, family, model);
  if (__builtin_cpu_supports("avx2") != 0) name += " avx2";
  if (__builtin_cpu_supports("fma") != 0) name += " fma";
  if (__builtin_cpu_supports("avx512f") != 0) name += " avx512f";
  return name;
}

}  // namespace

const std::string& processor_name() {
  static const std::string name = read_name();
  return name;
}

}  // namespace raak
