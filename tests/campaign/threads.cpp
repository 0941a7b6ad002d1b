// Threads that share one model, as the library promises: each integrates the same system from the same start, by
// several methods, and all must end with the same bits. Meant for a build with TSan, which sees what they race for.
// raak_threads MODEL.toml
#include <cstdio>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/error.h"
#include "modelfile/load.h"
#include "run/integrate.h"

namespace {

constexpr std::size_t threads = 3;
const std::vector<std::string> methods{"auto", "gauss", "radau", "dop853", "svd"};

struct Ending {
  raak::Termination termination;
  raak::Vector q, v, outputs;

  bool operator==(const Ending& other) const {
    const auto same = [](const raak::Vector& a, const raak::Vector& b) {
      return a.size() == b.size() && ((a.array() == b.array()) || (a.array().isNaN() && b.array().isNaN())).all();
    };
    return termination == other.termination && same(q, other.q) && same(v, other.v) && same(outputs, other.outputs);
  }
};

// Of every method, in the order of `methods`; of one that refuses the model: nothing.
std::vector<std::optional<Ending>> run_all(const raak::Model& model, const raak::Run& run) {
  std::vector<std::optional<Ending>> endings;
  const raak::State start = consistent_start(model);
  for (const std::string& method : methods) {
    raak::Plan plan;
    plan.until = run.until;
    plan.method = method;
    plan.tolerances = raak::Tolerances::uniform(1e-7, 1e-7);
    plan.dropped_rows = model.dropped_rows;
    try {
      const raak::Result result = integrate(*model.system, start, plan);
      endings.push_back(Ending{result.termination, result.end.q, result.end.v, result.outputs});
    } catch (const raak::Error&) {
      endings.emplace_back();
    }
  }
  return endings;
}

int shared(const std::string& path) {
  const raak::ModelSource source = raak::load_model(path);
  const raak::Run& run = source.runs.front();
  const raak::Model model = source.build(source.parameters, run.form);
  std::vector<std::vector<std::optional<Ending>>> answers(threads);
  std::vector<std::string> errors(threads);
  {
    std::vector<std::jthread> workers;
    for (std::size_t i = 0; i < threads; ++i)
      workers.emplace_back([&, i] {
        try {
          answers[i] = run_all(model, run);
        } catch (const raak::Error& error) {
          errors[i] = error.what();
        }
      });
  }
  for (std::size_t i = 0; i < threads; ++i)
    if (errors[i] != errors[0] || answers[i] != answers[0]) {
      std::printf("thread %zu ends otherwise than thread 0\n", i);
      return 1;
    }
  return errors[0].empty() ? 0 : 3;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  try {
    return shared(argv[1]);
  } catch (const raak::Error& error) {
    std::printf("%s\n", error.what());
    return 3;
  }
}
