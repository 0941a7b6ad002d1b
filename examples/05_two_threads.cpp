// Two threads on one model: each runs Andrews' squeezing mechanism with tolerances of its own. A model may be run by
// any number of threads at once; to set its parameters while one of them runs is refused. Ends with 1 if a run differs
// from the same run alone, or if the refusal does not come.
#include <raak/raak.h>

#include <algorithm>
#include <cstdio>
#include <thread>
#include <vector>

int main() {
  raak::Model model = raak::problem("andrews");
  const std::vector<double> tolerances{1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10};
  std::vector<double> beta(tolerances.size());
  const auto work = [&](std::size_t first) {
    for (std::size_t i = first; i < tolerances.size(); i += 2)
      beta[i] = raak::run(model, {.rtol = tolerances[i]}).end()["beta"];
  };
  { const std::jthread one(work, 0), other(work, 1); }
  bool same = true;
  for (std::size_t i = 0; i < tolerances.size(); ++i) {
    same = same && raak::run(model, {.rtol = tolerances[i]}).end()["beta"] == beta[i];
    std::printf("rtol %.0e   beta %.16f rad\n", tolerances[i], beta[i]);
  }

  bool refused = false;
  {
    const raak::Stepper running(model);
    try {
      model.set("c0", 4600.0);
    } catch (const raak::RequestError& error) {
      std::printf("%s\n", error.what());
      refused = true;
    }
  }
  model.set("c0", 4600.0);  // now nobody runs it
  std::printf("with c0 = %.0f N/m   beta %.16f rad\n", model.get("c0"), raak::run(model).end()["beta"]);
  return same && refused ? 0 : 1;
}
