#include "base/replay.h"

namespace raak {
namespace {

std::size_t z(int i) {
  return static_cast<std::size_t>(i);
}

// The angle is the only operand of its rounded quadrant that is not a constant: angle 2/pi + 1.5 2^52.
int angle_of(const std::vector<Instruction>& code, int quadrant) {
  int angle = -1;
  const auto look = [&](int id, const auto& again) -> void {
    for_each_operand(code[z(id)], [&](int operand) {
      if (code[z(operand)].op == Op::constant) return;
      if (id == quadrant && code[z(id)].op == Op::add && code[z(operand)].op == Op::multiply) again(operand, again);
      else angle = operand;
    });
  };
  look(quadrant, look);
  return angle;
}

Recorded repeat(const std::vector<Instruction>& code, const Instruction& i, const std::vector<Recorded>& now) {
  const auto of = [&](int id) { return now[z(id)]; };
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
      return sin(of(angle_of(code, i.a)));
    case Op::cosine_part:
      return cos(of(angle_of(code, i.a)));
    case Op::exponential:
      return exp(of(i.a));
    case Op::logarithm:
      return log(of(i.a));
    case Op::power:
      return pow(of(i.a), i.value);
    case Op::angle:
      return atan2(of(i.a), of(i.b));
    default:
      return {i.value};
  }
}

}  // namespace

std::vector<Recorded> replay(const Program& program, const std::function<Recorded(int block, int number)>& input) {
  const std::vector<Instruction>& code = program.instructions();
  std::vector<Recorded> now;
  now.reserve(code.size());
  for (const Instruction& i : code) now.push_back(i.op == Op::input ? input(i.a, i.b) : repeat(code, i, now));
  std::vector<Recorded> result;
  for (const Tape::Output& output : program.outputs()) result.push_back(now[z(output.id)]);
  return result;
}

}  // namespace raak
