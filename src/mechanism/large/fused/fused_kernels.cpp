#include "mechanism/large/fused/fused_kernels.h"

#include <array>

#include "base/code/machine.h"
#include "base/linear/block_kernels.h"

namespace raak {
namespace {

RAAK_INLINE void run(const Kernel& kernel, const double* const* in, double* const* out) {
  kernel.run_one(in, out);
}
RAAK_INLINE void run(const Kernel& kernel, const Pack* const* in, Pack* const* out) {
  kernel.run(reinterpret_cast<const double* const*>(in), reinterpret_cast<double* const*>(out));
}

RAAK_INLINE double native(double x) {
  return x;
}
RAAK_INLINE Pack::Native native(const Pack& x) {
  return x.x;
}

// Lanes once more for AVX2.
template <class F>
[[gnu::target("avx2,fma"), gnu::flatten, gnu::noinline]] void in_wide_lanes(const F& f) {
  f();
}

template <class Number>
RAAK_INLINE void run_calls(const FusedCalls& pass, const FusedMemory<Number>& at, FusedSums<Number>& sums) {
  const std::array<const Number*, 5> spaces{at.time, at.parameters, at.q, at.v, at.memory};
  std::array<const Number*, FusedKernel::most_inputs> in{};
  std::array<Number*, 1 + FusedKernel::most_results> out{};
  // Native numbers stay in registers.
  auto largest = native(sums.largest);
  auto squares = native(sums.squares);
  for (const FusedCalls::Call& call : pass.calls) {
    const FusedKernel& kernel = *call.kernel;
    const int* operand = pass.operands.data() + call.operands;
    const std::size_t count = kernel.inputs.size();
    for (std::size_t k = 0; k < count; ++k) in[k] = spaces[static_cast<std::size_t>(kernel.inputs[k])] + *operand++;
    const Number* piece = out[0] = at.memory + *operand++;
    for (int k = 1; k <= kernel.results; ++k) out[static_cast<std::size_t>(k)] = at.results + *operand++;
    run(*kernel.kernel, in.data(), out.data());
    for (int k = 0; k < kernel.pivots; ++k, ++piece)
      largest = native(blocks::larger(Number(largest), Number(native(*piece))));
    for (int k = 0; k < kernel.squares; ++k, ++piece) squares += native(*piece);
  }
  sums.largest = Number(largest);
  sums.squares = Number(squares);
}

}  // namespace

template <class Number>
void run_fused(const FusedCalls& pass, const FusedMemory<Number>& at, FusedSums<Number>& sums) {
  const auto all = [&]() __attribute__((always_inline)) {
    run_calls(pass, at, sums);
  };
  machine_has_avx2 ? in_wide_lanes(all) : all();
}

template void run_fused(const FusedCalls&, const FusedMemory<double>&, FusedSums<double>&);
template void run_fused(const FusedCalls&, const FusedMemory<Pack>&, FusedSums<Pack>&);

}  // namespace raak
