#include "base/tape/substitution.h"

#include "base/code/repeat_operation.h"
#include "base/linear/index.h"

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
      now_[id] = repeat_operation(
          instruction(id), [&](int operand) { return of(operand); },
          [](int quadrant) { return Tape::current().angle_of(quadrant); });
      state_[id] = changed;
    }
    std::vector<Recorded> result;
    result.reserve(values_.size());
    for (const Recorded& value : values_) result.push_back(value.negative_ ? -of(value.id_) : of(value.id_));
    return result;
  }

 private:
  enum : char { unwanted, wanted, changed };
  static Instruction instruction(std::size_t id) { return Tape::current().instructions()[id]; }
  void want(int id) {
    if (state_[z(id)] == unwanted) state_[z(id)] = wanted;
  }
  Recorded of(int id) const { return state_[z(id)] == changed ? now_[z(id)] : Recorded(id, false); }

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
