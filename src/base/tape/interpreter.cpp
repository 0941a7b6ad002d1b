#include "base/tape/interpreter.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <utility>

#include "base/code/machine.h"
#include "base/linear/index.h"
#include "base/pack.h"

namespace raak {
namespace {

using Kind = Interpreter::Kind;

Kind kind_of(Op op) {
  switch (op) {
    case Op::subtract:
    case Op::subtract_product:
      return Kind::minus;
    case Op::product_minus:
      return Kind::less;
    case Op::divide:
      return Kind::divide;
    case Op::square_root:
      return Kind::square_root;
    case Op::absolute:
      return Kind::absolute;
    case Op::minimum:
      return Kind::minimum;
    case Op::sine_part:
      return Kind::sine_part;
    case Op::cosine_part:
      return Kind::cosine_part;
    case Op::exponential:
      return Kind::exponential;
    case Op::logarithm:
      return Kind::logarithm;
    case Op::power:
      return Kind::power;
    case Op::angle:
      return Kind::angle;
    default:
      return Kind::plus;
  }
}

}  // namespace

namespace {
std::uint64_t new_number() {
  static std::atomic<std::uint64_t> made = 0;
  return ++made;
}
}  // namespace

Interpreter::Interpreter(const Program& program) : number_(new_number()) {
  gather(program);
}

void Interpreter::take_constants(const Program& program) {
  for (const auto& [place, instruction] : live_) constants_[place] = program.instructions()[instruction].value;
  number_ = new_number();
}

// Sums and products as long as there are any, then the kind of which most are ready.
void Interpreter::gather(const Program& program) {
  const std::vector<Instruction>& code = program.instructions();
  const std::vector<int> sequence = recorded_order(program);
  const Users users(code, sequence);
  std::vector<int> missing(code.size(), 0);
  std::array<std::vector<int>, kinds> ready;
  const auto of = [](Kind kind) { return static_cast<std::size_t>(kind); };
  for (const int id : sequence) {
    for_each_distinct_operand(code[z(id)], [&](int operand) { missing[z(id)] += computes(code[z(operand)]) ? 1 : 0; });
    if (missing[z(id)] == 0) ready[of(kind_of(code[z(id)].op))].push_back(id);
  }
  std::vector<int> order;
  order.reserve(sequence.size());
  const auto fuller = [&](std::size_t x, std::size_t y) { return ready[x].size() > ready[y].size() ? x : y; };
  while (order.size() < sequence.size()) {
    std::size_t best = fuller(of(Kind::plus), fuller(of(Kind::minus), of(Kind::less)));
    if (ready[best].empty())
      for (std::size_t kind = 0; kind < kinds; ++kind) best = fuller(best, kind);
    std::vector<int>& now = ready[best];
    const std::size_t first = order.size();
    for (std::size_t k = 0; k < now.size(); ++k) {  // NOLINT(modernize-loop-convert): it grows on the way
      const int id = now[k];
      order.push_back(id);
      for (const int* user = users.begin(id); user != users.end(id); ++user) {
        const int next = sequence[z(*user)];
        if (--missing[z(next)] == 0) ready[of(kind_of(code[z(next)].op))].push_back(next);
      }
    }
    now.clear();
    groups_.push_back({static_cast<Kind>(best), static_cast<int>(order.size() - first)});
  }
  assign_memory(program, order);
}

// Values share memory when their lives do not overlap, so that the working set stays in the first-level cache.
void Interpreter::assign_memory(const Program& program, const std::vector<int>& order) {
  const std::vector<Instruction>& code = program.instructions();
  const auto place = [](std::size_t slot) { return static_cast<std::uint32_t>(stride * slot); };
  const std::uint32_t one = place(0);
  const std::uint32_t nothing = place(1);
  constants_ = {1.0, -0.0};
  std::vector<std::uint32_t> at(code.size(), 0);
  for (std::size_t i = 0; i < code.size(); ++i) {
    // The exponent of a power is its third operand.
    if (code[i].op != Op::constant && code[i].op != Op::power) continue;
    at[i] = place(constants_.size());
    if (is_live_constant(code[i])) live_.emplace_back(constants_.size(), i);
    constants_.push_back(code[i].value);
  }
  slots_ = constants_.size();
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (code[i].op != Op::input) continue;
    at[i] = place(slots_++);
    inputs_.push_back({code[i].a, code[i].b, at[i]});
  }
  std::vector<int> last_use(code.size(), -1);
  for (std::size_t k = 0; k < order.size(); ++k)
    for_each_operand(code[z(order[k])], [&](int operand) { last_use[z(operand)] = static_cast<int>(k); });
  for (const auto& o : program.outputs()) last_use[z(o.id)] = static_cast<int>(order.size());
  std::vector<std::uint32_t> free;
  wide_.reserve(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) {
    const int id = order[k];
    const Instruction& i = code[z(id)];
    const auto of = [&](int operand) { return operand >= 0 ? at[z(operand)] : 0; };
    std::uint32_t a = of(i.a);
    std::uint32_t b = of(i.b);
    std::uint32_t c = i.op == Op::power ? at[z(id)] : of(i.c);
    if (i.op == Op::multiply) c = nothing;
    if (i.op == Op::add || i.op == Op::subtract) c = std::exchange(b, one);
    if (i.op == Op::subtract) std::swap(a, c);
    for_each_distinct_operand(i, [&](int operand) {
      if (last_use[z(operand)] == static_cast<int>(k) && computes(code[z(operand)])) free.push_back(at[z(operand)]);
    });
    if (free.empty()) {
      at[z(id)] = place(slots_++);
    } else {
      at[z(id)] = free.back();
      free.pop_back();
    }
    wide_.push_back({{at[z(id)], a, b, c}});
  }
  for (const auto& o : program.outputs()) outputs_.push_back({o.block, o.number, at[z(o.id)]});
  if (slots_ * stride > 0x10000) return;
  steps_.reserve(wide_.size());
  for (const Wide& step : wide_) {
    std::uint64_t places = 0;
    for (int k = 3; k >= 0; --k) places = places << 16 | step.places[k];
    steps_.push_back({places});
  }
  wide_ = {};
}

namespace {

// One double with the interface of Pack.
struct Single {
  using Native = double;
  using Bits = std::int64_t;
  double x;
  Single() = default;
  RAAK_INLINE explicit Single(double value) : x(value) {}
  static RAAK_INLINE Single load(const double* from) { return Single(*from); }
  RAAK_INLINE void store(double* to) const { *to = x; }
};
RAAK_INLINE Single sqrt(const Single& a) {
  return Single(__builtin_sqrt(a.x));
}
template <class F, class... More>
RAAK_INLINE Single each_lane(F&& f, const Single& a, const More&... more) {
  return Single(f(a.x, more.x...));
}

template <class Number>
RAAK_INLINE Number absolute(const Number& a) {
  typename Number::Bits bits;
  std::memcpy(&bits, &a.x, sizeof bits);
  bits &= INT64_MAX;
  Number r;
  std::memcpy(&r.x, &bits, sizeof bits);
  return r;
}
// The sign and the swap that the quadrant asks for; the integer lies in the low bits of the rounded value.
template <class Number>
RAAK_INLINE Number pick(const Number& quadrant, const Number& even, const Number& odd, bool cosine) {
  typename Number::Bits bits;
  std::memcpy(&bits, &quadrant.x, sizeof bits);
  const auto swap = (bits & 1) != 0;
  const auto negative = ((cosine ? bits + 1 : bits) & 2) != 0;
  const typename Number::Native x = swap ? odd.x : even.x;
  return Number(negative ? -x : x);
}

#define RAAK_EACH(result)            \
  for (; step != last; ++step) {     \
    const Step s = *step;            \
    (result).store(memory + s.to()); \
  }                                  \
  break

// Kinds that call a function, apart: around calls nothing stays in registers, not even where a loop of sums ends.
template <class Number, class Step>
[[gnu::noinline]] void run_functions(Kind kind, const Step* step, const Step* last, double* memory) {
  const auto at = [&](std::size_t place) { return Number::load(memory + place); };
  switch (kind) {
    case Kind::square_root:
      RAAK_EACH(sqrt(at(s.a())));
    case Kind::exponential:
      RAAK_EACH(each_lane([](double x) { return std::exp(x); }, at(s.a())));
    case Kind::logarithm:
      RAAK_EACH(each_lane([](double x) { return std::log(x); }, at(s.a())));
    case Kind::power:
      RAAK_EACH(each_lane([](double x, double p) { return std::pow(x, p); }, at(s.a()), at(s.c())));
    default:
      RAAK_EACH(each_lane([](double y, double x) { return std::atan2(y, x); }, at(s.a()), at(s.b())));
  }
}

template <class Number, class Step>
RAAK_INLINE void run_groups(const Interpreter::Group* group, const Interpreter::Group* end, const Step* step,
                            double* memory) {
  const auto at = [&](std::size_t place) __attribute__((always_inline)) {
    return Number::load(memory + place);
  };
  for (; group != end; ++group) {
    const Step* const last = step + group->count;
    switch (group->kind) {
      case Kind::plus:
        RAAK_EACH(Number(at(s.a()).x * at(s.b()).x + at(s.c()).x));
      case Kind::minus:
        RAAK_EACH(Number(at(s.c()).x - at(s.a()).x * at(s.b()).x));
      case Kind::less:
        RAAK_EACH(Number(at(s.a()).x * at(s.b()).x - at(s.c()).x));
      case Kind::divide:
        RAAK_EACH(Number(at(s.a()).x / at(s.b()).x));
      case Kind::absolute:
        RAAK_EACH(absolute(at(s.a())));
      case Kind::minimum:
        RAAK_EACH(Number(at(s.a()).x < at(s.b()).x ? at(s.a()).x : at(s.b()).x));
      case Kind::sine_part:
        RAAK_EACH(pick(at(s.a()), at(s.b()), at(s.c()), false));
      case Kind::cosine_part:
        RAAK_EACH(pick(at(s.a()), at(s.c()), at(s.b()), true));
      default:
        run_functions<Number>(group->kind, step, last, memory);
        step = last;
    }
  }
}
#undef RAAK_EACH

template <class Number, class Step>
[[gnu::target("avx2,fma"), gnu::flatten]] void run_avx2(const std::vector<Interpreter::Group>& groups,
                                                        const std::vector<Step>& steps, double* memory) {
  run_groups<Number>(groups.data(), groups.data() + groups.size(), steps.data(), memory);
}
template <class Number, class Step>
[[gnu::flatten]] void run_plain(const std::vector<Interpreter::Group>& groups, const std::vector<Step>& steps,
                                double* memory) {
  run_groups<Number>(groups.data(), groups.data() + groups.size(), steps.data(), memory);
}

}  // namespace

template <class Number, class Step>
void Interpreter::run_steps(const std::vector<Step>& steps, double* scratch) const {
  if (machine_has_avx2) run_avx2<Number>(groups_, steps, scratch);
  else run_plain<Number>(groups_, steps, scratch);
}

template <class Number>
void Interpreter::run(const double* const* in, double* const* out, double* scratch) const {
  constexpr std::size_t width = sizeof(Number) / sizeof(double);
  for (const Terminal& input : inputs_)
    std::memcpy(scratch + input.at, in[input.block] + width * z(input.number), sizeof(Number));
  if (wide_.empty()) run_steps<Number>(steps_, scratch);
  else run_steps<Number>(wide_, scratch);
  for (const Terminal& output : outputs_)
    std::memcpy(out[output.block] + width * z(output.number), scratch + output.at, sizeof(Number));
}

void Interpreter::write_constants(double* scratch) const {
  for (std::size_t i = 0; i < constants_.size(); ++i) std::fill_n(scratch + stride * i, stride, constants_[i]);
}
void Interpreter::run_lanes(const double* const* in, double* const* out, double* scratch) const {
  run<Pack>(in, out, scratch);
}
void Interpreter::run_one(const double* const* in, double* const* out, double* scratch) const {
  run<Single>(in, out, scratch);
}

}  // namespace raak
