#include "mechanism/large/evaluation.h"

#include <algorithm>
#include <cmath>

namespace raak {
namespace {

std::size_t z(int i) {
  return static_cast<std::size_t>(i);
}

// Memory of this thread, which evaluations of any mechanism use in turn.
template <class Number>
Number* scratch(std::size_t size) {
  thread_local std::vector<Number> memory;
  if (memory.size() < size) memory.assign(size, Number(0.0));
  return memory.data();
}

void run(const Kernel& kernel, const double* const* in, double* const* out) {
  kernel.run_one(in, out);
}
void run(const Kernel& kernel, const Pack* const* in, Pack* const* out) {
  kernel.run(reinterpret_cast<const double* const*>(in), reinterpret_cast<double* const*>(out));
}

}  // namespace

template <class Number>
LargeEvaluation::Work<Number> LargeEvaluation::work() const {
  Number* const memory = scratch<Number>(workspace());
  return {memory, memory + elements_at_, memory + blocks_at_, memory + gathered_at_,
          elements_.library->kept(static_cast<const Number*>(nullptr))};
}

// {first, parameters, body, body}, or {first, parameters, all bodies gathered}.
template <class Number>
void LargeEvaluation::read_inputs(const ElementPlace& element, bool gathers, const Number* first,
                                  const Work<Number>& w, const Number** in) const {
  in[0] = first;
  in[1] = w.kept + element.parameters;
  in[2] = in[3] = w.gathered;
  if (!gathers) {
    for (std::size_t k = 0; k < element.bodies.size(); ++k)
      in[2 + k] = w.bodies + bodies_[z(element.bodies[k])].record;
    return;
  }
  Number* to = w.gathered;
  for (const int b : element.bodies) {
    const BodyPlace& body = bodies_[z(b)];
    to = std::copy_n(w.bodies + body.record, body.kernels->layout.total, to);
  }
}

// A kernel that changes x of the bodies of an element.
template <class Number>
void LargeEvaluation::change_unknowns(const Kernel& kernel, const ElementPlace& element, bool gathers,
                                      const Number* first, const Work<Number>& w) const {
  const Number* in[4];
  read_inputs(element, gathers, first, w, in);
  Number* const results = w.gathered + gathered_size_ / 2;
  Number* out[3] = {results, nullptr, nullptr};
  const auto unknowns = [&](int b) { return w.bodies + bodies_[z(b)].record + bodies_[z(b)].kernels->layout.x; };
  for (std::size_t k = 0; k < element.bodies.size() && !gathers; ++k) out[k] = unknowns(element.bodies[k]);
  run(kernel, in, out);
  const Number* from = results;
  for (std::size_t k = 0; k < element.bodies.size() && gathers; ++k) {
    const int size = bodies_[z(element.bodies[k])].kernels->layout.size;
    std::copy_n(from, size, unknowns(element.bodies[k]));
    from += size;
  }
}

template <class Number>
void LargeEvaluation::apply(int e, const Work<Number>& w) const {
  const RowElement& element = elements_.rows[z(e)];
  const RowKernels& kernels = *element.kernels;
  change_unknowns<Number>(*kernels.apply, element, kernels.gathers(), w.elements + record_of_[z(e)], w);
}

template <class Number>
void LargeEvaluation::run_step(const Step& step, Solve what, const Number* t, const Number* q, const Number* v,
                               const Work<Number>& w) const {
  const auto i = z(step.index);
  switch (step.kind) {
    case Kind::body:
    case Kind::load: {
      const BodyPlace& body = bodies_[i];
      const BodyKernels& kernels = *body.kernels;
      const Kernel& kernel = what == Solve::positions      ? *kernels.at_positions
                             : what == Solve::velocities   ? *kernels.at_velocities
                             : step.kind == Kind::body ? *kernels.accelerations
                                                           : *kernels.forces;
      const Number* const in[4] = {q + body.first, v + body.first, w.kept + body.parameters, nullptr};
      Number* const out[3] = {w.bodies + body.record, nullptr, nullptr};
      return run(kernel, in, out);
    }
    case Kind::force:
      if (what == Solve::accelerations) {
        const ForceElement& force = elements_.forces[i];
        change_unknowns(*force.kernels->apply, force, force.kernels->gathers(), t, w);
      }
      return;
    case Kind::divide: {
      if (what != Solve::accelerations) return;
      const BodyPlace& body = bodies_[i];
      const Number* const in[4] = {w.bodies + body.record, nullptr, nullptr, nullptr};
      Number* const out[3] = {w.gathered, nullptr, nullptr};
      run(*body.kernels->divide, in, out);
      std::copy_n(w.gathered, body.kernels->layout.size, w.bodies + body.record + body.kernels->layout.x);
      return;
    }
    case Kind::element: {
      const RowElement& element = elements_.rows[i];
      const Number* in[4];
      read_inputs(element, element.kernels->gathers(), t, w, in);
      Number* const out[3] = {w.elements + record_of_[i], nullptr, nullptr};
      return run(element.kernels->solve(what), in, out);
    }
    case Kind::pair: {
      const Pair& pair = pairs_[i];
      const Number* in[4] = {w.elements + record_of_[z(pair.row)], w.elements + record_of_[z(pair.column)], w.gathered,
                             w.gathered};
      Number* to = w.gathered;
      for (std::size_t k = 0; k < pair.bodies.size(); ++k) {
        const BodyPlace& body = bodies_[z(pair.bodies[k])];
        if (pair.bodies.size() <= 2) in[2 + k] = w.bodies + body.record;
        else to = std::copy_n(w.bodies + body.record, body.kernels->layout.total, to);
      }
      Number* const out[3] = {w.blocks + pair.block, nullptr, nullptr};
      return run(what == Solve::positions ? *pair.of_positions : *pair.kernel, in, out);
    }
    case Kind::clear:
      std::fill_n(w.blocks + empty_[i].block, empty_[i].size, Number(0.0));
      return;
    case Kind::eliminate:
      return;  // by the caller
  }
}

template <class Number>
void LargeEvaluation::place_bodies(Solve what, const Number* q, const Number* v, const Work<Number>& w) const {
  for (int b = 1; b < static_cast<int>(bodies_.size()); ++b)
    run_step<Number>({Kind::body, b}, what, nullptr, q, v, w);
}

template <class Number>
void LargeEvaluation::finish_solution(const Work<Number>& w) const {
  for (int j = plan_.nodes() - 1; j >= 0; --j) {
    backward(plan_, j, w.elements, w.blocks);
    apply(plan_.block_of[z(j)], w);
  }
}

template <class Number>
Number LargeEvaluation::solve(Solve what, const Number* t, const Number* q, const Number* v,
                              const Work<Number>& w) const {
  Number largest(1.0);
  for (const Step& step : steps_) {
    if (step.kind == Kind::eliminate) eliminate(plan_, step.index, w.elements, w.blocks, largest);
    else run_step(step, what, t, q, v, w);
  }
  finish_solution(w);
  return Number(1.0) / largest;
}

double LargeEvaluation::correct(Solve what, double t, const double* q, const double* v, const Work<double>& w) const {
  double largest = 1.0;
  double squares = 0.0;
  for (const Step& step : steps_) {
    if (step.kind == Kind::eliminate) {
      eliminate(plan_, step.index, w.elements, w.blocks, largest);
      continue;
    }
    run_step(step, what, &t, q, v, w);
    if (step.kind != Kind::element) continue;
    const RowKernels& kernels = *elements_.rows[z(step.index)].kernels;
    const double* const right = w.elements + record_of_[z(step.index)] + kernels.right_side();
    for (int k = 0; k < kernels.rows(); ++k) squares += right[k] * right[k];
  }
  finish_solution(w);
  return std::sqrt(squares);
}

template <class Number>
void LargeEvaluation::read_unknowns(const Work<Number>& w, Number* x) const {
  for (std::size_t b = 1; b < bodies_.size(); ++b) {
    const BodyPlace& body = bodies_[b];
    std::copy_n(w.bodies + body.record + body.kernels->layout.x, body.kernels->layout.size, x + body.first);
  }
}

template <class Number>
void LargeEvaluation::read_multipliers(const Work<Number>& w, Number* lambda) const {
  for (std::size_t e = 0; e < elements_.rows.size(); ++e) {
    const RowElement& element = elements_.rows[e];
    const Number* const from = w.elements + record_of_[e] + element.kernels->right_side();
    for (std::size_t k = 0; k < element.rows.size(); ++k) lambda[element.rows[k]] = from[k];
  }
}

double LargeEvaluation::accelerate(const double* t, const double* q, const double* v, double* a, double* lambda) const {
  const Work<double> w = work<double>();
  const double pivot = solve(Solve::accelerations, t, q, v, w);
  read_unknowns(w, a);
  if (lambda != nullptr) read_multipliers(w, lambda);
  return pivot;
}

Pack LargeEvaluation::accelerate(const Pack* t, const Pack* q, const Pack* v, Pack* a, Pack* lambda) const {
  const Work<Pack> w = work<Pack>();
  const Pack pivot = solve(Solve::accelerations, t, q, v, w);
  read_unknowns(w, a);
  if (lambda != nullptr) read_multipliers(w, lambda);
  return pivot;
}

void LargeEvaluation::right_sides(bool rates, double t, const Work<double>& w) const {
  for (std::size_t e = 0; e < elements_.rows.size(); ++e) {
    const RowElement& element = elements_.rows[e];
    const double* in[4];
    read_inputs<double>(element, element.kernels->gathers(), &t, w, in);
    double* const out[3] = {w.elements + record_of_[e] + element.kernels->right_side(), nullptr, nullptr};
    run(rates ? *element.kernels->rates : *element.kernels->gaps, in, out);
  }
}

double LargeEvaluation::correct_positions(double t, double* q) const {
  const Work<double> w = work<double>();
  const double norm = correct(Solve::positions, t, q, q, w);
  read_unknowns(w, q);
  return norm;
}

double LargeEvaluation::correct_velocities(double t, const double* q, double* v) const {
  const Work<double> w = work<double>();
  const double norm = correct(Solve::velocities, t, q, v, w);
  read_unknowns(w, v);
  return norm;
}

// The factors of the uncorrected pose serve the velocities too: what they leave is a product of the two corrections.
double LargeEvaluation::correct_both(double t, double* q, double* v) const {
  if (elements_.velocity_rows > 0) {
    const double norm = correct_positions(t, q);
    correct_velocities(t, q, v);
    return norm;
  }
  const Work<double> w = work<double>();
  const double norm = correct(Solve::positions, t, q, v, w);
  read_unknowns(w, q);
  place_bodies<double>(Solve::velocities, q, v, w);
  right_sides(true, t, w);
  for (int j = 0; j < plan_.nodes(); ++j) forward(plan_, j, w.elements, w.blocks);
  finish_solution(w);
  read_unknowns(w, v);
  return norm;
}

void LargeEvaluation::residual(bool rates, double t, const double* q, const double* v, double* values) const {
  const Work<double> w = work<double>();
  place_bodies<double>(Solve::positions, q, rates ? v : q, w);
  right_sides(rates, t, w);
  for (std::size_t e = 0; e < elements_.rows.size(); ++e) {
    const RowElement& element = elements_.rows[e];
    const double* const right = w.elements + record_of_[e] + element.kernels->right_side();
    const int count = rates ? element.kernels->rows() : element.kernels->position_rows();
    for (int k = 0; k < count; ++k) values[element.rows[z(k)]] = right[k];
  }
}

template LargeEvaluation::Work<double> LargeEvaluation::work() const;
template void LargeEvaluation::read_inputs(const ElementPlace&, bool, const double*, const Work<double>&,
                                           const double**) const;
template void LargeEvaluation::place_bodies(Solve, const double*, const double*, const Work<double>&) const;
template void LargeEvaluation::run_step(const Step&, Solve, const double*, const double*, const double*,
                                        const Work<double>&) const;
template void LargeEvaluation::apply(int, const Work<double>&) const;
template void LargeEvaluation::finish_solution(const Work<double>&) const;
template void LargeEvaluation::read_unknowns(const Work<double>&, double*) const;
template void LargeEvaluation::read_multipliers(const Work<double>&, double*) const;

}  // namespace raak
