// A scalar that records what is done to it. Running any formula written over a scalar type once with `Recorded` yields
// its operations as a directed acyclic graph: constants folded, structural zeros and ones gone, common terms shared,
// signs carried for free. The graph becomes a straight-line program for four lanes (program.h) and machine code
// (emitter.h). Griewank and Walther, Evaluating Derivatives, 2nd ed., SIAM 2008, chapter 6 (tapes); value numbering:
// Cocke 1970.
#pragma once
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace raak {

enum class Op : std::uint8_t {
  constant,          // value
  input,             // number b of block a
  add,               // a + b
  subtract,          // a - b
  multiply,          // a b
  divide,            // a / b
  multiply_add,      // a b + c
  subtract_product,  // c - a b
  product_minus,     // a b - c
  square_root,
  absolute,
  minimum,      // the smaller of a and b
  sine_part,    // sin from (rounded quadrant a, sin b, cos c of the reduced angle)
  cosine_part,  // cos from the same
  exponential,
  logarithm,
  power,  // a to the constant `value`
  angle   // atan2(a, b)
};

struct Instruction {
  Op op = Op::constant;
  int a = -1, b = -1, c = -1;
  double value = 0.0;
};

class Recorded;

class Tape {
 public:
  // Formulas recorded by this thread between construction and destruction of a Recording go to the tape.
  class Recording {
   public:
    explicit Recording(Tape& tape);
    ~Recording();
    Recording(const Recording&) = delete;
    Recording& operator=(const Recording&) = delete;

   private:
    Tape* before_;
  };

  // Inputs and outputs come in blocks (t, q, v; a, lambda), numbered in the order they are made.
  Recorded new_input(int block);
  void add_output(int block, const Recorded& x);

  struct Output {
    int block, number, id;
  };

  const std::vector<Instruction>& instructions() const { return instructions_; }
  const std::vector<Output>& outputs() const { return outputs_; }

  // The angle whose reduction yields a rounded quadrant: what sine and cosine parts are functions of.
  int angle_of(int quadrant) const { return angles_.at(quadrant); }
  void note_angle(int quadrant, int angle) { angles_.emplace(quadrant, angle); }

  int constant(double value);
  int push(Op op, int a, int b = -1, int c = -1, double value = 0.0);
  static Tape& current();

 private:
  struct Key {
    Op op;
    int a, b, c;
    std::uint64_t value;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Key& k) const;
  };
  std::vector<Instruction> instructions_;
  std::unordered_map<Key, int, Hash> known_;
  std::unordered_map<int, int> angles_;
  std::vector<int> inputs_, outputs_in_block_;  // how many of each block
  std::vector<Output> outputs_;
};

class Recorded {
 public:
  Recorded() : Recorded(0.0) {}
  // NOLINTNEXTLINE(google-explicit-constructor): constants appear in every formula
  Recorded(double value);

  Recorded& operator+=(const Recorded& o) { return *this = *this + o; }
  Recorded& operator-=(const Recorded& o) { return *this = *this - o; }
  Recorded& operator*=(const Recorded& o) { return *this = *this * o; }
  Recorded& operator/=(const Recorded& o) { return *this = *this / o; }
  friend Recorded operator+(const Recorded& a, const Recorded& b);
  friend Recorded operator-(const Recorded& a, const Recorded& b) { return a + (-b); }
  friend Recorded operator-(const Recorded& a) { return {a.id_, !a.negative_}; }
  friend Recorded operator*(const Recorded& a, const Recorded& b);
  friend Recorded operator/(const Recorded& a, const Recorded& b);
  friend Recorded sqrt(const Recorded& a);
  friend Recorded abs(const Recorded& a);
  friend Recorded min(const Recorded& a, const Recorded& b);
  friend Recorded sin(const Recorded& a);
  friend Recorded cos(const Recorded& a);
  friend Recorded tan(const Recorded& a) { return sin(a) / cos(a); }
  friend Recorded exp(const Recorded& a);
  friend Recorded log(const Recorded& a);
  friend Recorded pow(const Recorded& a, double p);
  friend Recorded atan2(const Recorded& y, const Recorded& x);

  bool is_zero() const;
  // A number known while recording, sign included; false if it is none.
  bool constant(double& value) const;
  bool is_constant() const;

 private:
  friend class Tape;
  friend class Differentiation;
  Recorded(int id, bool negative) : id_(id), negative_(negative) {}
  // The instruction that yields this value, sign included.
  int signed_id() const;

  int id_;
  bool negative_;
};

}  // namespace raak
