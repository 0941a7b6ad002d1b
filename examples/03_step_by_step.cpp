// Embed the solver in a loop of your own: step, look inside the step by dense output, find where the pendulum of
// document DCT 1987.010 passes through its lowest point. Ends with 1 if the period found is not the exact one.
#include <fmt/format.h>

#include <cmath>

#include "methods/method.h"
#include "problems/catalogue.h"

int main() {
  const raak::ModelSource& source = raak::problem_catalogue().front();
  const raak::Model model = source.build(source.parameters, raak::Form::index1);
  const raak::State start = raak::make_consistent(*model.system, model.start);

  const auto method =
      raak::find_method("svd").make(*model.system, raak::Form::index1, raak::Tolerances::uniform(1e-12, 1e-12));
  raak::Vector q(3), v(3);
  double passage[2] = {0.0, 0.0};
  int found = 0;
  double h = method->begin(start, 3.0);
  while (found < 2) {
    const double before = method->current().t;
    const double phi_before = method->current().q[2];
    const raak::Attempt attempt = method->attempt(before + h);
    h = attempt.acceptable ? method->accept() : attempt.retry_step;
    if (!attempt.acceptable || phi_before * method->current().q[2] > 0.0) continue;

    double low = before, high = method->current().t;  // phi changes its sign between them
    while (high - low > 1e-13) {
      const double middle = 0.5 * (low + high);
      method->interpolate(middle, q, v);
      (phi_before * q[2] > 0.0 ? low : high) = middle;
    }
    passage[found++] = low;
    fmt::print("passes through the lowest point at t = {:.12f} s\n", low);
  }
  const double period = 2.0 * (passage[1] - passage[0]);
  fmt::print("period {:.12f} s (exact: 2.614189552192 s), {} bases used\n", period,
             method->independent_coordinates()->partitions);
  return std::abs(period - 2.6141895521915240) < 1e-9 ? 0 : 1;
}
