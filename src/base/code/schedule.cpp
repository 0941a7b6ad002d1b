#include "base/code/schedule.h"

#include <algorithm>

#include "base/linear/index.h"

namespace raak {
namespace {

constexpr int window = 400;     // how far ahead of the recorded order an operation may be started
constexpr int starts = 3;       // operations that start in one cycle
constexpr int most_alive = 12;  // values: from here on those operations come first that end the lives of others,
constexpr int patience = 4;     // even if they could only start this many cycles later
constexpr int never = 1 << 30;

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

// Operations are known by their place in the recorded sequence, values by their id.
class Scheduler {
 public:
  explicit Scheduler(const Program& program)
      : code_(program.instructions()),
        sequence_(recorded_order(program)),
        count_(static_cast<int>(sequence_.size())),
        users_(code_, sequence_),
        lives_(code_, sequence_),
        path_(code_.size(), 0),
        missing_(z(count_), 0),
        ready_at_(z(count_), 0),
        done_(z(count_), 0) {
    for (int k = count_ - 1; k >= 0; --k) {
      const int id = sequence_[z(k)];
      path_[z(id)] += latency(code_[z(id)].op);
      for_each_distinct_operand(code_[z(id)], [&](int operand) {
        path_[z(operand)] = std::max(path_[z(operand)], path_[z(id)]);
        missing_[z(k)] += computes(code_[z(operand)]) ? 1 : 0;
      });
    }
  }

  std::vector<int> order() {
    std::vector<int> found;
    found.reserve(z(count_));
    for (int cycle = 0; oldest_ < count_; ++cycle) {
      move_window();
      int soonest = never;
      for (int started = 0; started < starts; ++started) {
        const std::size_t best = best_candidate(cycle, soonest);
        if (best == candidates_.size()) break;
        found.push_back(start(best, cycle));
        soonest = cycle + 1;
      }
      cycle = std::max(cycle, soonest - 1);
      while (oldest_ < count_ && done_[z(oldest_)]) ++oldest_;
    }
    return found;
  }

 private:
  void move_window() {
    for (; entered_ < std::min(count_, oldest_ + window); ++entered_)
      if (missing_[z(entered_)] == 0) candidates_.push_back(entered_);
  }

  // Of those that may start now the one with the longest path, among many live values one that adds none; of equals the
  // one recorded first. The number of candidates: none may start. `soonest` becomes the cycle in which one may.
  std::size_t best_candidate(int cycle, int& soonest) const {
    const bool crowded = lives_.are_many();
    const int latest = crowded ? cycle + patience : cycle;
    std::size_t best = candidates_.size();
    int longest = -1;
    bool best_adds = true;
    for (std::size_t c = 0; c < candidates_.size(); ++c) {
      const int k = candidates_[c];
      const int id = sequence_[z(k)];
      soonest = std::min(soonest, ready_at_[z(k)]);
      if (ready_at_[z(k)] > latest) continue;
      const bool adds = crowded && lives_.change(id) > 0;
      if (adds && !best_adds) continue;
      if (adds == best_adds && path_[z(id)] < longest) continue;
      if (adds == best_adds && path_[z(id)] == longest && k > candidates_[best]) continue;
      best = c;
      longest = path_[z(id)];
      best_adds = adds;
    }
    return best;
  }

  // The id of the operation, which is a candidate no more; its users may become some.
  int start(std::size_t candidate, int cycle) {
    const int k = candidates_[candidate];
    const int id = sequence_[z(k)];
    candidates_[candidate] = candidates_.back();
    candidates_.pop_back();
    lives_.start(id);
    done_[z(k)] = 1;
    for (const int* user = users_.begin(id); user != users_.end(id); ++user) {
      ready_at_[z(*user)] = std::max(ready_at_[z(*user)], cycle + latency(code_[z(id)].op));
      if (--missing_[z(*user)] == 0 && *user < entered_) candidates_.push_back(*user);
    }
    return id;
  }

  const std::vector<Instruction>& code_;
  std::vector<int> sequence_;
  int count_;
  Users users_;
  Lives lives_;
  std::vector<int> path_;         // by id: the longest to an output, in cycles
  std::vector<int> missing_;      // operands that have not started
  std::vector<int> ready_at_;     // the first cycle possible
  std::vector<char> done_;        // started
  std::vector<int> candidates_;   // inside the window, with no operand missing
  int oldest_ = 0, entered_ = 0;  // the window: the first that has not started, and how far it has been looked at
};

}  // namespace

std::vector<int> schedule(const Program& program) {
  return Scheduler(program).order();
}

}  // namespace raak
