// Four doubles handled as one number: the SIMD lanes of a batch evaluation.
// The operators compile to whatever the surrounding function is allowed to use (two SSE2 registers on any x86-64,
// one AVX2 register inside a function marked target("avx2,fma")), so one source serves every machine.
// sin and cos: three-part Cody-Waite reduction and the minimax polynomials of fdlibm (k_sin.c, k_cos.c, Sun 1993).
#pragma once
#include <cmath>
#include <cstdint>
#include <cstring>

#define RAAK_INLINE inline __attribute__((always_inline))

namespace raak {

// A formula over a scalar type calls these unqualified, for double as for the types below.
using std::abs, std::atan2, std::cos, std::exp, std::log, std::pow, std::sin, std::sqrt, std::tan, std::tanh;

inline constexpr int lanes = 4;

// Aligned as AVX2 wants it, which GCC does not do by itself where AVX2 is not on.
struct alignas(8 * lanes) Pack {
  using Native = double __attribute__((vector_size(8 * lanes)));
  using Bits = std::int64_t __attribute__((vector_size(8 * lanes)));
  // Of doubles anywhere, and known to be of doubles: through bytes a store could change any member of any class.
  using Unaligned = double __attribute__((vector_size(8 * lanes), aligned(8)));
  Native x;

  Pack() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): a number is a valid pack wherever a pack is expected
  RAAK_INLINE Pack(double value) : x{value, value, value, value} {}
  RAAK_INLINE explicit Pack(Native native) : x(native) {}

  static RAAK_INLINE Pack load(const double* from) { return Pack(Native(*reinterpret_cast<const Unaligned*>(from))); }
  RAAK_INLINE void store(double* to) const { *reinterpret_cast<Unaligned*>(to) = x; }
  RAAK_INLINE double operator[](int lane) const { return x[lane]; }

  RAAK_INLINE Pack& operator+=(const Pack& o) { return x += o.x, *this; }
  RAAK_INLINE Pack& operator-=(const Pack& o) { return x -= o.x, *this; }
  RAAK_INLINE Pack& operator*=(const Pack& o) { return x *= o.x, *this; }
  RAAK_INLINE Pack& operator/=(const Pack& o) { return x /= o.x, *this; }
};

RAAK_INLINE Pack operator+(const Pack& a, const Pack& b) {
  return Pack(a.x + b.x);
}
RAAK_INLINE Pack operator-(const Pack& a, const Pack& b) {
  return Pack(a.x - b.x);
}
RAAK_INLINE Pack operator*(const Pack& a, const Pack& b) {
  return Pack(a.x * b.x);
}
RAAK_INLINE Pack operator/(const Pack& a, const Pack& b) {
  return Pack(a.x / b.x);
}
RAAK_INLINE Pack operator-(const Pack& a) {
  return Pack(-a.x);
}

// A function without a vector form, applied lane by lane.
template <class F>
RAAK_INLINE Pack each_lane(F&& f, const Pack& a) {
  Pack r;
  for (int i = 0; i < lanes; ++i) r.x[i] = f(a.x[i]);
  return r;
}
template <class F>
RAAK_INLINE Pack each_lane(F&& f, const Pack& a, const Pack& b) {
  Pack r;
  for (int i = 0; i < lanes; ++i) r.x[i] = f(a.x[i], b.x[i]);
  return r;
}

RAAK_INLINE Pack abs(const Pack& a) {
  constexpr std::int64_t all_but_sign = 0x7fffffffffffffff;
  return Pack(reinterpret_cast<Pack::Native>(reinterpret_cast<Pack::Bits>(a.x) & all_but_sign));
}
RAAK_INLINE Pack min(const Pack& a, const Pack& b) {
  return Pack(a.x < b.x ? a.x : b.x);
}
RAAK_INLINE Pack max(const Pack& a, const Pack& b) {
  return Pack(a.x > b.x ? a.x : b.x);
}
RAAK_INLINE Pack sqrt(const Pack& a) {
  Pack r;
  for (int i = 0; i < lanes; ++i) r.x[i] = __builtin_sqrt(a.x[i]);
  return r;
}
RAAK_INLINE Pack exp(const Pack& a) {
  return each_lane([](double x) { return std::exp(x); }, a);
}
RAAK_INLINE Pack log(const Pack& a) {
  return each_lane([](double x) { return std::log(x); }, a);
}
RAAK_INLINE Pack tanh(const Pack& a) {
  return each_lane([](double x) { return std::tanh(x); }, a);
}
RAAK_INLINE Pack pow(const Pack& a, double p) {
  return each_lane([p](double x) { return std::pow(x, p); }, a);
}
RAAK_INLINE Pack atan2(const Pack& y, const Pack& x) {
  return each_lane([](double b, double a) { return std::atan2(b, a); }, y, x);
}

struct SinCos {
  Pack sin, cos;
};

// Both at once, within 2.2 ulp for |x| < 1e5; beyond that (or not finite) by the C library.
RAAK_INLINE SinCos sin_cos(const Pack& angle) {
  constexpr double limit = 1e5;
  bool in_range = true;
  for (int i = 0; i < lanes; ++i) in_range &= std::fabs(angle.x[i]) < limit;
  if (__builtin_expect(!in_range, 0)) {
    return {each_lane([](double x) { return std::sin(x); }, angle),
            each_lane([](double x) { return std::cos(x); }, angle)};
  }
  constexpr double two_over_pi = 0.63661977236758134308;
  constexpr double half_pi_1 = 1.57079632673412561417e+00;  // pi/2 in three parts of 33 bits
  constexpr double half_pi_2 = 6.07710050630396597660e-11;
  constexpr double half_pi_3 = 2.02226624879595063154e-21;
  constexpr double magic = 6755399441055744.0;  // 1.5 * 2^52: adding it rounds to the nearest integer

  const Pack::Native shifted = angle.x * two_over_pi + magic;
  const Pack::Native n = shifted - magic;
  Pack::Bits quadrant;
  std::memcpy(&quadrant, &shifted, sizeof quadrant);

  Pack::Native r = angle.x - n * half_pi_1;
  r = r - n * half_pi_2;
  r = r - n * half_pi_3;
  const Pack::Native z = r * r;
  const Pack::Native s = r + r * z *
                                 (-1.66666666666666324348e-01 +
                                  z * (8.33333333332248946124e-03 +
                                       z * (-1.98412698298579493134e-04 +
                                            z * (2.75573137070700676789e-06 +
                                                 z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10)))));
  const Pack::Native half = 0.5 * z;
  const Pack::Native w = 1.0 - half;  // its rounding error, (1 - w) - half, is added back
  const Pack::Native c =
      w +
      (((1.0 - w) - half) + z * z *
                                (4.16666666666666019037e-02 +
                                 z * (-1.38888888888741095749e-03 +
                                      z * (2.48015872894767294178e-05 +
                                           z * (-2.75573143513906633035e-07 +
                                                z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11))))));
  const Pack::Bits odd = (quadrant & 1) != 0;
  const Pack::Bits negative_sin = (quadrant & 2) != 0;
  const Pack::Bits negative_cos = ((quadrant + 1) & 2) != 0;
  const Pack::Native sine = odd ? c : s;
  const Pack::Native cosine = odd ? s : c;
  return {Pack(negative_sin ? -sine : sine), Pack(negative_cos ? -cosine : cosine)};
}
RAAK_INLINE Pack sin(const Pack& a) {
  return sin_cos(a).sin;
}
RAAK_INLINE Pack cos(const Pack& a) {
  return sin_cos(a).cos;
}
RAAK_INLINE Pack tan(const Pack& a) {
  const SinCos sc = sin_cos(a);
  return sc.sin / sc.cos;
}

}  // namespace raak
