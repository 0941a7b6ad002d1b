// Runs a program without machine code, for four lanes or one state. Choosing an operation costs more than doing it, so
// operations of one kind are gathered: sums and products all count as a b + c (with 1 or -0 where nothing is there,
// which changes no bit), and what is ready is done kind by kind, in a few dozen loops instead of hundreds of choices.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "base/code/program.h"

namespace raak {

class Interpreter {
 public:
  explicit Interpreter(const Program& program);

  // Blocks of packs of four doubles, or of plain doubles; `scratch`, 32-byte aligned, holds scratch_size() doubles and
  // begins with the constants, which a run leaves there.
  void run_lanes(const double* const* in, double* const* out, double* scratch) const;
  void run_one(const double* const* in, double* const* out, double* scratch) const;
  std::size_t scratch_size() const { return slots_ * stride; }
  void write_constants(double* scratch) const;
  // Those of the live part of the program, when they have changed.
  void take_constants(const Program& program);
  // No other interpreter has or had it, nor this one with other constants.
  std::uint64_t number() const { return number_; }

  enum class Kind : std::uint8_t {
    plus,   // a b + c
    minus,  // c - a b
    less,   // a b - c
    divide,
    square_root,
    absolute,
    minimum,
    sine_part,
    cosine_part,
    exponential,
    logarithm,
    power,
    angle
  };
  static constexpr std::size_t kinds = 13;
  struct Group {
    Kind kind;
    int count;
  };
  // Operands and result as places in the scratch memory.
  struct Wide {
    std::uint32_t places[4];
    std::uint32_t to() const { return places[0]; }
    std::uint32_t a() const { return places[1]; }
    std::uint32_t b() const { return places[2]; }
    std::uint32_t c() const { return places[3]; }
  };
  // The same for a memory of up to 64 Ki doubles, which is what programs have: one load instead of four, and loads are
  // what interpreting consists of.
  struct Narrow {
    std::uint64_t places;
    std::uint64_t to() const { return places & 0xFFFF; }
    std::uint64_t a() const { return places >> 16 & 0xFFFF; }
    std::uint64_t b() const { return places >> 32 & 0xFFFF; }
    std::uint64_t c() const { return places >> 48; }
  };

 private:
  static constexpr std::size_t stride = 4;  // doubles from one value to the next
  struct Terminal {                         // an input or an output
    int block, number;
    std::uint32_t at;
  };
  template <class Number>
  void run(const double* const* in, double* const* out, double* scratch) const;
  template <class Number, class Step>
  void run_steps(const std::vector<Step>& steps, double* scratch) const;
  void gather(const Program& program);
  void assign_memory(const Program& program, const std::vector<int>& order);

  std::vector<Group> groups_;
  std::vector<Narrow> steps_;
  std::vector<Wide> wide_;         // instead, where places need more than 16 bits
  std::vector<double> constants_;  // values that lie at the start of the memory
  std::vector<Terminal> inputs_, outputs_;
  std::size_t slots_ = 0;
  std::vector<std::pair<std::size_t, std::size_t>> live_;  // of constants: place, and instruction of the program
  std::uint64_t number_ = 0;
};

}  // namespace raak
