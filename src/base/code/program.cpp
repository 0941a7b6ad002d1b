#include "base/code/program.h"

#include <utility>

#include "base/code/live_part.h"
#include "base/linear/index.h"
#include "base/tape/angle_sums.h"

namespace raak {
namespace {

double throughput(Op op) {
  switch (op) {
    case Op::constant:
    case Op::input:
      return 0.0;
    case Op::divide:
      return 8.0;
    case Op::square_root:
      return 12.0;
    case Op::sine_part:
    case Op::cosine_part:
      return 3.0;
    case Op::exponential:
    case Op::logarithm:
    case Op::power:
    case Op::angle:
      return 200.0;
    default:
      return 0.5;
  }
}

}  // namespace

Program::Program(const Tape& tape) : instructions_(tape.instructions()), outputs_(tape.outputs()) {
  if (!tape.live_nodes().empty()) live_part_ = take_live_part(tape, instructions_);
  shorten(tape.reductions());
  for (std::size_t i = 0; i < instructions_.size() && live_part_; ++i)
    if (is_live_constant(instructions_[i])) live_constants_.push_back(static_cast<int>(i));
}

Program::Program(std::vector<Instruction> instructions, std::vector<Tape::Output> outputs,
                 const std::vector<Tape::Reduction>& reductions)
    : instructions_(std::move(instructions)), outputs_(std::move(outputs)) {
  shorten(reductions);
}

void Program::write_constants(const std::vector<double>& of_live_part) {
  for (const int id : live_constants_) instructions_[z(id)].value = of_live_part[z(instructions_[z(id)].a)];
}

void Program::shorten(const std::vector<Tape::Reduction>& reductions) {
  keep_live();
  instructions_ = with_angle_sums(std::move(instructions_), reductions, live_, outputs_);
  keep_live();
  fuse_products();
  renumber();
  for (const Instruction& i : instructions_) {
    cost_ += throughput(i.op);
    operations_ += computes(i) ? 1 : 0;
  }
}

void Program::keep_live() {
  live_.assign(instructions_.size(), 0);
  for (const auto& o : outputs_) live_[z(o.id)] = 1;
  for (auto i = static_cast<int>(instructions_.size()) - 1; i >= 0; --i)
    if (live_[z(i)]) for_each_operand(instructions_[z(i)], [&](int operand) { live_[z(operand)] = 1; });
}

// a b + c in one rounding where the product serves nothing else.
void Program::fuse_products() {
  std::vector<int> uses(instructions_.size(), 0);
  for (std::size_t i = 0; i < instructions_.size(); ++i)
    if (live_[i]) for_each_operand(instructions_[i], [&](int operand) { ++uses[z(operand)]; });
  for (const auto& o : outputs_) ++uses[z(o.id)];
  const auto is_lone_product = [&](int id) { return instructions_[z(id)].op == Op::multiply && uses[z(id)] == 1; };
  for (std::size_t i = 0; i < instructions_.size(); ++i) {
    Instruction& sum = instructions_[i];
    if (!live_[i] || (sum.op != Op::add && sum.op != Op::subtract)) continue;
    const bool plus = sum.op == Op::add;
    if (is_lone_product(sum.b)) {
      const Instruction product = instructions_[z(sum.b)];
      live_[z(sum.b)] = 0;
      sum = {plus ? Op::multiply_add : Op::subtract_product, product.a, product.b, sum.a, 0.0};
    } else if (is_lone_product(sum.a)) {
      const Instruction product = instructions_[z(sum.a)];
      live_[z(sum.a)] = 0;
      sum = {plus ? Op::multiply_add : Op::product_minus, product.a, product.b, sum.b, 0.0};
    }
  }
}

void Program::renumber() {
  std::vector<int> number(instructions_.size(), -1);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < instructions_.size(); ++i) {
    if (!live_[i]) continue;
    Instruction moved = instructions_[i];
    if (computes(moved))
      for (int* operand : {&moved.a, &moved.b, &moved.c})
        if (*operand >= 0) *operand = number[z(*operand)];
    number[i] = static_cast<int>(kept);
    instructions_[kept++] = moved;
  }
  instructions_.resize(kept);
  live_.clear();
  for (auto& o : outputs_) o.id = number[z(o.id)];
}

Users::Users(const std::vector<Instruction>& instructions, const std::vector<int>& order)
    : first_(instructions.size() + 2, 0) {
  // Counted two places ahead, so that filling the list moves each count to where its list begins.
  for (const int id : order)
    for_each_distinct_operand(instructions[z(id)], [&](int operand) { ++first_[z(operand) + 2]; });
  for (std::size_t i = 2; i < first_.size(); ++i) first_[i] += first_[i - 1];
  list_.resize(z(first_.back()));
  for (std::size_t k = 0; k < order.size(); ++k)
    for_each_distinct_operand(instructions[z(order[k])],
                              [&](int operand) { list_[z(first_[z(operand) + 1]++)] = static_cast<int>(k); });
}

std::vector<int> recorded_order(const Program& program) {
  std::vector<int> order;
  order.reserve(z(program.operations()));
  const std::vector<Instruction>& code = program.instructions();
  for (std::size_t i = 0; i < code.size(); ++i)
    if (computes(code[i])) order.push_back(static_cast<int>(i));
  return order;
}

}  // namespace raak
