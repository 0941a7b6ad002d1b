// What one evaluation costs, in nanoseconds: accelerations of four states and of one, corrections of one state, and the
// CPU time of making them ready. Run with RAAK_NO_EMIT=1 for the interpreter, RAAK_PLAIN=1 for a machine without AVX2.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <string>

#include "base/tape/kernel.h"
#include "problems/catalogue.h"

namespace {

using raak::State;

// The best of several runs, each long enough for the clock; `f` changes its own input, so that one call waits for the
// one before.
template <class F>
double nanoseconds(F&& f) {
  using clock = std::chrono::steady_clock;
  double best = 1e30;
  for (int run = 0; run < 200; ++run) {
    constexpr int calls = 500;
    const auto start = clock::now();
    for (int i = 0; i < calls; ++i) f();
    best = std::min(best, std::chrono::duration<double, std::nano>(clock::now() - start).count() / calls);
  }
  return best;
}

struct LaneState {
  alignas(32) double t[4], q[256], v[256], a[256], lambda[256], pivot[4];
  explicit LaneState(const State& s) {
    for (int lane = 0; lane < raak::lanes; ++lane) {
      t[lane] = s.t;
      for (Eigen::Index i = 0; i < s.q.size(); ++i) {
        q[raak::lanes * i + lane] = s.q[i];
        v[raak::lanes * i + lane] = s.v[i];
      }
    }
  }
};

void measure(const raak::ModelSource& source) {
  const auto& run = source.runs.front();
  const raak::Model model = source.build(source.parameters, run.form);
  const raak::ConstrainedSystem& system = *model.system;
  State s = make_consistent(system, model.start);
  const double before = raak::Kernel::preparation_seconds();
  system.prepare(s.t, s.q);
  const double prepared = raak::Kernel::preparation_seconds() - before;
  LaneState four(s);
  raak::Vector q = s.q, v = s.v;
  const auto chain = [](double& x, double y) { x += 1e-300 * y; };
  const double lanes_only = nanoseconds([&] {
    system.accelerate_lanes(four.t, four.q, four.v, four.a, nullptr, four.pivot);
    chain(four.q[0], four.a[0]);
  });
  const double lanes_all = nanoseconds([&] {
    system.accelerate_lanes(four.t, four.q, four.v, four.a, four.lambda, four.pivot);
    chain(four.q[0], four.a[0]);
  });
  const double one = nanoseconds([&] {
    system.accelerate(s.t, s.q.data(), s.v.data(), s.a.data(), nullptr);
    chain(s.q[0], s.a[0]);
  });
  const double one_all = nanoseconds([&] {
    system.accelerate(s.t, s.q.data(), s.v.data(), s.a.data(), s.lambda.data());
    chain(s.q[0], s.a[0]);
  });
  const double position = nanoseconds([&] { system.correct_position(s.t, q.data()); });
  const double velocity = nanoseconds([&] { system.correct_velocity(s.t, q.data(), v.data()); });
  const double state = nanoseconds([&] { system.correct_state(s.t, q.data(), v.data()); });
  fmt::print("{:16}", source.name);
  for (const double figure : {lanes_only, lanes_all, one, one_all, position, velocity, state})
    fmt::print(" {:8.0f}", figure);
  fmt::print(" {:8.2f}\n", 1e3 * prepared);
}

}  // namespace

int main(int argc, char** argv) {
  fmt::print("{:16} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8}\n", "ns", "4 a", "4 a+l", "1 a", "1 a+l", "q", "v",
             "q and v", "ready ms");
  for (const raak::ModelSource& source : raak::problem_catalogue())
    if (argc < 2 || source.name == argv[1]) measure(source);
}
