#include "base/tape/replay.h"

#include "base/code/repeat_operation.h"
#include "base/linear/index.h"

namespace raak {
namespace {

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

}  // namespace

std::vector<Recorded> replay(const Program& program, const std::function<Recorded(int block, int number)>& input) {
  const std::vector<Instruction>& code = program.instructions();
  std::vector<Recorded> now;
  now.reserve(code.size());
  const auto of = [&](int id) { return now[z(id)]; };
  const auto angle = [&](int quadrant) { return angle_of(code, quadrant); };
  for (const Instruction& i : code) now.push_back(i.op == Op::input ? input(i.a, i.b) : repeat_operation(i, of, angle));
  std::vector<Recorded> result;
  for (const Tape::Output& output : program.outputs()) result.push_back(now[z(output.id)]);
  return result;
}

}  // namespace raak
