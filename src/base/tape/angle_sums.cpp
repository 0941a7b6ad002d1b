#include "base/tape/angle_sums.h"

#include <unordered_map>

#include "base/code/program.h"
#include "base/linear/index.h"

namespace raak {
namespace {

class Rewriting {
 public:
  Rewriting(const std::vector<Instruction>& from, const std::vector<Tape::Reduction>& reductions,
            const std::vector<char>& live)
      : from_(from), number_(from_.size(), -1) {
    for (const Tape::Reduction& r : reductions)
      if (live[z(r.quadrant)]) of_angle_.emplace(r.angle, &r);
    for (const auto& [angle, reduction] : of_angle_) {
      const Instruction& sum = from_[z(angle)];
      if (sum.op != Op::add && sum.op != Op::subtract) continue;
      if (of_angle_.contains(sum.a) && of_angle_.contains(sum.b)) sum_of_quadrant_.emplace(reduction->quadrant, &sum);
    }
  }
  bool changes_anything() const { return !sum_of_quadrant_.empty(); }

  std::vector<Instruction> run(const std::vector<char>& live) {
    for (std::size_t id = 0; id < from_.size(); ++id)
      if (live[id]) moved(static_cast<int>(id));
    return std::move(to_);
  }
  int number(int id) const { return number_[z(id)]; }

 private:
  int push(const Instruction& i) {
    to_.push_back(i);
    return static_cast<int>(to_.size()) - 1;
  }
  int moved(int id) {
    if (number_[z(id)] >= 0) return number_[z(id)];
    Instruction i = from_[z(id)];
    if (i.op == Op::sine_part || i.op == Op::cosine_part) return number_[z(id)] = function(i.op, i.a, i.b, i.c);
    if (computes(i))
      for (int* operand : {&i.a, &i.b, &i.c})
        if (*operand >= 0) *operand = moved(*operand);
    return number_[z(id)] = push(i);
  }
  // One function of the angle of a reduction, known or new.
  int function(Op op, int quadrant, int sine, int cosine) {
    auto& known = op == Op::sine_part ? sines_ : cosines_;
    if (const auto found = known.find(quadrant); found != known.end()) return found->second;
    const auto sum = sum_of_quadrant_.find(quadrant);
    const int made = sum == sum_of_quadrant_.end() ? push({op, moved(quadrant), moved(sine), moved(cosine)})
                                                   : function_of_sum(op, *sum->second);
    return known[quadrant] = made;
  }
  int function_of_sum(Op op, const Instruction& sum) {
    const Tape::Reduction& a = *of_angle_.at(sum.a);
    const Tape::Reduction& b = *of_angle_.at(sum.b);
    const auto of = [&](Op f, const Tape::Reduction& r) { return function(f, r.quadrant, r.sine, r.cosine); };
    const bool sine = op == Op::sine_part;
    // sin(a +- b) = sin a cos b +- cos a sin b, cos(a +- b) = cos a cos b -+ sin a sin b
    const int first = push({Op::multiply, of(sine ? Op::sine_part : Op::cosine_part, a), of(Op::cosine_part, b)});
    const int second = push({Op::multiply, of(sine ? Op::cosine_part : Op::sine_part, a), of(Op::sine_part, b)});
    return push({sine == (sum.op == Op::add) ? Op::add : Op::subtract, first, second});
  }

  const std::vector<Instruction>& from_;
  std::vector<Instruction> to_;
  std::vector<int> number_;
  std::unordered_map<int, const Tape::Reduction*> of_angle_;  // those in use
  std::unordered_map<int, const Instruction*> sum_of_quadrant_;
  std::unordered_map<int, int> sines_, cosines_;  // by quadrant, numbers in to_
};

}  // namespace

std::vector<Instruction> with_angle_sums(std::vector<Instruction> instructions,
                                         const std::vector<Tape::Reduction>& reductions, const std::vector<char>& live,
                                         std::vector<Tape::Output>& outputs) {
  Rewriting rewriting(instructions, reductions, live);
  if (!rewriting.changes_anything()) return instructions;
  std::vector<Instruction> rewritten = rewriting.run(live);
  for (Tape::Output& o : outputs) o.id = rewriting.number(o.id);
  return rewritten;
}

}  // namespace raak
