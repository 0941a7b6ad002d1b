// Functions without an instruction, called by machine code: applied in place to the lanes of a value.
#pragma once
#include <cmath>
#include <cstddef>

#include "base/tape/tape.h"

namespace raak {

// A second argument lies behind the first.
template <int width, double (*f)(double)>
void apply(double* x) {
  for (int i = 0; i < width; ++i) x[i] = f(x[i]);
}
template <int width, double (*f)(double, double)>
void apply(double* x) {
  for (int i = 0; i < width; ++i) x[i] = f(x[i], x[width + i]);
}
template <int width>
std::size_t address(Op op) {
  void (*const function)(double*) = op == Op::exponential ? apply<width, std::exp>
                                    : op == Op::logarithm ? apply<width, std::log>
                                    : op == Op::power     ? apply<width, std::pow>
                                                          : apply<width, std::atan2>;
  return reinterpret_cast<std::size_t>(function);  // NOLINT: an address is what is called
}

inline bool is_call(Op op) {
  return op == Op::exponential || op == Op::logarithm || op == Op::power || op == Op::angle;
}

}  // namespace raak
