// A model file with a changed parameter in a loop: how far the rocker of a four-bar linkage swings as its crank gets
// longer, until no crank can turn. A value that makes the mechanism impossible is refused, and the old one stays.
// Usage: 03_changed_parameter four-bar.toml. Ends with 1 if a swing is not that of the cosine rule.
#include <raak/raak.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

int main(int argc, char** argv) {
  raak::Model model = raak::load(argc > 1 ? argv[1] : "four-bar.toml");
  const double b = model.get("b"), c = model.get("c"), d = model.get("d");
  // The rocker turns back where crank and coupler are in line.
  const auto rocker = [&](double reach) { return std::acos((c * c + d * d - reach * reach) / (2.0 * c * d)); };

  double worst = 0.0;
  for (double a = 0.04; a < 0.17; a += 0.02) {
    model.set("a", a);
    const raak::Result r = raak::run(model, {.until = 0.63, .rtol = 1e-10, .every = 1e-4});
    const auto [low, high] = std::ranges::minmax(r["rocker.angle"]);
    const double exact = rocker(b + a) - rocker(b - a);
    worst = std::max(worst, std::abs(high - low - exact));
    std::printf("a = %.2f m   swing %.6f rad   motor at most %.3f N m\n", a, high - low, std::ranges::max(r["torque"]));
  }
  try {
    model.set("a", 5.0);
  } catch (const raak::AssemblyError& error) {
    std::printf("a = 5 m: %s\n", error.what());
  }
  std::printf("a is %.2f m again; swings are off by at most %.1e rad\n", model.get("a"), worst);
  return worst < 1e-5 && model.get("a") < 0.17 ? 0 : 1;
}
