// Where forces and rows of a large mechanism change their branches, element by element (Tape::switching_functions).
#include "mechanism/large/evaluation.h"

namespace raak {
namespace {

template <class Element>
int count(const Element& element) {
  return element.kernels->switches ? static_cast<int>(element.kernels->switches->program().outputs().size()) : 0;
}

}  // namespace

int LargeEvaluation::switches() const {
  int sum = 0;
  for (const ForceElement& force : elements_.forces) sum += count(force);
  for (const RowElement& row : elements_.rows) sum += count(row);
  return sum;
}

void LargeEvaluation::evaluate_switches(double t, const double* q, const double* v, double* values) const {
  const Work<double> w = work(t);
  place_bodies<double>(Solve::positions, q, v, w);
  const auto evaluate = [&](const auto& element) {
    if (!element.kernels->switches) return;
    const double* in[4];
    read_inputs(element, true, w, in);
    double* const out[3] = {values, nullptr, nullptr};
    element.kernels->switches->run_one(in, out);
    values += count(element);
  };
  for (const ForceElement& force : elements_.forces) evaluate(force);
  for (const RowElement& row : elements_.rows) evaluate(row);
}

}  // namespace raak
