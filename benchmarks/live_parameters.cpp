// What a changed parameter costs: Andrews' squeezer from its file, 1000 runs with 1000 values of a stiffness and of a
// length, beside the bare integrations.   raak_live [FILE] [RTOL]
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <string>
#include <vector>

#include "modelfile/load.h"
#include "run/integrate.h"

namespace {

using namespace raak;

double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Microseconds a run: medians of the whole (set, start, integration) and of the integration alone.
struct Cost {
  double whole, bare;
  int anew;
};

Cost measure(const ModelSource& source, const std::string& parameter, double from, double to, double rtol) {
  constexpr int runs = 1000;
  Model model = source.build(source.parameters, Form::index1);
  Plan plan;
  plan.until = source.runs.front().until;
  plan.tolerances = Tolerances::uniform(rtol, rtol);
  plan.measure_quality = false;  // the steps alone
  std::vector<double> whole, bare;
  int anew = 0;
  for (int i = -50; i < runs; ++i) {  // the first ones make the machine code
    const double value = from + (to - from) * std::abs(i) / runs;
    const double began = seconds();
    if (!model.live->set(model, {{parameter, value}})) {
      ++anew;
      continue;
    }
    const State start = consistent_start(model);
    const double started = seconds();
    const Result result = integrate(*model.system, start, plan);
    const double ended = seconds();
    if (i < 0 || result.termination != Termination::ok) continue;
    whole.push_back(1e6 * (ended - began));
    bare.push_back(1e6 * (ended - started));
  }
  const auto median = [](std::vector<double>& x) {
    std::nth_element(x.begin(), x.begin() + static_cast<long>(x.size() / 2), x.end());
    return x[x.size() / 2];
  };
  return {median(whole), median(bare), anew};
}

}  // namespace

int main(int count, char** words) try {
  const std::string file = count > 1 ? words[1] : RAAK_SOURCES "/examples/andrews.toml";
  const double rtol = count > 2 ? std::stod(words[2]) : 1e-6;
  const ModelSource source = load_model(file);
  const double began = seconds();
  source.build(source.parameters, Form::index1);
  fmt::print("{}, rtol {}: built anew {:.0f} us\n", file, rtol, 1e6 * (seconds() - began));
  struct Case {
    const char *parameter, *what;
    double from, to;
  };
  for (const Case& c : {Case{"k", "stiffness", 4400.0, 4600.0}, Case{"d", "length", 0.0279, 0.0281}}) {
    const Cost cost = measure(source, c.parameter, c.from, c.to, rtol);
    fmt::print("  {:9} {:8.1f} us a run, {:8.1f} us of them the integration: {:.3f} x ({} built anew)\n", c.what,
               cost.whole, cost.bare, cost.whole / cost.bare, cost.anew);
  }
} catch (const std::exception& error) {
  fmt::print(stderr, "raak_live: {}\n", error.what());
  return 1;
}
