// The step loop must not touch the heap: counts calls of malloc between the first steps and the last.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "problems/catalogue.h"
#include "run/integrate.h"

#if !defined(__SANITIZE_ADDRESS__)

namespace {
long allocations = 0;  // NOLINT: written by malloc
}

// The C library's own functions under their other names, counted.
extern "C" {
void* __libc_malloc(std::size_t);               // NOLINT
void* __libc_calloc(std::size_t, std::size_t);  // NOLINT
void* __libc_realloc(void*, std::size_t);       // NOLINT
void* malloc(std::size_t n) {
  ++allocations;
  return __libc_malloc(n);
}
void* calloc(std::size_t n, std::size_t size) {
  ++allocations;
  return __libc_calloc(n, size);
}
void* __libc_memalign(std::size_t, std::size_t);  // NOLINT
void* aligned_alloc(std::size_t alignment, std::size_t n) {
  ++allocations;
  return __libc_memalign(alignment, n);
}
void* realloc(void* p, std::size_t n) {
  ++allocations;
  return __libc_realloc(p, n);
}
}

namespace raak {
namespace {

TEST(StepLoop, TheCounterCounts) {
  const long before = allocations;
  void* volatile p = malloc(16);
  free(p);
  EXPECT_GT(allocations, before);
}

TEST(StepLoop, AllocatesNothingForAnyProblemAndMethod) {
  for (const ModelSource& source : problem_catalogue()) {
    const auto& run = source.runs.front();
    const Model model = source.build(source.parameters, run.form);
    const State start = make_consistent(*model.system, model.start);
    model.system->prepare(start.t, start.q);  // else machine code is made on the way, once, when it pays
    for (const MethodInfo& method : method_catalogue()) {
      Plan plan;
      plan.until = run.until;
      plan.method = method.name;
      plan.tolerances = Tolerances::uniform(1e-7, 1e-7);
      plan.events = {{"never", [](const State& state) { return 1.0 + state.q.squaredNorm(); }}};
      if (method.tightest_rtol > 1e-8) plan.tolerances = Tolerances::uniform(1e-5, 1e-5);
      // Kernels are recorded and emitted on the way, once, and what a part of auto needs is made where it is first
      // used: run until none is left to be made.
      long first = -1;
      long last = 0;
      long rows = 0;
      long settled = 2;
      Result result;
      for (int run_in = 0; run_in < 100 && last != first; ++run_in) {
        rows = 0;
        result = integrate(*model.system, start, plan, [&](const Sample&) {
          if (++rows == settled) first = allocations;
          last = allocations;
        });
        if (method.name == "auto") settled = std::max(2L, result.statistics.accepted / 2);
      }
      EXPECT_EQ(result.termination, Termination::ok) << source.name << " " << method.name;
      EXPECT_GT(rows, 5) << source.name << " " << method.name;
      EXPECT_EQ(last - first, 0) << source.name << " " << method.name << " in " << rows << " steps";
    }
  }
}

}  // namespace
}  // namespace raak

#endif
