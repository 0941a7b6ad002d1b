// Machine code for a straight-line program, assembled by Xbyak: AVX2 and FMA instructions over four lanes, or the same
// operations on plain doubles for one state, which gives the bits of one lane. Its pages are written first and made
// executable afterwards, never both at once; where the processor or the system refuses, there is no code and the
// program is interpreted.
#pragma once
#include <memory>
#include <vector>

#include "base/code/program.h"

namespace raak {

enum class Width { one, four };

class MachineCode {
 public:
  using Function = void (*)(const double* const* in, double* const* out);

  // Nothing where AVX2 or FMA is missing, where executable pages are refused, or with RAAK_NO_EMIT in the environment.
  static std::unique_ptr<MachineCode> emit(const Program& program, const std::vector<int>& order, Width width);
  virtual ~MachineCode() = default;

  virtual Function function() const = 0;
  virtual std::size_t bytes() const = 0;
  // Those of the live part of the program, when they have changed: they lie on pages that are not executable.
  virtual void take_constants(const Program& program) = 0;
};

}  // namespace raak
