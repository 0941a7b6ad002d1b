#include "base/schedule.h"

#include <algorithm>

namespace raak {
namespace {

constexpr int window = 24;  // how far ahead of the recorded order an operation may be started: enough to hide
                            // latencies, few enough values alive
constexpr int starts = 2;   // operations that start in one cycle
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
  std::vector<int> candidates;  // places inside the window, not yet started
  int oldest = 0;
  int entered = 0;
  for (int cycle = 0; oldest < count; ++cycle) {
    for (; entered < std::min(count, oldest + window); ++entered) candidates.push_back(entered);
    int soonest = never;  // when the next one can start
    for (int started = 0; started < starts; ++started) {
      std::size_t best = candidates.size();
      int longest = -1;
      for (std::size_t c = 0; c < candidates.size(); ++c) {
        const int k = candidates[c];
        if (missing[z(k)] > 0) continue;
        soonest = std::min(soonest, ready_at[z(k)]);
        if (ready_at[z(k)] > cycle || path[z(sequence[z(k)])] <= longest) continue;
        best = c;
        longest = path[z(sequence[z(k)])];
      }
      if (longest < 0) break;
      soonest = cycle + 1;
      const int k = candidates[best];
      const int id = sequence[z(k)];
      candidates.erase(candidates.begin() + static_cast<std::ptrdiff_t>(best));
      order.push_back(id);
      done[z(k)] = 1;
      for (const int* user = users.begin(id); user != users.end(id); ++user) {
        ready_at[z(*user)] = std::max(ready_at[z(*user)], cycle + latency(code[z(id)].op));
        --missing[z(*user)];
      }
    }
    cycle = std::max(cycle, soonest - 1);
    while (oldest < count && done[z(oldest)]) ++oldest;
  }
  return order;
}

}  // namespace raak
