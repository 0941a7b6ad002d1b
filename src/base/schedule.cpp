#include "base/schedule.h"

#include <algorithm>

namespace raak {
namespace {

constexpr int window = 400;     // how far ahead of the recorded order an operation may be started
constexpr int starts = 3;       // operations that start in one cycle
constexpr int most_alive = 12;  // values: from here on those operations come first that end the lives of others,
constexpr int patience = 4;     // even if they could only start this many cycles later
constexpr int never = 1 << 30;

std::size_t z(int i) {
  return static_cast<std::size_t>(i);
}

int latency(Op op) {
  switch (op) {
    case Op::divide:
      return 13;
    case Op::square_root:
      return 20;
    case Op::add:
    case Op::subtract:
    case Op::multiply:
      return 3;
    case Op::sine_part:
    case Op::cosine_part:
      return 6;
    case Op::exponential:
    case Op::logarithm:
    case Op::power:
    case Op::angle:
      return 200;
    default:
      return 4;
  }
}

// How many values are alive, and how an operation would change that.
class Lives {
 public:
  Lives(const std::vector<Instruction>& code, const std::vector<int>& sequence) : code_(code), uses_(code.size(), 0) {
    for (const int id : sequence) for_each_distinct_operand(code[z(id)], [&](int operand) { ++uses_[z(operand)]; });
  }
  bool are_many() const { return alive_ >= most_alive; }
  int change(int id) const {
    int result = uses_[z(id)] > 0 ? 1 : 0;
    for_each_distinct_operand(code_[z(id)],
                              [&](int operand) { result -= computes(code_[z(operand)]) && uses_[z(operand)] == 1; });
    return result;
  }
  void start(int id) {
    alive_ += change(id);
    for_each_distinct_operand(code_[z(id)], [&](int operand) { --uses_[z(operand)]; });
  }

 private:
  const std::vector<Instruction>& code_;
  std::vector<int> uses_;  // that have not started
  int alive_ = 0;
};

}  // namespace

std::vector<int> schedule(const Program& program) {
  const std::vector<Instruction>& code = program.instructions();
  const std::vector<int> sequence = recorded_order(program);
  const Users users(code, sequence);
  const auto count = static_cast<int>(sequence.size());
  // By place in the sequence: the longest path to an output, operands not started, the first cycle possible.
  std::vector<int> path(code.size(), 0), missing(z(count), 0), ready_at(z(count), 0);
  for (int k = count - 1; k >= 0; --k) {
    const int id = sequence[z(k)];
    path[z(id)] += latency(code[z(id)].op);
    for_each_distinct_operand(code[z(id)], [&](int operand) {
      path[z(operand)] = std::max(path[z(operand)], path[z(id)]);
      missing[z(k)] += computes(code[z(operand)]) ? 1 : 0;
    });
  }
  std::vector<int> order;
  order.reserve(z(count));
  std::vector<char> done(z(count), 0);
  std::vector<int> candidates;  // places inside the window whose operands have started
  Lives lives(code, sequence);
  int oldest = 0;
  int entered = 0;
  for (int cycle = 0; oldest < count; ++cycle) {
    for (; entered < std::min(count, oldest + window); ++entered)
      if (missing[z(entered)] == 0) candidates.push_back(entered);
    int soonest = never;  // when one of them can start
    for (int started = 0; started < starts; ++started) {
      const bool crowded = lives.are_many();
      const int latest = crowded ? cycle + patience : cycle;
      std::size_t best = candidates.size();
      int longest = -1;
      bool best_adds = true;
      for (std::size_t c = 0; c < candidates.size(); ++c) {
        const int k = candidates[c];
        const int id = sequence[z(k)];
        soonest = std::min(soonest, ready_at[z(k)]);
        if (ready_at[z(k)] > latest) continue;
        const bool adds = crowded && lives.change(id) > 0;
        if (adds > best_adds || (adds == best_adds && path[z(id)] < longest)) continue;
        if (adds == best_adds && path[z(id)] == longest && k > candidates[best]) continue;
        best = c;
        longest = path[z(id)];
        best_adds = adds;
      }
      if (longest < 0) break;
      soonest = cycle + 1;
      const int k = candidates[best];
      const int id = sequence[z(k)];
      candidates[best] = candidates.back();
      candidates.pop_back();
      order.push_back(id);
      lives.start(id);
      done[z(k)] = 1;
      for (const int* user = users.begin(id); user != users.end(id); ++user) {
        ready_at[z(*user)] = std::max(ready_at[z(*user)], cycle + latency(code[z(id)].op));
        if (--missing[z(*user)] == 0 && *user < entered) candidates.push_back(*user);
      }
    }
    cycle = std::max(cycle, soonest - 1);
    while (oldest < count && done[z(oldest)]) ++oldest;
  }
  return order;
}

}  // namespace raak
