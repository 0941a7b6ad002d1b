#include "base/program.h"

#include <algorithm>
#include <cstring>
#include <queue>

#include "base/pack.h"

namespace raak {
namespace {

constexpr int window = 24;  // how far ahead of the recorded order an operation may be started: enough to hide
                            // latencies, few enough values alive

std::size_t z(int i) {
  return static_cast<std::size_t>(i);
}

bool computes(const Instruction& i) {
  return i.op != Op::constant && i.op != Op::input;
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

double throughput(Op op) {
  switch (op) {
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
  keep_live();
  fuse_products();
  schedule();
  assign_slots();
  for (const int i : order_) cost_ += throughput(instructions_[z(i)].op);
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

// List scheduling, longest remaining path first, inside a sliding window of the recorded order.
void Program::schedule() {
  const std::size_t n = instructions_.size();
  std::vector<int> sequence, rank(n, 0), path(n, 0), missing(n, 0), ready_at(n, 0);
  std::vector<std::vector<int>> users(n);
  for (std::size_t i = 0; i < n; ++i) {
    if (!live_[i] || !computes(instructions_[i])) continue;
    rank[i] = static_cast<int>(sequence.size());
    sequence.push_back(static_cast<int>(i));
    for_each_operand(instructions_[i], [&](int operand) {
      if (!computes(instructions_[z(operand)])) return;
      users[z(operand)].push_back(static_cast<int>(i));
      ++missing[i];
    });
  }
  for (std::size_t k = sequence.size(); k-- > 0;) {
    const int i = sequence[k];
    path[z(i)] += latency(instructions_[z(i)].op);
    for_each_operand(instructions_[z(i)],
                     [&](int operand) { path[z(operand)] = std::max(path[z(operand)], path[z(i)]); });
  }
  const auto later = [&](int a, int b) { return path[z(a)] != path[z(b)] ? path[z(a)] < path[z(b)] : a > b; };
  std::priority_queue<int, std::vector<int>, decltype(later)> ready(later);
  using Pending = std::pair<int, int>;  // cycle, id
  std::priority_queue<Pending, std::vector<Pending>, std::greater<>> pending;
  for (const int i : sequence)
    if (missing[z(i)] == 0) ready.push(i);
  std::vector<char> done(n, 0);
  std::vector<int> set_aside;
  std::size_t oldest = 0;
  for (int cycle = 0; oldest < sequence.size(); ++cycle) {
    while (!pending.empty() && pending.top().first <= cycle) {
      ready.push(pending.top().second);
      pending.pop();
    }
    set_aside.clear();
    for (int started = 0; started < 2 && !ready.empty();) {
      const int i = ready.top();
      ready.pop();
      if (rank[z(i)] >= static_cast<int>(oldest) + window) {
        set_aside.push_back(i);
        continue;
      }
      order_.push_back(i);
      done[z(i)] = 1;
      ++started;
      for (const int user : users[z(i)]) {
        ready_at[z(user)] = std::max(ready_at[z(user)], cycle + latency(instructions_[z(i)].op));
        if (--missing[z(user)] == 0) pending.emplace(ready_at[z(user)], user);
      }
    }
    for (const int i : set_aside) ready.push(i);
    while (oldest < sequence.size() && done[z(sequence[oldest])]) ++oldest;
  }
}

// Values share memory when their lives do not overlap, so that the working set stays in the first-level cache.
void Program::assign_slots() {
  const std::size_t n = instructions_.size();
  std::vector<int> last_use(n, -1), slot(n, -1);
  for (std::size_t k = 0; k < order_.size(); ++k)
    for_each_operand(instructions_[z(order_[k])], [&](int operand) { last_use[z(operand)] = static_cast<int>(k); });
  for (const auto& o : outputs_) last_use[z(o.id)] = static_cast<int>(order_.size());
  std::vector<int> free;
  for (std::size_t i = 0; i < n; ++i) {
    if (last_use[i] < 0 || computes(instructions_[i])) continue;
    slot[i] = slots_++;
    if (instructions_[i].op == Op::constant) constants_.emplace_back(slot[i], instructions_[i].value);
    else input_slots_.emplace_back(slot[i], static_cast<int>(i));
  }
  for (std::size_t k = 0; k < order_.size(); ++k) {
    const int id = order_[k];
    const Instruction& i = instructions_[z(id)];
    const auto slot_of = [&](int operand) { return operand >= 0 ? slot[z(operand)] : 0; };
    Step step{i.op, 0, slot_of(i.a), slot_of(i.b), slot_of(i.c), i.value};
    for_each_operand(i, [&](int operand) {
      if (last_use[z(operand)] == static_cast<int>(k) && computes(instructions_[z(operand)])) {
        free.push_back(slot[z(operand)]);
        last_use[z(operand)] = -2;  // given back once, though an operand may appear twice
      }
    });
    if (free.empty()) {
      slot[z(id)] = slots_++;
    } else {
      slot[z(id)] = free.back();
      free.pop_back();
    }
    step.to = slot[z(id)];
    steps_.push_back(step);
  }
  for (const auto& o : outputs_) output_slots_.push_back(slot[z(o.id)]);
}

namespace {

// The sign and the swap that the quadrant asks for; the integer lies in the low bits of the rounded value.
RAAK_INLINE Pack pick(const Pack& quadrant, const Pack& even, const Pack& odd, bool cosine) {
  Pack::Bits bits;
  std::memcpy(&bits, &quadrant.x, sizeof bits);
  const Pack::Bits swap = (bits & 1) != 0;
  const Pack::Bits negative = ((cosine ? bits + 1 : bits) & 2) != 0;
  const Pack::Native x = swap ? odd.x : even.x;
  return Pack(negative ? -x : x);
}

template <class Step>
RAAK_INLINE void run(const std::vector<Step>& steps, double* memory) {
  const auto at = [&](int slot) { return Pack::load(memory + static_cast<std::ptrdiff_t>(lanes) * slot); };
  for (const Step& s : steps) {
    const Pack a = at(s.a);
    Pack r;
    switch (s.op) {
      case Op::add:
        r = a + at(s.b);
        break;
      case Op::subtract:
        r = a - at(s.b);
        break;
      case Op::multiply:
        r = a * at(s.b);
        break;
      case Op::divide:
        r = a / at(s.b);
        break;
      case Op::multiply_add:
        r = Pack(a.x * at(s.b).x + at(s.c).x);
        break;
      case Op::subtract_product:
        r = Pack(at(s.c).x - a.x * at(s.b).x);
        break;
      case Op::product_minus:
        r = Pack(a.x * at(s.b).x - at(s.c).x);
        break;
      case Op::square_root:
        r = sqrt(a);
        break;
      case Op::absolute:
        r = abs(a);
        break;
      case Op::minimum:
        r = min(a, at(s.b));
        break;
      case Op::sine_part:
        r = pick(a, at(s.b), at(s.c), false);
        break;
      case Op::cosine_part:
        r = pick(a, at(s.c), at(s.b), true);
        break;
      case Op::exponential:
        r = exp(a);
        break;
      case Op::logarithm:
        r = log(a);
        break;
      case Op::power:
        r = pow(a, s.value);
        break;
      case Op::angle:
        r = atan2(a, at(s.b));
        break;
      case Op::constant:
      case Op::input:
        r = a;
        break;
    }
    r.store(memory + static_cast<std::ptrdiff_t>(lanes) * s.to);
  }
}

template <class Step>
[[gnu::target("avx2,fma"), gnu::flatten]] void run_avx2(const std::vector<Step>& steps, double* memory) {
  run(steps, memory);
}
template <class Step>
[[gnu::flatten]] void run_plain(const std::vector<Step>& steps, double* memory) {
  run(steps, memory);
}

}  // namespace

void Program::interpret(const double* const* in, double* const* out, double* scratch) const {
  static const bool wide = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  const auto pack = [](auto* base, int i) { return base + static_cast<std::ptrdiff_t>(lanes) * i; };
  for (const auto& [slot, value] : constants_) std::fill_n(pack(scratch, slot), lanes, value);
  for (const auto& [slot, id] : input_slots_) {
    const Instruction& input = instructions_[z(id)];
    std::copy_n(pack(in[input.a], input.b), lanes, pack(scratch, slot));
  }
  if (wide) run_avx2(steps_, scratch);
  else run_plain(steps_, scratch);
  for (std::size_t i = 0; i < outputs_.size(); ++i)
    std::copy_n(pack(scratch, output_slots_[i]), lanes, pack(out[outputs_[i].block], outputs_[i].number));
}

}  // namespace raak
