// Records an operation once more, with other operands.
#pragma once
#include "base/code/program.h"

namespace raak {

// What the operation gives now: `of` is the value of an operand, `angle_of` the angle whose quadrant an operand of a
// sine or cosine is. Inputs have no operands and are not for this.
template <class Of, class AngleOf>
Recorded repeat_operation(const Instruction& i, const Of& of, const AngleOf& angle_of) {
  switch (i.op) {
    case Op::add:
      return of(i.a) + of(i.b);
    case Op::subtract:
      return of(i.a) - of(i.b);
    case Op::multiply:
      return of(i.a) * of(i.b);
    case Op::divide:
      return of(i.a) / of(i.b);
    case Op::multiply_add:
      return of(i.a) * of(i.b) + of(i.c);
    case Op::subtract_product:
      return of(i.c) - of(i.a) * of(i.b);
    case Op::product_minus:
      return of(i.a) * of(i.b) - of(i.c);
    case Op::square_root:
      return sqrt(of(i.a));
    case Op::absolute:
      return abs(of(i.a));
    case Op::minimum:
      return min(of(i.a), of(i.b));
    case Op::sine_part:
      return sin(of(angle_of(i.a)));
    case Op::cosine_part:
      return cos(of(angle_of(i.a)));
    case Op::exponential:
      return exp(of(i.a));
    case Op::logarithm:
      return log(of(i.a));
    case Op::power:
      return pow(of(i.a), i.value);
    case Op::angle:
      return atan2(of(i.a), of(i.b));
    case Op::constant:
    case Op::input:
      break;
  }
  return {i.value};
}

}  // namespace raak
