#include "base/emitter.h"

#include <xbyak/xbyak.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <map>

#include "base/pack.h"

namespace raak {
namespace {

constexpr int registers = 16;
constexpr int never = 1 << 30;
constexpr int soon = 24;  // operations: a value used again within this many is worth a register

std::size_t z(int i) {
  return static_cast<std::size_t>(i);
}

// Functions without an instruction, applied to four doubles in place.
void exp_lanes(double* x) {
  for (int i = 0; i < lanes; ++i) x[i] = std::exp(x[i]);
}
void log_lanes(double* x) {
  for (int i = 0; i < lanes; ++i) x[i] = std::log(x[i]);
}
void pow_lanes(double* x) {  // x[4..7] holds the exponent
  for (int i = 0; i < lanes; ++i) x[i] = std::pow(x[i], x[lanes + i]);
}
void atan2_lanes(double* x) {
  for (int i = 0; i < lanes; ++i) x[i] = std::atan2(x[i], x[lanes + i]);
}

class Assembler final : public Xbyak::CodeGenerator, public MachineCode {
 public:
  explicit Assembler(const Program& program)
      : CodeGenerator(4096 + 48 * z(program.operations() + 64) + 32 * program.outputs().size(),
                      Xbyak::DontSetProtectRWE),
        program_(program),
        code_(program.instructions()),
        uses_(code_.size()),
        next_use_(code_.size(), 0),
        register_of_(code_.size(), -1),
        spill_of_(code_.size(), -1),
        constant_of_(code_.size(), -1) {
    holds_.fill(-1);
    assemble();
    setProtectModeRE();
  }
  Function function() const override { return getCode<Function>(); }
  std::size_t bytes() const override { return getSize(); }

 private:
  // --- where values live ---
  Xbyak::Address memory(int id) {
    const Instruction& i = code_[z(id)];
    if (i.op == Op::input) return ptr[in_block(i.a) + 32 * z(i.b)];
    if (i.op == Op::constant) return ptr[rip + constants_ + 32 * constant_index(id)];
    return ptr[rsp + 32 * z(2 + spill_of_[z(id)])];  // the first two packs serve calls
  }
  bool in_memory(int id) const {
    const Op op = code_[z(id)].op;
    return op == Op::input || op == Op::constant || spill_of_[z(id)] >= 0;
  }
  int constant_index(int id) {
    int& index = constant_of_[z(id)];
    if (index < 0) {
      index = static_cast<int>(pool_.size());
      pool_.push_back(code_[z(id)].value);
    }
    return index;
  }
  static Xbyak::Reg64 in_block(int b) {
    static const std::array<Xbyak::Reg64, 4> base{Xbyak::util::r8, Xbyak::util::r9, Xbyak::util::r10, Xbyak::util::r11};
    return base[z(b)];
  }
  static Xbyak::Reg64 out_block(int b) {
    static const std::array<Xbyak::Reg64, 3> base{Xbyak::util::rcx, Xbyak::util::rdx, Xbyak::util::rax};
    return base[z(b)];
  }
  int next_use(int id, int position) {
    const std::vector<int>& at = uses_[z(id)];
    std::size_t& k = next_use_[z(id)];
    while (k < at.size() && at[k] < position) ++k;
    return k < at.size() ? at[k] : never;
  }
  bool dies(int id, int position) { return next_use(id, position + 1) == never; }

  // --- registers ---
  int take(int position) {
    int best = -1;
    int farthest = -1;
    for (int r = 0; r < registers; ++r) {
      if (pinned_ & (1U << r)) continue;
      const int id = holds_[z(r)];
      if (id < 0) return r;
      const int score = std::min(next_use(id, position), never - 1) * 2 + (in_memory(id) ? 1 : 0);
      if (score > farthest) {
        farthest = score;
        best = r;
      }
    }
    spill(best, position);
    return best;
  }
  void spill(int r, int position) {
    const int id = holds_[z(r)];
    if (next_use(id, position) != never && !in_memory(id)) {
      if (free_spills_.empty()) {
        spill_of_[z(id)] = spills_++;
      } else {
        spill_of_[z(id)] = free_spills_.back();
        free_spills_.pop_back();
      }
      vmovapd(memory(id), Xbyak::Ymm(r));
    }
    forget(id);
  }
  void forget(int id) {
    if (register_of_[z(id)] < 0) return;
    holds_[z(register_of_[z(id)])] = -1;
    register_of_[z(id)] = -1;
  }
  int pin(int r) {
    pinned_ |= 1U << r;
    return r;
  }
  Xbyak::Ymm load(int id, int position) {
    int& r = register_of_[z(id)];
    if (r < 0) {
      r = take(position);
      vmovapd(Xbyak::Ymm(r), memory(id));
      holds_[z(r)] = id;
    }
    return Xbyak::Ymm(pin(r));
  }
  // A register if the value is in one or soon needed again, else its place in memory.
  bool prefers_register(int id, int position) {
    if (register_of_[z(id)] >= 0) return true;
    return code_[z(id)].op != Op::constant && next_use(id, position + 1) - position < soon;
  }
  void release(int id, int position) {
    if (!dies(id, position)) return;
    forget(id);
    if (spill_of_[z(id)] >= 0) {
      free_spills_.push_back(spill_of_[z(id)]);
      spill_of_[z(id)] = -1;
    }
  }
  // The register of the result: that of a dying operand if there is one.
  Xbyak::Ymm result(int id, int position, std::initializer_list<int> reusable) {
    int r = -1;
    for (const int operand : reusable) {
      if (operand < 0 || register_of_[z(operand)] < 0 || !dies(operand, position)) continue;
      r = register_of_[z(operand)];
      forget(operand);
      break;
    }
    if (r < 0) r = take(position);
    holds_[z(r)] = id;
    register_of_[z(id)] = r;
    return Xbyak::Ymm(pin(r));
  }

  // --- operations ---
  template <class Emit>
  void binary(int id, int position, bool commutes, Emit&& emit) {
    int a = code_[z(id)].a;
    int b = code_[z(id)].b;
    if (commutes && register_of_[z(a)] < 0 && (register_of_[z(b)] >= 0 || code_[z(a)].op == Op::constant))
      std::swap(a, b);
    const Xbyak::Ymm x = load(a, position);
    if (prefers_register(b, position)) {
      const Xbyak::Ymm y = load(b, position);
      emit(result(id, position, {a, b}), x, static_cast<const Xbyak::Operand&>(y));
    } else {
      emit(result(id, position, {a}), x, static_cast<const Xbyak::Operand&>(memory(b)));
    }
  }
  // 231: d = +-(x y) +- d, 213: x = +-(y x) +- z.
  void fused(int id, int position) {
    const Instruction& i = code_[z(id)];
    int a = i.a;
    int b = i.b;
    if (register_of_[z(a)] < 0 && register_of_[z(b)] >= 0) std::swap(a, b);
    if (code_[z(a)].op == Op::constant) std::swap(a, b);
    const Xbyak::Ymm x = load(a, position);
    const bool b_in_register = prefers_register(b, position);
    if (b_in_register) load(b, position);
    const bool c_dies = register_of_[z(i.c)] >= 0 && dies(i.c, position) && i.c != a && i.c != b;
    if (!c_dies && dies(a, position) && a != b && a != i.c && register_of_[z(b)] >= 0) {
      const Xbyak::Ymm y(register_of_[z(b)]);
      const bool c_in_register = prefers_register(i.c, position);
      if (c_in_register) load(i.c, position);
      const Xbyak::Ymm d = result(id, position, {a});
      if (c_in_register) emit213(i.op, d, y, Xbyak::Ymm(register_of_[z(i.c)]));
      else emit213(i.op, d, y, memory(i.c));
      return;
    }
    Xbyak::Ymm d(0);
    if (c_dies) {
      d = result(id, position, {i.c});
    } else {
      if (register_of_[z(i.c)] >= 0) pin(register_of_[z(i.c)]);
      d = result(id, position, {});
      if (register_of_[z(i.c)] >= 0) vmovapd(d, Xbyak::Ymm(register_of_[z(i.c)]));
      else vmovapd(d, memory(i.c));
    }
    if (b_in_register) emit231(i.op, d, x, Xbyak::Ymm(register_of_[z(b)]));
    else emit231(i.op, d, x, memory(b));
  }
  void emit231(Op op, const Xbyak::Ymm& d, const Xbyak::Ymm& x, const Xbyak::Operand& y) {
    if (op == Op::multiply_add) vfmadd231pd(d, x, y);
    else if (op == Op::subtract_product) vfnmadd231pd(d, x, y);
    else vfmsub231pd(d, x, y);
  }
  void emit213(Op op, const Xbyak::Ymm& d, const Xbyak::Ymm& y, const Xbyak::Operand& c) {
    if (op == Op::multiply_add) vfmadd213pd(d, y, c);
    else if (op == Op::subtract_product) vfnmadd213pd(d, y, c);
    else vfmsub213pd(d, y, c);
  }
  void trigonometric(int id, int position) {
    const Instruction& i = code_[z(id)];
    const bool cosine = i.op == Op::cosine_part;
    const Xbyak::Ymm n = load(i.a, position);
    const Xbyak::Ymm even = load(cosine ? i.c : i.b, position);
    const Xbyak::Ymm odd = load(cosine ? i.b : i.c, position);
    const Xbyak::Ymm swap(pin(take(position)));
    const Xbyak::Ymm sign(pin(take(position)));
    const Xbyak::Ymm d = result(id, position, {});
    vpsllq(swap, n, 63);
    vblendvpd(d, even, odd, swap);
    vpsllq(sign, n, 62);
    if (cosine) vxorpd(sign, sign, swap);
    vandpd(sign, sign, ptr[rip + sign_bit_]);
    vxorpd(d, d, sign);
  }
  void call(int id, int position) {
    const Instruction& i = code_[z(id)];
    vmovapd(ptr[rsp], load(i.a, position));
    if (i.b >= 0) vmovapd(ptr[rsp + 32], load(i.b, position));
    pinned_ = 0;
    for (int r = 0; r < registers; ++r)
      if (holds_[z(r)] >= 0) spill(r, position + 1);
    if (i.op == Op::power) {
      extra_.push_back(i.value);
      vbroadcastsd(Xbyak::Ymm(0), ptr[rip + extra_label_ + 8 * (static_cast<int>(extra_.size()) - 1)]);
      vmovapd(ptr[rsp + 32], Xbyak::Ymm(0));
    }
    const auto function = i.op == Op::exponential ? &exp_lanes
                          : i.op == Op::logarithm ? &log_lanes
                          : i.op == Op::power     ? &pow_lanes
                                                  : &atan2_lanes;
    const std::array<Xbyak::Reg64, 7> kept{r8, r9, r10, r11, rcx, rdx, rax};
    mov(rdi, rsp);
    for (std::size_t k = 0; k < kept.size(); ++k) mov(ptr[rbp - (64 + 8 * k)], kept[k]);
    vzeroupper();
    mov(rbx, reinterpret_cast<std::size_t>(function));  // NOLINT: an address is what is called
    Xbyak::CodeGenerator::call(rbx);
    for (std::size_t k = 0; k < kept.size(); ++k) mov(kept[k], ptr[rbp - (64 + 8 * k)]);
    vmovapd(result(id, position, {}), ptr[rsp]);
  }
  void operation(int id, int position) {
    const Instruction& i = code_[z(id)];
    pinned_ = 0;
    using Y = Xbyak::Ymm;
    using O = Xbyak::Operand;
    switch (i.op) {
      case Op::add:
        binary(id, position, true, [&](const Y& d, const Y& x, const O& y) { vaddpd(d, x, y); });
        break;
      case Op::multiply:
        binary(id, position, true, [&](const Y& d, const Y& x, const O& y) { vmulpd(d, x, y); });
        break;
      case Op::subtract:
        binary(id, position, false, [&](const Y& d, const Y& x, const O& y) { vsubpd(d, x, y); });
        break;
      case Op::divide:
        binary(id, position, false, [&](const Y& d, const Y& x, const O& y) { vdivpd(d, x, y); });
        break;
      case Op::minimum:
        binary(id, position, false, [&](const Y& d, const Y& x, const O& y) { vminpd(d, x, y); });
        break;
      case Op::multiply_add:
      case Op::subtract_product:
      case Op::product_minus:
        fused(id, position);
        break;
      case Op::square_root: {
        const Y x = load(i.a, position);
        vsqrtpd(result(id, position, {i.a}), x);
        break;
      }
      case Op::absolute: {
        const Y x = load(i.a, position);
        vandpd(result(id, position, {i.a}), x, ptr[rip + magnitude_]);
        break;
      }
      case Op::sine_part:
      case Op::cosine_part:
        trigonometric(id, position);
        break;
      case Op::exponential:
      case Op::logarithm:
      case Op::power:
      case Op::angle:
        call(id, position);
        break;
      case Op::constant:
      case Op::input:
        break;
    }
    for_each_operand(i, [&](int operand) { release(operand, position); });
  }

  void assemble() {
    const std::vector<int>& order = program_.order();
    for (std::size_t k = 0; k < order.size(); ++k)
      for_each_operand(code_[z(order[k])], [&](int operand) { uses_[z(operand)].push_back(static_cast<int>(k)); });
    std::multimap<int, const Tape::Output*> outputs;
    for (const Tape::Output& o : program_.outputs()) outputs.emplace(o.id, &o);

    push(rbp);
    mov(rbp, rsp);
    push(rbx);
    Xbyak::Label frame;
    sub(rsp, ptr[rip + frame]);
    and_(rsp, static_cast<std::uint32_t>(-32));
    for (int b = 0; b < 4; ++b) mov(in_block(b), ptr[rdi + 8 * z(b)]);
    for (int b = 0; b < 3; ++b) mov(out_block(b), ptr[rsi + 8 * z(b)]);
    for (std::size_t k = 0; k < order.size(); ++k) {
      const int id = order[k];
      operation(id, static_cast<int>(k));
      const auto [from, to] = outputs.equal_range(id);
      for (auto o = from; o != to; ++o)
        vmovapd(ptr[out_block(o->second->block) + 32 * z(o->second->number)], Xbyak::Ymm(register_of_[z(id)]));
      if (uses_[z(id)].empty()) forget(id);
    }
    for (const Tape::Output& o : program_.outputs()) {
      const Op op = code_[z(o.id)].op;
      if (op != Op::input && op != Op::constant) continue;
      vmovapd(Xbyak::Ymm(0), memory(o.id));
      vmovapd(ptr[out_block(o.block) + 32 * z(o.number)], Xbyak::Ymm(0));
    }
    vzeroupper();
    lea(rsp, ptr[rbp - 8]);
    pop(rbx);
    pop(rbp);
    ret();

    align(32);
    L(constants_);
    for (const double value : pool_) pack(value);
    L(sign_bit_);
    pack(-0.0);
    L(magnitude_);
    for (int k = 0; k < lanes; ++k) dq(0x7FFFFFFFFFFFFFFFULL);
    L(extra_label_);
    for (const double value : extra_) number(value);
    L(frame);
    dq(32 * z(spills_ + 2) + 160);
  }
  void number(double value) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    dq(bits);
  }
  void pack(double value) {
    for (int k = 0; k < lanes; ++k) number(value);
  }

  const Program& program_;
  const std::vector<Instruction>& code_;
  std::vector<std::vector<int>> uses_;
  std::vector<std::size_t> next_use_;
  std::vector<int> register_of_, spill_of_, constant_of_;
  std::array<int, registers> holds_{};
  unsigned pinned_ = 0;
  std::vector<int> free_spills_;
  int spills_ = 0;
  std::vector<double> pool_, extra_;
  Xbyak::Label constants_, sign_bit_, magnitude_, extra_label_;
};

}  // namespace

std::unique_ptr<MachineCode> MachineCode::emit(const Program& program) {
  static const bool able = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (!able || std::getenv("RAAK_NO_EMIT") != nullptr) return nullptr;
  try {
    return std::make_unique<Assembler>(program);
  } catch (const Xbyak::Error&) {
    return nullptr;  // no executable memory on this system
  }
}

}  // namespace raak
