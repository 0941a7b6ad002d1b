#include "base/substitution.h"

#include "base/error.h"
#include "base/program.h"

namespace raak {

class Substitution {
 public:
  explicit Substitution(const std::vector<Recorded>& values)
      : values_(values), now_(Tape::current().instructions().size()), state_(now_.size(), unwanted) {}

  void replace(const Recorded& variable, const Recorded& replacement) {
    now_[z(variable.id_)] = variable.negative_ ? -replacement : replacement;
    state_[z(variable.id_)] = changed;
  }

  std::vector<Recorded> run() {
    for (const Recorded& value : values_) want(value.id_);
    for (std::size_t id = state_.size(); id-- > 0;)
      if (state_[id] == wanted) for_each_dependency(instruction(id), [&](int operand) { want(operand); });
    for (std::size_t id = 0; id < state_.size(); ++id) {
      if (state_[id] != wanted) continue;
      bool follows = false;
      for_each_dependency(instruction(id), [&](int operand) { follows |= state_[z(operand)] == changed; });
      if (!follows) continue;
      now_[id] = repeat(instruction(id));
      state_[id] = changed;
    }
    std::vector<Recorded> result;
    result.reserve(values_.size());
    for (const Recorded& value : values_) result.push_back(value.negative_ ? -of(value.id_) : of(value.id_));
    return result;
  }

 private:
  enum : char { unwanted, wanted, changed };

  static std::size_t z(int i) { return static_cast<std::size_t>(i); }
  static Instruction instruction(std::size_t id) { return Tape::current().instructions()[id]; }
  void want(int id) {
    if (state_[z(id)] == unwanted) state_[z(id)] = wanted;
  }
  Recorded of(int id) const { return state_[z(id)] == changed ? now_[z(id)] : Recorded(id, false); }

  Recorded repeat(const Instruction& i) const {
    switch (i.op) {
      case Op::add:
        return of(i.a) + of(i.b);
      case Op::subtract:
        return of(i.a) - of(i.b);
      case Op::multiply:
        return of(i.a) * of(i.b);
      case Op::divide:
        return of(i.a) / of(i.b);
      case Op::square_root:
        return sqrt(of(i.a));
      case Op::absolute:
        return abs(of(i.a));
      case Op::minimum:
        return min(of(i.a), of(i.b));
      case Op::sine_part:
        return sin(of(Tape::current().angle_of(i.a)));
      case Op::cosine_part:
        return cos(of(Tape::current().angle_of(i.a)));
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
      case Op::multiply_add:
      case Op::subtract_product:
      case Op::product_minus:
        break;
    }
    throw Error(ErrorKind::internal, "a fused operation cannot be on a tape that is being recorded");
  }

  const std::vector<Recorded>& values_;
  std::vector<Recorded> now_;
  std::vector<char> state_;
};

std::vector<Recorded> substitute(const std::vector<Recorded>& values, const std::vector<Recorded>& variables,
                                 const std::vector<Recorded>& replacements) {
  Substitution substitution(values);
  for (std::size_t i = 0; i < variables.size(); ++i) substitution.replace(variables[i], replacements[i]);
  return substitution.run();
}

}  // namespace raak
