// Residuals of the constraints, and the corrections of positions and velocities that remove them, one state at a time.
#include <algorithm>
#include <cmath>

#include "base/linear/block_kernels.h"
#include "base/linear/index.h"
#include "mechanism/large/evaluation.h"
#include "mechanism/large/thread_memory.h"

namespace raak {
namespace {}  // namespace

double LargeEvaluation::correct(Solve what, const double* q, const double* v, const Work<double>& w) const {
  double largest = 1.0;
  double squares = 0.0;
  for (const Step& step : steps_) {
    if (step.kind == Kind::eliminate) {
      eliminate_node(plan_.stream.data() + step.index, w.memory, w.blocks, largest);
      continue;
    }
    run_step(step, what, q, v, w);
    squares += squares_on_the_right(step, w);
  }
  finish_solution(w);
  return std::sqrt(squares);
}

// Of an element that was just evaluated; 0 after other steps.
double LargeEvaluation::squares_on_the_right(const Step& step, const Work<double>& w) const {
  double sum = 0.0;
  for (int i = 0; i < step.rows; ++i) {
    const double right = w.memory[step.right + i];
    sum += right * right;
  }
  return sum;
}

void LargeEvaluation::right_sides(bool rates, const Work<double>& w) const {
  for (std::size_t e = 0; e < elements_.rows.size(); ++e) {
    const RowElement& element = elements_.rows[e];
    const double* in[4];
    read_inputs(element, element.kernels->gathers(), w, in);
    double* const out[3] = {w.memory + record_of_[e] + element.kernels->right_side(), nullptr, nullptr};
    (rates ? *element.kernels->rates : *element.kernels->gaps).run_one(in, out);
  }
}

double LargeEvaluation::correct_positions(double t, double* q) const {
  const Work<double> w = work(t);
  const double norm = correct(Solve::positions, q, q, w);
  read_unknowns(w, q);
  return norm;
}

double LargeEvaluation::correct_velocities(double t, const double* q, double* v) const {
  const Work<double> w = work(t);
  const double norm = correct(Solve::velocities, q, v, w);
  read_unknowns(w, v);
  return norm;
}

// The factors of the uncorrected configuration serve the velocities too: what they leave is a product of the two
// corrections.
double LargeEvaluation::correct_both(double t, double* q, double* v) const {
  if (elements_.velocity_rows > 0) {
    const double norm = correct_positions(t, q);
    correct_velocities(t, q, v);
    return norm;
  }
  if (const FusedEvaluation* const fast = correcting_kernels()) {
    const auto n = z(instance_->coordinates());
    double* const memory = thread_memory<double>(z(fast->memory()) + n);
    double* const results = memory + fast->memory();
    memory[0] = t;
    const double norm = std::sqrt(fast->run<double>(0, q, v, memory, results).squares);
    std::copy_n(results, n, q);
    fast->run<double>(1, q, v, memory, results);
    std::copy_n(results, n, v);
    return norm;
  }
  const Work<double> w = work(t);
  const double norm = correct(Solve::positions, q, v, w);
  read_unknowns(w, q);
  place_bodies<double>(Solve::velocities, q, v, w);
  right_sides(true, w);
  for (int j = 0; j < plan_.nodes(); ++j) forward(plan_, j, w.memory, w.blocks);
  finish_solution(w);
  read_unknowns(w, v);
  return norm;
}

void LargeEvaluation::residual(bool rates, double t, const double* q, const double* v, double* values) const {
  const Work<double> w = work(t);
  place_bodies<double>(Solve::positions, q, rates ? v : q, w);
  right_sides(rates, w);
  for (std::size_t e = 0; e < elements_.rows.size(); ++e) {
    const RowElement& element = elements_.rows[e];
    const double* const right = w.memory + record_of_[e] + element.kernels->right_side();
    const int count = rates ? element.kernels->rows() : element.kernels->position_rows();
    for (int k = 0; k < count; ++k) values[element.rows[z(k)]] = right[k];
  }
}

}  // namespace raak
