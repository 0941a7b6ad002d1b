// The functions that formulas of users may call, over double, live numbers and the recording scalar.
#pragma once
#include <array>
#include <cmath>

#include "base/tape/live.h"

namespace raak::functions {

using std::abs, std::atan2, std::cos, std::exp, std::log, std::sin, std::sqrt, std::tan, std::tanh;

inline double smaller(double a, double b) {
  return a < b ? a : b;
}
inline Recorded smaller(const Recorded& a, const Recorded& b) {
  return min(a, b);
}
inline Live smaller(const Live& a, const Live& b) {
  return min(a, b);
}
inline double sign(double a) {
  return a > 0.0 ? 1.0 : a < 0.0 ? -1.0 : 0.0;
}
inline Recorded sign(const Recorded& a) {
  return a / (abs(a) + 1e-300);
}
inline Live raise(const Live& a, const Live& b) {
  return pow(a, b);
}
inline double raise(double a, double b) {
  return std::pow(a, b);
}
inline Recorded raise(const Recorded& a, const Recorded& b) {
  double p = 0.0;
  if (!b.constant(p)) return exp(b * log(a));
  if (p == 3.0) return a * a * a;
  if (p == 4.0) return (a * a) * (a * a);
  if (p == -1.0) return Recorded(1.0) / a;
  if (p == 0.5) return sqrt(a);
  return pow(a, p);
}

// A call names its function by the place in the table.
struct Function {
  const char* name;
  std::size_t arguments;
};
inline constexpr std::array<Function, 18> table{{{"sin", 1},
                                                 {"cos", 1},
                                                 {"tan", 1},
                                                 {"asin", 1},
                                                 {"acos", 1},
                                                 {"atan", 1},
                                                 {"sqrt", 1},
                                                 {"exp", 1},
                                                 {"log", 1},
                                                 {"abs", 1},
                                                 {"sign", 1},
                                                 {"sinh", 1},
                                                 {"cosh", 1},
                                                 {"tanh", 1},
                                                 {"atan2", 2},
                                                 {"min", 2},
                                                 {"max", 2},
                                                 {"pow", 2}}};

template <class Real>
Real call(std::size_t function, const Real& x, const Real& y) {
  switch (function) {
    case 0:
      return sin(x);
    case 1:
      return cos(x);
    case 2:
      return tan(x);
    case 3:
      return atan2(x, sqrt((1.0 - x) * (1.0 + x)));
    case 4:
      return atan2(sqrt((1.0 - x) * (1.0 + x)), x);
    case 5:
      return atan2(x, Real(1.0));
    case 6:
      return sqrt(x);
    case 7:
      return exp(x);
    case 8:
      return log(x);
    case 9:
      return abs(x);
    case 10:
      return sign(x);
    case 11:
      return 0.5 * (exp(x) - exp(-x));
    case 12:
      return 0.5 * (exp(x) + exp(-x));
    case 13:
      return tanh(x);
    case 14:
      return atan2(x, y);
    case 15:
      return smaller(x, y);
    case 16:
      return -smaller(-x, -y);
    default:
      return raise(x, y);
  }
}

}  // namespace raak::functions
