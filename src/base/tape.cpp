#include "base/tape.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

namespace raak {
namespace {

thread_local Tape* current_tape = nullptr;

std::uint64_t bits_of(double value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

}  // namespace

Tape::Recording::Recording(Tape& tape) : before_(current_tape) {
  current_tape = &tape;
}
Tape::Recording::~Recording() {
  current_tape = before_;
}

Tape& Tape::current() {
  return *current_tape;
}

std::size_t Tape::Hash::operator()(const Key& k) const {
  std::uint64_t h = static_cast<std::uint64_t>(k.op) * 0x9E3779B97F4A7C15ULL;
  for (const std::uint64_t part :
       {static_cast<std::uint64_t>(k.a), static_cast<std::uint64_t>(k.b), static_cast<std::uint64_t>(k.c), k.value}) {
    h ^= part + 0x9E3779B97F4A7C15ULL + (h << 6) + (h >> 2);
  }
  return h;
}

int Tape::push(Op op, int a, int b, int c, double value) {
  const auto next = static_cast<int>(instructions_.size());
  const auto [where, fresh] = known_.try_emplace(Key{op, a, b, c, bits_of(value)}, next);
  if (fresh) instructions_.push_back({op, a, b, c, value});
  return where->second;
}

int Tape::constant(double value) {
  return push(Op::constant, -1, -1, -1, value);
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

Recorded::Recorded(double value) : id_(Tape::current().constant(std::abs(value))), negative_(std::signbit(value)) {}

bool Recorded::constant(double& value) const {
  const Instruction& i = Tape::current().instructions()[static_cast<std::size_t>(id_)];
  if (i.op != Op::constant) return false;
  value = negative_ ? -i.value : i.value;
  return true;
}

int Recorded::signed_id() const {
  double value = 0.0;
  if (!negative_) return id_;
  if (constant(value)) return Tape::current().constant(value);
  Tape& tape = Tape::current();
  return tape.push(Op::subtract, tape.constant(0.0), id_);
}

bool Recorded::is_zero() const {
  double value = 1.0;
  return constant(value) && value == 0.0;
}

bool Recorded::is_constant() const {
  double value = 0.0;
  return constant(value);
}

Recorded operator+(const Recorded& a, const Recorded& b) {
  double x = 0.0;
  double y = 0.0;
  const bool known_a = a.constant(x);
  const bool known_b = b.constant(y);
  if (known_a && known_b) return {x + y};
  if (known_a && x == 0.0) return b;
  if (known_b && y == 0.0) return a;
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
  double x = 0.0;
  double y = 0.0;
  const bool known_a = a.constant(x);
  const bool known_b = b.constant(y);
  if (known_a && known_b) return {x * y};
  if ((known_a && x == 0.0) || (known_b && y == 0.0)) return {0.0};
  if (known_a && std::abs(x) == 1.0) return x > 0.0 ? b : -b;
  if (known_b && std::abs(y) == 1.0) return y > 0.0 ? a : -a;
  const auto [low, high] = std::minmax(a.id_, b.id_);
  return {Tape::current().push(Op::multiply, low, high), a.negative_ != b.negative_};
}

Recorded operator/(const Recorded& a, const Recorded& b) {
  double y = 0.0;
  if (b.constant(y)) return a * Recorded(1.0 / y);
  if (a.is_zero()) return {0.0};
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

namespace {

// Sine and cosine of the reduced angle and the rounded quadrant, as in pack.h: the polynomials of fdlibm.
struct Reduced {
  Recorded quadrant, s, c;
};

}  // namespace

static Reduced reduce_angle(const Recorded& x) {
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
  return {shifted, r * z * ps + r, z2 * pc + ((Recorded(1.0) - w) - half) + w};
}

Recorded sin(const Recorded& a) {
  double x = 0.0;
  if (a.constant(x)) return {std::sin(x)};
  const Recorded positive(a.id_, false);  // sin(-x) = -sin(x): one reduction serves both signs
  const Reduced r = reduce_angle(positive);
  Tape::current().note_angle(r.quadrant.signed_id(), a.id_);
  return {Tape::current().push(Op::sine_part, r.quadrant.signed_id(), r.s.signed_id(), r.c.signed_id()), a.negative_};
}
Recorded cos(const Recorded& a) {
  double x = 0.0;
  if (a.constant(x)) return {std::cos(x)};
  const Reduced r = reduce_angle(Recorded(a.id_, false));
  Tape::current().note_angle(r.quadrant.signed_id(), a.id_);
  return {Tape::current().push(Op::cosine_part, r.quadrant.signed_id(), r.s.signed_id(), r.c.signed_id()), false};
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
