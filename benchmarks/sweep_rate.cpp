// Cases of a sweep on one thread beside the bare steps of the same runs: how much of the time goes into parameters,
// starts, methods and results. Blocks of both in turn, so that a machine that others use slows both; least times.
//   raak_sweep_rate PLAN.toml [SECONDS]
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <string>
#include <vector>

#include "run/recording_clock.h"
#include "run/run_request.h"
#include "study/sweep/case_runner.h"

namespace {

using namespace raak;

double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace

int main(int count, char** words) {
  if (count < 2) {
    fmt::print("raak_sweep_rate PLAN.toml [SECONDS]\n");
    return 1;
  }
  try {
    const SweptModel swept = read_swept_model(words[1]);
    const double seconds = count > 2 ? std::stod(words[2]) : 5.0;
    CaseRunner runner(swept, false);
    std::vector<double> values(swept.width);
    // As `raak bench` times a run of the model: without parameters that change.
    const Model model = swept.source.build(swept.parameters_of(swept.typical), swept.form);
    const State start = consistent_start(model);
    Plan plan = plan_of(swept.run, model);
    plan.events.clear();
    plan.measure_quality = false;
    constexpr std::uint64_t block = 20;
    std::vector<double> cases, bare;  // s a run; of blocks, and of single runs
    std::uint64_t i = 0;
    for (const double end = wall_seconds() + seconds; wall_seconds() < end;) {
      const double began = cpu_seconds();
      for (std::uint64_t k = 0; k < block; ++k) runner.run(i++ % swept.design.cases(), values);
      cases.push_back((cpu_seconds() - began) / block);
      double total = 0.0;
      for (std::uint64_t k = 0; k < block; ++k)
        total += integrate(*model.system, start, plan).statistics.cpu_seconds - seconds_of_a_reading();
      bare.push_back(total / block);
    }
    std::sort(cases.begin(), cases.end());
    std::sort(bare.begin(), bare.end());
    const double least_case = cases[cases.size() / 50], least_bare = bare[bare.size() / 50];
    fmt::print(
        "{}: {:.2f} us a case, {:.2f} us its steps: {:.3f} of the rate of bare steps (medians {:.2f}, {:.2f}: "
        "{:.3f})\n",
        words[1], 1e6 * least_case, 1e6 * least_bare, least_bare / least_case, 1e6 * cases[cases.size() / 2],
        1e6 * bare[bare.size() / 2], bare[bare.size() / 2] / cases[cases.size() / 2]);
  } catch (const Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
}
