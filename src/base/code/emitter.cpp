#include "base/code/emitter.h"

#include <xbyak/xbyak.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "base/code/called_functions.h"
#include "base/code/machine.h"
#include "base/code/register_file.h"
#include "base/linear/index.h"
#include "base/pack.h"

namespace raak {
namespace {

using Register = Xbyak::Xmm;  // of four lanes: one that says it is a Ymm
using Xbyak::Operand;
constexpr std::size_t page = 4096;

// More bytes than a program takes. A call spills what registers hold and keeps the addresses of the blocks.
std::size_t room_for(const Program& program) {
  const std::vector<Instruction>& code = program.instructions();
  const auto calls = std::count_if(code.begin(), code.end(), [](const Instruction& i) { return is_call(i.op); });
  return 2 * page + 64 * (code.size() + program.outputs().size()) + 512 * static_cast<std::size_t>(calls);
}

// The constants come first, then, on pages of its own, the function: data read next to code that runs is slow.
class Assembler final : public Xbyak::CodeGenerator, public MachineCode, private RegisterFile {
 public:
  Assembler(const Program& program, const std::vector<int>& order, Width width)
      : CodeGenerator(room_for(program), Xbyak::DontSetProtectRWE),
        RegisterFile(program, order),
        one_(width == Width::one),
        size_(one_ ? 8 : 32),
        constant_at_(code_.size(), 0) {
    for (const Instruction& i : code_)
      if (i.op == Op::input) blocks_ = std::max(blocks_, i.a + 1);
    write_constants();
    start_ = getSize();
    assemble(program, order);
    if (!protect(top_ + start_, maxSize_ - start_, PROTECT_RE)) throw Xbyak::Error(Xbyak::ERR_CANT_PROTECT);
  }
  void take_constants(const Program& program) override {
    for (const int id : program.live_constants())
      for (std::size_t k = 0; k < size_ / 8; ++k)
        std::memcpy(top_ + constant_at_[z(id)] + 8 * k, &program.instructions()[z(id)].value, 8);
  }
  Function function() const override {
    return reinterpret_cast<Function>(reinterpret_cast<std::size_t>(getCode() + start_));  // NOLINT: code was data
  }
  std::size_t bytes() const override { return getSize(); }

 private:
  // --- memory ---
  void write_constants() {
    constexpr std::uint64_t magnitude = 0x7FFFFFFFFFFFFFFFULL;
    masks_at_ = append(&magnitude, 4);
    constexpr double sign = -0.0;
    append(&sign, 4);
    for (std::size_t i = 0; i < code_.size(); ++i)
      if (code_[i].op == Op::constant || code_[i].op == Op::power) constant_at_[i] = append(&code_[i].value, size_ / 8);
    setSize((getSize() + page - 1) / page * page);
  }
  // Copies of eight bytes; returns where they begin.
  std::size_t append(const void* number, std::size_t copies) {
    const std::size_t at = getSize();
    for (std::size_t k = 0; k < copies; ++k) std::memcpy(top_ + at + 8 * k, number, 8);
    setSize(at + 8 * copies);
    return at;
  }
  Xbyak::Address constant(std::size_t at) { return ptr[rdi + at]; }
  Xbyak::Address memory(int id) {
    const Instruction& i = code_[z(id)];
    if (i.op == Op::input) return ptr[in_block(i.a) + size_ * z(i.b)];
    if (i.op == Op::constant) return constant(constant_at_[z(id)]);
    return ptr[rsp + size_ * z(2 + spill_of(id))];  // the first two places serve calls
  }
  static Xbyak::Reg64 in_block(int b) { return Xbyak::Reg64(Operand::R8 + b); }  // up to eight: r8 to r15
  static Xbyak::Reg64 out_block(int b) {
    static const std::array<Xbyak::Reg64, 3> base{Xbyak::util::rcx, Xbyak::util::rdx, Xbyak::util::rax};
    return base[z(b)];
  }
  Register reg(int r) const { return one_ ? Xbyak::Xmm(r) : Xbyak::Ymm(r); }
  void read(const Register& d, const Xbyak::Address& from) { one_ ? vmovsd(d, from) : vmovapd(d, from); }
  void write(const Xbyak::Address& to, const Register& x) { one_ ? vmovsd(to, x) : vmovapd(to, x); }
  void fetch(int r, int id) override { read(reg(r), memory(id)); }
  void save(int id, int r) override { write(memory(id), reg(r)); }

  // --- operations ---
  void arithmetic(Op op, const Register& d, const Register& x, const Operand& y) {
    switch (op) {
      case Op::add:
        return one_ ? vaddsd(d, x, y) : vaddpd(d, x, y);
      case Op::multiply:
        return one_ ? vmulsd(d, x, y) : vmulpd(d, x, y);
      case Op::subtract:
        return one_ ? vsubsd(d, x, y) : vsubpd(d, x, y);
      case Op::divide:
        return one_ ? vdivsd(d, x, y) : vdivpd(d, x, y);
      default:
        return one_ ? vminsd(d, x, y) : vminpd(d, x, y);
    }
  }
  void binary(int id) {
    const Op op = code_[z(id)].op;
    int a = code_[z(id)].a;
    int b = code_[z(id)].b;
    const bool commutes = op == Op::add || op == Op::multiply;
    if (commutes && !in_register(a) && (in_register(b) || is_constant(a))) std::swap(a, b);
    const Register x = reg(load(a));
    if (prefers_register(b)) {
      const Register y = reg(load(b));
      arithmetic(op, reg(result(id, {a, b})), x, y);
    } else {
      arithmetic(op, reg(result(id, {a})), x, memory(b));
    }
  }
  // 231: d = +-(x y) +- d, 213: x = +-(y x) +- z.
  void fused(int id) {
    const Instruction& i = code_[z(id)];
    int a = i.a;
    int b = i.b;
    if (!in_register(a) && in_register(b)) std::swap(a, b);
    if (is_constant(a)) std::swap(a, b);
    const Register x = reg(load(a));
    const bool b_in_register = prefers_register(b);
    if (b_in_register) load(b);
    const bool c_dies = in_register(i.c) && dies(i.c) && i.c != a && i.c != b;
    if (!c_dies && dies(a) && a != b && a != i.c && in_register(b)) {
      const Register y = reg(register_of(b));
      const bool c_in_register = prefers_register(i.c);
      if (c_in_register) load(i.c);
      const Register d = reg(result(id, {a}));
      if (c_in_register) emit213(i.op, d, y, reg(register_of(i.c)));
      else emit213(i.op, d, y, memory(i.c));
      return;
    }
    Register d(0);
    if (c_dies) {
      d = reg(result(id, {i.c}));
    } else {
      if (in_register(i.c)) pin(register_of(i.c));
      d = reg(result(id, {}));
      if (in_register(i.c)) vmovapd(d, reg(register_of(i.c)));
      else read(d, memory(i.c));
    }
    if (b_in_register) emit231(i.op, d, x, reg(register_of(b)));
    else emit231(i.op, d, x, memory(b));
  }
  void emit231(Op op, const Register& d, const Register& x, const Operand& y) {
    if (op == Op::multiply_add) return one_ ? vfmadd231sd(d, x, y) : vfmadd231pd(d, x, y);
    if (op == Op::subtract_product) return one_ ? vfnmadd231sd(d, x, y) : vfnmadd231pd(d, x, y);
    return one_ ? vfmsub231sd(d, x, y) : vfmsub231pd(d, x, y);
  }
  void emit213(Op op, const Register& d, const Register& y, const Operand& c) {
    if (op == Op::multiply_add) return one_ ? vfmadd213sd(d, y, c) : vfmadd213pd(d, y, c);
    if (op == Op::subtract_product) return one_ ? vfnmadd213sd(d, y, c) : vfnmadd213pd(d, y, c);
    return one_ ? vfmsub213sd(d, y, c) : vfmsub213pd(d, y, c);
  }
  void square_root(int id) {
    const Register x = reg(load(code_[z(id)].a));
    const Register d = reg(result(id, {code_[z(id)].a}));
    one_ ? vsqrtsd(d, x, x) : vsqrtpd(d, x);
  }
  void absolute(int id) {
    const Register x = reg(load(code_[z(id)].a));
    vandpd(reg(result(id, {code_[z(id)].a})), x, constant(masks_at_));
  }
  void trigonometric(int id) {
    const Instruction& i = code_[z(id)];
    const bool cosine = i.op == Op::cosine_part;
    const Register n = reg(load(i.a));
    const Register even = reg(load(cosine ? i.c : i.b));
    const Register odd = reg(load(cosine ? i.b : i.c));
    const Register swap = reg(scratch());
    const Register sign = reg(scratch());
    const Register d = reg(result(id, {}));
    vpsllq(swap, n, 63);
    vblendvpd(d, even, odd, swap);
    vpsllq(sign, n, 62);
    if (cosine) vxorpd(sign, sign, swap);
    vandpd(sign, sign, constant(masks_at_ + 32));
    vxorpd(d, d, sign);
  }
  void call_function(int id) {
    const Instruction& i = code_[z(id)];
    write(ptr[rsp], reg(load(i.a)));
    if (i.b >= 0) write(ptr[rsp + size_], reg(load(i.b)));
    clear();
    if (i.op == Op::power) {
      read(reg(0), constant(constant_at_[z(id)]));
      write(ptr[rsp + size_], reg(0));
    }
    const std::array<Xbyak::Reg64, 8> kept{r8, r9, r10, r11, rcx, rdx, rax, rdi};
    for (std::size_t k = 0; k < kept.size(); ++k) mov(ptr[rbp - (64 + 8 * k)], kept[k]);
    mov(rdi, rsp);
    if (!one_) vzeroupper();
    mov(rbx, one_ ? address<1>(i.op) : address<lanes>(i.op));
    call(rbx);
    for (std::size_t k = 0; k < kept.size(); ++k) mov(kept[k], ptr[rbp - (64 + 8 * k)]);
    read(reg(result(id, {})), ptr[rsp]);
  }
  void operation(int id) {
    switch (code_[z(id)].op) {
      case Op::add:
      case Op::subtract:
      case Op::multiply:
      case Op::divide:
      case Op::minimum:
        return binary(id);
      case Op::multiply_add:
      case Op::subtract_product:
      case Op::product_minus:
        return fused(id);
      case Op::square_root:
        return square_root(id);
      case Op::absolute:
        return absolute(id);
      case Op::sine_part:
      case Op::cosine_part:
        return trigonometric(id);
      default:
        return call_function(id);
    }
  }

  void assemble(const Program& program, const std::vector<int>& order) {
    std::vector<Tape::Output> outputs = program.outputs();
    std::sort(outputs.begin(), outputs.end(), [](const auto& x, const auto& y) { return x.id < y.id; });
    const auto output_address = [&](const Tape::Output& o) { return ptr[out_block(o.block) + size_ * z(o.number)]; };
    endbr64();  // where control flow is protected, an indirect call may only land here
    push(rbp);
    mov(rbp, rsp);
    push(rbx);
    sub(rsp, 0x7FFFFFFF);  // of the frame, known when all spills are
    const std::size_t frame_at = getSize() - 4;
    and_(rsp, static_cast<std::uint32_t>(-32));
    for (int b = fixed_blocks; b < blocks_; ++b) mov(ptr[rbp - 16 - 8 * z(b - fixed_blocks + 1)], in_block(b));
    for (int b = 0; b < blocks_; ++b) mov(in_block(b), ptr[rdi + 8 * z(b)]);
    for (int b = 0; b < 3; ++b) mov(out_block(b), ptr[rsi + 8 * z(b)]);
    mov(rdi, reinterpret_cast<std::size_t>(getCode()));  // NOLINT: where the constants lie
    for (std::size_t k = 0; k < order.size(); ++k) {
      const int id = order[k];
      begin(static_cast<int>(k));
      operation(id);
      end(id);
      auto o = std::lower_bound(outputs.begin(), outputs.end(), id, [](const auto& x, int y) { return x.id < y; });
      for (; o != outputs.end() && o->id == id; ++o) write(output_address(*o), reg(register_of(id)));
      if (!is_used(id)) forget(id);
    }
    for (const Tape::Output& o : outputs) {
      if (computes(code_[z(o.id)])) continue;
      read(reg(0), memory(o.id));
      write(output_address(o), reg(0));
    }
    if (!one_) vzeroupper();
    for (int b = fixed_blocks; b < blocks_; ++b) mov(in_block(b), ptr[rbp - 16 - 8 * z(b - fixed_blocks + 1)]);
    lea(rsp, ptr[rbp - 8]);
    pop(rbx);
    pop(rbp);
    ret();
    rewrite(frame_at, size_ * z(spills() + 2) + 192, 4);
  }

  static constexpr int fixed_blocks = 4;  // of inputs, in registers that a function may change

  bool one_;
  int blocks_ = fixed_blocks;
  std::size_t size_;  // bytes of a value
  std::vector<std::size_t> constant_at_;
  std::size_t masks_at_ = 0;
  std::size_t start_ = 0;
};

}  // namespace

std::unique_ptr<MachineCode> MachineCode::emit(const Program& program, const std::vector<int>& order, Width width) {
  if (!machine_has_avx2 || std::getenv("RAAK_NO_EMIT") != nullptr) return nullptr;
  try {
    return std::make_unique<Assembler>(program, order, width);
  } catch (const Xbyak::Error&) {
    return nullptr;  // no executable memory on this system
  }
}

}  // namespace raak
