#include "base/code/live_part.h"

#include <bit>
#include <cstdint>
#include <utility>

#include "base/linear/index.h"
#include "base/tape/interpreter.h"
#include "base/tape/live.h"

namespace raak {

LivePart::LivePart(std::shared_ptr<LiveNumbers> numbers, std::vector<int> nodes, const Program& program, int results)
    : numbers_(std::move(numbers)),
      nodes_(std::move(nodes)),
      interpreter_(std::make_unique<Interpreter>(program)),
      scratch_(interpreter_->scratch_size() + 4),
      inputs_(nodes_.size()),
      results_(z(results)) {
  interpreter_->write_constants(scratch_.data());
}
LivePart::~LivePart() = default;

const std::vector<double>& LivePart::work_out() {
  for (std::size_t i = 0; i < nodes_.size(); ++i) inputs_[i] = numbers_->number(nodes_[i]);
  const double* const in[1] = {inputs_.data()};
  double* const out[1] = {results_.data()};
  interpreter_->run_one(in, out, scratch_.data());
  return results_;
}

bool LivePart::is_outdated() const {
  for (std::size_t i = 0; i < nodes_.size(); ++i)
    if (std::bit_cast<std::uint64_t>(inputs_[i]) != std::bit_cast<std::uint64_t>(numbers_->number(nodes_[i])))
      return true;
  return false;
}

std::shared_ptr<LivePart> take_live_part(const Tape& tape, std::vector<Instruction>& instructions) {
  using Varies = Tape::Varies;
  std::vector<Tape::Output> results;
  std::vector<char> taken(instructions.size(), 0);
  const auto take = [&](int id) {
    if (tape.varies(id) != Varies::with_live_numbers || taken[z(id)] != 0) return;
    taken[z(id)] = 1;
    results.push_back({0, static_cast<int>(results.size()), id});
  };
  for (std::size_t i = 0; i < instructions.size(); ++i)
    if (tape.varies(static_cast<int>(i)) == Varies::always) for_each_operand(instructions[i], take);
  for (const Tape::Output& output : tape.outputs()) take(output.id);
  if (results.empty()) return nullptr;
  std::vector<Instruction> own = instructions;
  for (Instruction& i : own)
    if (i.op == Op::input && i.a == Tape::live_block) i.a = 0;
  auto part =
      std::make_shared<LivePart>(tape.live_numbers(), tape.live_nodes(),
                                 Program(std::move(own), results, tape.reductions()), static_cast<int>(results.size()));
  const std::vector<double>& values = part->work_out();
  for (const Tape::Output& result : results)
    instructions[z(result.id)] = {Op::constant, result.number, -1, -1, values[z(result.number)]};
  return part;
}

}  // namespace raak
