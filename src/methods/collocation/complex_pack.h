// Complex numbers in SIMD lanes: as many as a pack has, real and imaginary parts apart.
#pragma once
#include "base/archive.h"
#include "base/pack.h"

namespace raak {

struct ComplexPack {
  ComplexPack() = default;
  RAAK_INLINE ComplexPack(const Pack& real, const Pack& imaginary) : re(real.x), im(imaginary.x) {}
  RAAK_INLINE ComplexPack(const ComplexPack& other) : re(other.re.x), im(other.im.x) {}
  RAAK_INLINE ComplexPack& operator=(const ComplexPack& other) {
    re.x = other.re.x;
    im.x = other.im.x;
    return *this;
  }
  Pack re, im;

  void visit_state(Archive& archive) { archive(re, im); }
};

RAAK_INLINE void add_product(ComplexPack& sum, const ComplexPack& x, const ComplexPack& y) {
  sum.re += x.re * y.re;
  sum.im += x.re * y.im;
  sum.re -= x.im * y.im;
  sum.im += x.im * y.re;
}

RAAK_INLINE ComplexPack product(const ComplexPack& x, const ComplexPack& y) {
  return {x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re};
}

RAAK_INLINE void subtract_product(ComplexPack& sum, const ComplexPack& x, const ComplexPack& y) {
  sum.re -= x.re * y.re;
  sum.im -= x.re * y.im;
  sum.re += x.im * y.im;
  sum.im -= x.im * y.re;
}

RAAK_INLINE ComplexPack inverse(const ComplexPack& x) {
  const Pack scale = Pack(1.0) / (x.re * x.re + x.im * x.im);
  return {x.re * scale, -x.im * scale};
}

}  // namespace raak
