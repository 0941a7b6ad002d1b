#include "base/tape/tape.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "base/code/program.h"

namespace raak {
namespace {

std::size_t hash(const Instruction& i) {
  const auto part = [](int x) { return static_cast<std::uint64_t>(static_cast<std::uint32_t>(x)); };
  std::uint64_t h = (part(i.a) << 32 | part(i.b)) * 0x9E3779B97F4A7C15ULL;
  h ^= (part(i.c) << 8 | static_cast<std::uint64_t>(i.op)) * 0xC2B2AE3D27D4EB4FULL;
  h ^= std::bit_cast<std::uint64_t>(i.value) * 0x165667B19E3779F9ULL;
  return h ^ (h >> 29) ^ (h >> 47);
}

bool same(const Instruction& x, const Instruction& y) {
  return x.op == y.op && x.a == y.a && x.b == y.b && x.c == y.c &&
         std::bit_cast<std::uint64_t>(x.value) == std::bit_cast<std::uint64_t>(y.value);
}

}  // namespace

Tape::Tape() : known_(4096, -1) {
  instructions_.reserve(1024);
  constant(0.0);
}

int Tape::push(Op op, int a, int b, int c, double value) {
  if (2 * instructions_.size() >= known_.size()) grow();
  const Instruction wanted{op, a, b, c, value};
  const std::size_t mask = known_.size() - 1;
  for (std::size_t k = hash(wanted) & mask;; k = (k + 1) & mask) {
    const int there = known_[k];
    if (there >= 0 && same(instructions_[static_cast<std::size_t>(there)], wanted)) return there;
    if (there >= 0) continue;
    known_[k] = static_cast<int>(instructions_.size());
    Varies varies = Varies::never;
    if (op == Op::input) varies = a == live_block ? Varies::with_live_numbers : Varies::always;
    else
      for_each_operand(wanted,
                       [&](int operand) { varies = std::max(varies, varies_[static_cast<std::size_t>(operand)]); });
    instructions_.push_back(wanted);
    varies_.push_back(varies);
    return known_[k];
  }
}

void Tape::grow() {
  known_.assign(2 * known_.size(), -1);
  const std::size_t mask = known_.size() - 1;
  for (std::size_t i = 0; i < instructions_.size(); ++i) {
    std::size_t k = hash(instructions_[i]) & mask;
    while (known_[k] >= 0) k = (k + 1) & mask;
    known_[k] = static_cast<int>(i);
  }
}

Recorded Tape::new_input(int block) {
  if (inputs_.size() <= static_cast<std::size_t>(block)) inputs_.resize(static_cast<std::size_t>(block) + 1, 0);
  return {push(Op::input, block, inputs_[static_cast<std::size_t>(block)]++), false};
}

void Tape::add_output(int block, const Recorded& x) {
  if (outputs_in_block_.size() <= static_cast<std::size_t>(block))
    outputs_in_block_.resize(static_cast<std::size_t>(block) + 1, 0);
  outputs_.push_back({block, outputs_in_block_[static_cast<std::size_t>(block)]++, x.signed_id()});
}

Recorded::Recorded(double value)
    : id_(value == 0.0 ? Tape::zero : Tape::current().constant(std::abs(value))), negative_(std::signbit(value)) {}

Recorded Recorded::parameter(double value) {
  Tape& tape = Tape::current();
  if (tape.parameter_block_ < 0 || value == 0.0 || std::abs(value) == 1.0) return {value};
  tape.parameters_.push_back(value);
  tape.parameter_nodes_.push_back(-1);
  return tape.new_input(tape.parameter_block_);
}

void Tape::read_instead(const Recorded& value, int block, int number) {
  instructions_[static_cast<std::size_t>(value.id_)] = {Op::input, block, number, -1, 0.0};
}

std::vector<Tape::Dependence> Tape::dependences(int block, int constants) const {
  std::vector<Dependence> found(instructions_.size(), Dependence::none);
  for (std::size_t i = 0; i < instructions_.size(); ++i) {
    const Instruction& at = instructions_[i];
    if (at.op == Op::input && at.a != constants && at.a != live_block)
      found[i] = at.a == block ? Dependence::one_block : Dependence::more;
    for_each_operand(at, [&](int operand) { found[i] = std::max(found[i], found[static_cast<std::size_t>(operand)]); });
  }
  return found;
}

std::vector<Recorded> Tape::functions_of(int block, int constants) {
  const std::vector<Dependence> depends = dependences(block, constants);
  std::vector<char> is_part(depends.size(), 0);  // of a larger one
  std::vector<char> is_used(depends.size(), 0);  // by what depends on more
  for (std::size_t i = 0; i < depends.size(); ++i)
    for_each_operand(instructions_[i], [&](int operand) {
      (depends[i] == Dependence::more ? is_used : is_part)[static_cast<std::size_t>(operand)] = 1;
    });
  std::vector<Recorded> found;
  for (std::size_t i = 0; i < depends.size(); ++i)
    if (depends[i] == Dependence::one_block && (is_used[i] != 0 || (is_part[i] == 0 && computes(instructions_[i]))))
      found.push_back({static_cast<int>(i), false});
  return found;
}

void Tape::clear() {
  // Of a short recording only the places that it has filled: thousands of joints are recorded one after the other.
  // Whole runs of them are emptied, so that none stays behind one; those of instructions that were changed may.
  std::size_t emptied = 0;
  const std::size_t mask = known_.size() - 1;
  if (8 * instructions_.size() < known_.size())
    for (const Instruction& instruction : instructions_)
      for (std::size_t k = hash(instruction) & mask; known_[k] >= 0; k = (k + 1) & mask) {
        known_[k] = -1;
        ++emptied;
      }
  if (emptied != instructions_.size()) std::fill(known_.begin(), known_.end(), -1);
  instructions_.clear();
  varies_.clear();
  reductions_.clear();
  parameter_block_ = -1;
  parameters_.clear();
  parameter_nodes_.clear();
  live_.reset();
  live_nodes_.clear();
  inputs_.clear();
  outputs_in_block_.clear();
  outputs_.clear();
  constant(0.0);
}

int Recorded::signed_id() const {
  double value = 0.0;
  if (!negative_) return id_;
  if (constant(value)) return Tape::current().constant(value);
  Tape& tape = Tape::current();
  return tape.push(Op::subtract, Tape::zero, id_);
}

bool Recorded::is_constant() const {
  double value = 0.0;
  return constant(value);
}

Recorded operator+(const Recorded& a, const Recorded& b) {
  if (a.is_zero()) return b;
  if (b.is_zero()) return a;
  double x = 0.0;
  double y = 0.0;
  const bool known_a = a.constant(x);
  const bool known_b = b.constant(y);
  if (known_a && known_b) return {x + y};
  Tape& tape = Tape::current();
  if (a.negative_ == b.negative_) {
    const auto [low, high] = std::minmax(a.id_, b.id_);
    return {tape.push(Op::add, low, high), a.negative_};
  }
  if (a.id_ == b.id_) return {0.0};
  return a.negative_ ? Recorded(tape.push(Op::subtract, b.id_, a.id_), false)
                     : Recorded(tape.push(Op::subtract, a.id_, b.id_), false);
}

Recorded operator*(const Recorded& a, const Recorded& b) {
  if (a.is_zero() || b.is_zero()) return {};
  double x = 0.0;
  double y = 0.0;
  const bool known_a = a.constant(x);
  const bool known_b = b.constant(y);
  if (known_a && known_b) return {x * y};
  if (known_a && std::abs(x) == 1.0) return x > 0.0 ? b : -b;
  if (known_b && std::abs(y) == 1.0) return y > 0.0 ? a : -a;
  const auto [low, high] = std::minmax(a.id_, b.id_);
  return {Tape::current().push(Op::multiply, low, high), a.negative_ != b.negative_};
}

Recorded operator/(const Recorded& a, const Recorded& b) {
  double y = 0.0;
  double x = 0.0;
  if (b.constant(y) && y == 0.0 && a.constant(x)) return {x / y};  // 0 / 0 is no structural zero
  if (b.constant(y)) return a * Recorded(1.0 / y);
  if (a.is_zero()) return {};
  // Worked out once, where the number changes.
  if (b.stays_put() && !a.stays_put()) return a * (Recorded(1.0) / b);
  return {Tape::current().push(Op::divide, a.id_, b.id_), a.negative_ != b.negative_};
}

Recorded sqrt(const Recorded& a) {
  double x = 0.0;
  if (a.constant(x)) return {std::sqrt(x)};
  return {Tape::current().push(Op::square_root, a.signed_id()), false};
}
Recorded abs(const Recorded& a) {
  double x = 0.0;
  if (a.constant(x)) return {std::abs(x)};
  return {Tape::current().push(Op::absolute, a.id_), false};
}
Recorded min(const Recorded& a, const Recorded& b) {
  double x = 0.0;
  double y = 0.0;
  if (a.constant(x) && b.constant(y)) return {std::min(x, y)};
  return {Tape::current().push(Op::minimum, a.signed_id(), b.signed_id()), false};
}

// As in pack.h: the polynomials of fdlibm.
int Tape::angle_of(int quadrant) const {
  const auto known =
      std::find_if(reductions_.begin(), reductions_.end(), [&](const Reduction& r) { return r.quadrant == quadrant; });
  return known->angle;
}

Tape::Reduction Tape::reduction(int angle) {
  for (const Reduction& known : reductions_)
    if (known.angle == angle) return known;
  const Recorded x(angle, false);
  const Recorded magic(6755399441055744.0);
  const Recorded shifted = x * 0.63661977236758134308 + magic;
  const Recorded n = shifted - magic;
  const Recorded r =
      ((x - n * 1.57079632673412561417e+00) - n * 6.07710050630396597660e-11) - n * 2.02226624879595063154e-21;
  const Recorded z = r * r;
  const Recorded z2 = z * z;
  // Even and odd coefficients apart: the chain is half as long.
  const Recorded ps = ((z * 1.58969099521155010221e-10 + -2.50507602534068634195e-08) * z2 +
                       (z * 2.75573137070700676789e-06 + -1.98412698298579493134e-04)) *
                          z2 +
                      (z * 8.33333333332248946124e-03 + -1.66666666666666324348e-01);
  const Recorded pc = ((z * -1.13596475577881948265e-11 + 2.08757232129817482790e-09) * z2 +
                       (z * -2.75573143513906633035e-07 + 2.48015872894767294178e-05)) *
                          z2 +
                      (z * -1.38888888888741095749e-03 + 4.16666666666666019037e-02);
  const Recorded half = z * 0.5;
  const Recorded w = Recorded(1.0) - half;
  const Recorded sine = r * z * ps + r;
  const Recorded cosine = z2 * pc + ((Recorded(1.0) - w) - half) + w;
  reductions_.push_back({angle, shifted.signed_id(), sine.signed_id(), cosine.signed_id()});
  return reductions_.back();
}

Recorded sin(const Recorded& a) {
  double x = 0.0;
  if (a.constant(x)) return {std::sin(x)};
  Tape& tape = Tape::current();
  const Tape::Reduction r = tape.reduction(a.id_);  // sin(-x) = -sin(x): one reduction serves both signs
  return {tape.push(Op::sine_part, r.quadrant, r.sine, r.cosine), a.negative_};
}
Recorded cos(const Recorded& a) {
  double x = 0.0;
  if (a.constant(x)) return {std::cos(x)};
  Tape& tape = Tape::current();
  const Tape::Reduction r = tape.reduction(a.id_);
  return {tape.push(Op::cosine_part, r.quadrant, r.sine, r.cosine), false};
}
Recorded exp(const Recorded& a) {
  double x = 0.0;
  if (a.constant(x)) return {std::exp(x)};
  return {Tape::current().push(Op::exponential, a.signed_id()), false};
}
Recorded log(const Recorded& a) {
  double x = 0.0;
  if (a.constant(x)) return {std::log(x)};
  return {Tape::current().push(Op::logarithm, a.signed_id()), false};
}
Recorded pow(const Recorded& a, double p) {
  if (p == 0.0) return {1.0};
  if (p == 1.0) return a;
  if (p == 2.0) return a * a;
  double x = 0.0;
  if (a.constant(x)) return {std::pow(x, p)};
  return {Tape::current().push(Op::power, a.signed_id(), -1, -1, p), false};
}
Recorded atan2(const Recorded& y, const Recorded& x) {
  double b = 0.0;
  double a = 0.0;
  if (y.constant(b) && x.constant(a)) return {std::atan2(b, a)};
  return {Tape::current().push(Op::angle, y.signed_id(), x.signed_id()), false};
}

}  // namespace raak
