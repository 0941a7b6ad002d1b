// What changes sign where a recorded formula changes its branch, or where a bump begins and ceases to matter.
#include <cmath>

#include "base/code/program.h"
#include "base/tape/substitution.h"
#include "base/tape/tape.h"

namespace raak {
namespace {

// Whether a value has a square or an even power in it as a summand, up to a constant factor: a motion may pass the
// place where it is largest.
bool has_square(const std::vector<Instruction>& tape, int id, int deepest = 16) {
  if (id < 0 || deepest == 0) return false;
  const Instruction& at = tape[static_cast<std::size_t>(id)];
  const auto is_constant = [&](int operand) { return tape[static_cast<std::size_t>(operand)].op == Op::constant; };
  const auto in = [&](int operand) { return has_square(tape, operand, deepest - 1); };
  const auto in_product = [&] {
    return (at.a == at.b && !is_constant(at.a)) || (is_constant(at.a) && in(at.b)) || (is_constant(at.b) && in(at.a));
  };
  switch (at.op) {
    case Op::add:
    case Op::subtract:
      return in(at.a) || in(at.b);
    case Op::multiply:
      return in_product();
    case Op::divide:
      return is_constant(at.b) && in(at.a);
    case Op::multiply_add:
    case Op::subtract_product:
    case Op::product_minus:
      return in_product() || in(at.c);
    case Op::power:
      return at.value > 0.0 && std::fmod(at.value, 2.0) == 0.0;
    default:
      return false;
  }
}

// Of each instruction, whether it depends on inputs that others stand for.
std::vector<bool> depends_on_variables(const std::vector<Instruction>& tape) {
  std::vector<bool> depends(tape.size(), false);
  for (std::size_t i = 0; i < tape.size(); ++i) {
    depends[i] = tape[i].op == Op::input && tape[i].a == block_of_variables;
    for_each_operand(tape[i],
                     [&](int operand) { depends[i] = depends[i] || depends[static_cast<std::size_t>(operand)]; });
  }
  return depends;
}

}  // namespace

std::vector<Recorded> Tape::switching_functions() {
  // exp(-24) = 4e-11; at the other level a method of a single stage sees it too.
  constexpr double vanishing = 24.0, halfway = 1.0;
  constexpr int time_block = 0;
  std::vector<Recorded> found;
  const std::vector<Dependence> depends = dependences(time_block);
  const std::vector<bool> replaced = depends_on_variables(instructions_);
  const std::size_t recorded = instructions_.size();
  for (std::size_t i = 0; i < recorded; ++i) {
    if (replaced[i]) continue;
    const Instruction at = instructions_[i];
    if (at.op == Op::absolute) found.push_back({at.a, false});
    if (at.op == Op::minimum) found.push_back(Recorded(at.a, false) - Recorded(at.b, false));
    // exp(-s^2) acts in a narrow place only: where it begins and ceases to matter. What depends on time alone is known
    // before a run begins (system/time/brief_moments.h).
    if (at.op == Op::exponential && depends[i] == Dependence::more && has_square(instructions_, at.a))
      for (const double level : {vanishing, halfway}) found.push_back(Recorded(at.a, false) + Recorded(level));
  }
  return found;
}

}  // namespace raak
