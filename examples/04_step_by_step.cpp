// Embed the solver in a loop of your own: step, look inside the step by dense output, find where the pendulum of
// document DCT 1987.010 passes through its lowest point. Ends with 1 if the period found is not the exact one.
#include <raak/raak.h>

#include <cmath>
#include <cstdio>
#include <vector>

int main() {
  const raak::Model model = raak::problem("pendulum");
  raak::Stepper stepper(model, {.until = 3.0, .rtol = 1e-12, .method = "svd"});
  std::vector<double> passages;
  double phi = stepper["phi"];
  while (passages.size() < 2 && stepper.step()) {
    const double before = phi;
    phi = stepper["phi"];
    if (before * phi > 0.0) continue;

    double low = stepper.before(), high = stepper.t();  // phi changes its sign between them
    while (high - low > 1e-13) {
      const double middle = 0.5 * (low + high);
      (before * stepper.at(middle)["phi"] > 0.0 ? low : high) = middle;
    }
    passages.push_back(low);
    std::printf("passes through the lowest point at t = %.12f s\n", low);
  }
  if (passages.size() < 2) return 1;
  const double period = 2.0 * (passages[1] - passages[0]);
  std::printf("period %.12f s (exact: 2.614189552192 s), %ld steps\n", period, stepper.statistics().accepted);
  return std::abs(period - 2.6141895521915240) < 1e-9 ? 0 : 1;
}
