// A scalar that records what is done to it. Running any formula written over a scalar type once with `Recorded` yields
// its operations as a directed acyclic graph: constants folded, structural zeros and ones gone, common terms shared,
// signs carried for free. The graph becomes a straight-line program for four lanes (program.h) and machine code
// (emitter.h). Griewank and Walther, Evaluating Derivatives, 2nd ed., SIAM 2008, chapter 6 (tapes); value numbering:
// Cocke 1970.
#pragma once
#include <cstdint>
#include <memory>
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

class LiveNumbers;
class Recorded;

class Tape {
  friend class Recorded;

 public:
  static constexpr int zero = 0;  // every tape begins with the constant 0: most of what jets write down is zeros

  Tape();

  // Formulas recorded by this thread between construction and destruction of a Recording go to the tape.
  class Recording {
   public:
    explicit Recording(Tape& tape) : before_(current_) { current_ = &tape; }
    ~Recording() { current_ = before_; }
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
  // What sine and cosine of one angle share: the rounded quadrant and both functions of the reduced angle.
  struct Reduction {
    int angle, quadrant, sine, cosine;
  };

  const std::vector<Instruction>& instructions() const { return instructions_; }
  const std::vector<Output>& outputs() const { return outputs_; }
  const std::vector<Reduction>& reductions() const { return reductions_; }

  // From here on every Recorded::parameter() becomes an input of the block, in the order of the calls: formulas that
  // differ in such numbers only have the same operations.
  void keep_parameters(int block) { parameter_block_ = block; }
  const std::vector<double>& parameters() const { return parameters_; }
  // The node of each of them that may change (live.h); -1: it never does.
  const std::vector<int>& parameter_nodes() const { return parameter_nodes_; }

  // A number that may change after the recording (live.h): an input of a block of its own, or one of the parameters.
  static constexpr int live_block = 100;
  Recorded live_input(LiveNumbers& owner, int node);
  // Null: there is none.
  const std::shared_ptr<LiveNumbers>& live_numbers() const { return live_; }
  const std::vector<int>& live_nodes() const { return live_nodes_; }  // by the number of the input
  // What an instruction depends on: on nothing, on live numbers only, or on other inputs too.
  enum class Varies : char { never, with_live_numbers, always };
  Varies varies(int id) const { return varies_[static_cast<std::size_t>(id)]; }
  // The value is not computed but read, by whatever uses it. To be called after the last derivative.
  void read_instead(const Recorded& value, int block, int number);
  // Inputs move to other blocks and numbers.
  template <class F>
  void move_inputs(F&& to) {
    for (Instruction& i : instructions_)
      if (i.op == Op::input) to(i.a, i.b);
  }
  // Forgets everything, keeps its memory.
  void clear();

  // The angle whose reduction yields a rounded quadrant: what sine and cosine parts are functions of.
  int angle_of(int quadrant) const;

  // What changes sign where a recorded formula changes its branch: the argument of each absolute value (and with it of
  // each sign), the difference of what each minimum compares, and of exp(-s^2), which vanishes beyond, 24 - s^2 and 1 -
  // s^2.
  std::vector<Recorded> switching_functions();

  // What an instruction depends on, number by number, where the inputs of one block count as constants.
  enum class Dependence : char { none, one_block, more };
  std::vector<Dependence> dependences(int block, int constants = -1) const;
  // The largest parts of what is recorded that depend on the inputs of that one block: what uses them depends on more,
  // or there is nothing that does.
  std::vector<Recorded> functions_of(int block, int constants = -1);

  int constant(double value) { return push(Op::constant, -1, -1, -1, value); }
  // The number of this instruction; that of an equal one if it is known already.
  int push(Op op, int a, int b = -1, int c = -1, double value = 0.0);
  Reduction reduction(int angle);
  static Tape& current() { return *current_; }

 private:
  void grow();

  inline static constinit thread_local Tape* current_ = nullptr;
  std::vector<Instruction> instructions_;
  std::vector<int> known_;  // open addressing: numbers of instructions, -1 where free
  std::vector<Reduction> reductions_;
  std::vector<Varies> varies_;  // by instruction
  int parameter_block_ = -1;
  std::vector<double> parameters_;
  std::vector<int> parameter_nodes_;
  std::shared_ptr<LiveNumbers> live_;
  std::vector<int> live_nodes_;
  std::vector<int> inputs_, outputs_in_block_;  // how many of each block
  std::vector<Output> outputs_;
};

class Recorded {
 public:
  Recorded() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): constants appear in every formula
  Recorded(double value);
  // A number that belongs to one of many alike: see Tape::keep_parameters. 0, 1 and -1 stay what they are.
  static Recorded parameter(double value);

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
  // Beyond 20 it is 1 to the last bit, and its slope 0.
  friend Recorded tanh(const Recorded& a) {
    const Recorded clamped = -min(-min(a, 20.0), 20.0);
    return 1.0 - 2.0 / (exp(2.0 * clamped) + 1.0);
  }

  bool is_zero() const { return id_ == Tape::zero; }
  // Equal for equal values of one tape.
  int key() const { return 2 * id_ + (negative_ ? 1 : 0); }
  // Known while recording, or a function of live numbers alone.
  bool stays_put() const { return Tape::current().varies(id_) != Tape::Varies::always; }
  // A number known while recording, sign included; false if it is none.
  bool constant(double& value) const {
    const Instruction& i = Tape::current().instructions()[static_cast<std::size_t>(id_)];
    if (i.op != Op::constant) return false;
    value = negative_ ? -i.value : i.value;
    return true;
  }
  bool is_constant() const;

 private:
  friend class Tape;
  friend class Differentiation;
  friend class Substitution;
  Recorded(int id, bool negative) : id_(id), negative_(negative) {}
  // The instruction that yields this value, sign included.
  int signed_id() const;

  int id_ = Tape::zero;
  bool negative_ = false;
};

}  // namespace raak
