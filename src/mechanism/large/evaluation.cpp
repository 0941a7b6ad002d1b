#include "mechanism/large/evaluation.h"

#include "base/code/machine.h"
#include "base/linear/block_kernels.h"
#include "base/linear/index.h"
#include "mechanism/large/thread_memory.h"

namespace raak {
namespace {

#define RAAK_STEPS __attribute__((always_inline))

RAAK_INLINE void run(const Kernel& kernel, const double* const* in, double* const* out) {
  kernel.run_one(in, out);
}
RAAK_INLINE void run(const Kernel& kernel, const Pack* const* in, Pack* const* out) {
  kernel.run(reinterpret_cast<const double* const*>(in), reinterpret_cast<double* const*>(out));
}

template <class Number>
RAAK_INLINE void copy(const Number* from, int count, Number* to) {
  for (int i = 0; i < count; ++i) to[i] = from[i];
}

// Lanes once more for AVX2.
template <class F>
[[gnu::target("avx2,fma"), gnu::flatten, gnu::noinline]] void in_wide_lanes(F f) {
  f();
}

}  // namespace

template <class Number>
LargeEvaluation::Work<Number> LargeEvaluation::work(const Number& t) const {
  Number* const memory = thread_memory<Number>(workspace());
  memory[0] = t;
  return {memory, memory + gathered_at_, memory + blocks_at_,
          elements_.library->kept(static_cast<const Number*>(nullptr))};
}

template <class Number>
void LargeEvaluation::gather(const std::vector<int>& bodies, const Work<Number>& w) const {
  Number* to = w.gathered;
  for (const int b : bodies) {
    const BodyPlace& body = bodies_[z(b)];
    copy(w.memory + body.record, body.kernels->layout.total, to);
    to += body.kernels->layout.total;
  }
}

// {time, parameters, body, body}, or {time, parameters, all bodies gathered}.
template <class Number>
void LargeEvaluation::read_inputs(const ElementPlace& element, bool gathers, const Work<Number>& w,
                                  const Number** in) const {
  in[0] = w.memory;
  in[1] = w.kept + element.parameters;
  in[2] = in[3] = w.gathered;
  if (gathers) return gather(element.bodies, w);
  for (std::size_t k = 0; k < element.bodies.size(); ++k) in[2 + k] = w.memory + bodies_[z(element.bodies[k])].record;
}

template <class Number>
void LargeEvaluation::run_gathered(const Step& step, const Kernel& kernel, const Work<Number>& w) const {
  const Gathered& list = gathered_[z(step.index)];
  gather(list.bodies, w);
  Number* const results = w.gathered + gathered_size_ / 2;
  const Number* const second = list.pair ? w.memory : w.kept;
  const Number* const in[4] = {w.memory + step.in[0], second + step.in[1], w.gathered, nullptr};
  Number* const out[3] = {list.changes_unknowns ? results : w.memory + step.out[0], nullptr, nullptr};
  run(kernel, in, out);
  if (!list.changes_unknowns) return;
  const Number* from = results;
  for (const int b : list.bodies) {
    const BodyPlace& body = bodies_[z(b)];
    copy(from, body.kernels->layout.size, w.memory + body.record + body.kernels->layout.x);
    from += body.kernels->layout.size;
  }
}

// `index` is for a body its first coordinate, for a gathered call its place in the list, for a division or an empty
// block how many numbers there are.
template <class Number>
RAAK_INLINE void LargeEvaluation::run_step(const Step& step, Solve what, const Number* q, const Number* v,
                                           const Work<Number>& w) const {
  Number* const m = w.memory;
  if (step.kind == Kind::clear) {
    for (int i = 0; i < step.index; ++i) m[step.out[0] + i] = Number(0.0);
    return;
  }
  const Kernel* const kernel = (*step.kernels)[static_cast<std::size_t>(what)];
  if (kernel == nullptr) return;
  if (step.kind == Kind::call) {
    const Number* const in[4] = {m + step.in[0], w.kept + step.in[1], m + step.in[2], m + step.in[3]};
    Number* const out[3] = {m + step.out[0], m + step.out[1], nullptr};
    run(*kernel, in, out);
  } else if (step.kind == Kind::pair) {
    const Number* const in[4] = {m + step.in[0], m + step.in[1], m + step.in[2], m + step.in[3]};
    Number* const out[3] = {m + step.out[0], nullptr, nullptr};
    run(*kernel, in, out);
  } else if (step.kind == Kind::body) {
    const Number* const in[4] = {q + step.index, v + step.index, w.kept + step.in[1], nullptr};
    Number* const out[3] = {m + step.out[0], nullptr, nullptr};
    run(*kernel, in, out);
  } else if (step.kind == Kind::divide) {
    const Number* const in[4] = {m + step.in[0], nullptr, nullptr, nullptr};
    Number* const out[3] = {w.gathered, nullptr, nullptr};
    run(*kernel, in, out);
    copy(w.gathered, step.index, m + step.out[0]);
  } else {
    run_gathered(step, *kernel, w);
  }
}

template <class Number>
void LargeEvaluation::place_bodies(Solve what, const Number* q, const Number* v, const Work<Number>& w) const {
  for (std::size_t b = 1; b < bodies_.size(); ++b) {
    const BodyPlace& body = bodies_[b];
    const Number* const in[4] = {q + body.first, v + body.first, w.kept + body.parameters, nullptr};
    Number* const out[3] = {w.memory + body.record, nullptr, nullptr};
    run(*body.kernels->free[static_cast<std::size_t>(what)], in, out);
  }
}

template <class Number>
RAAK_INLINE void LargeEvaluation::apply(int node, const Work<Number>& w) const {
  run_step<Number>(back_[z(node)], Solve::accelerations, nullptr, nullptr, w);
}

template <class Number>
RAAK_INLINE void LargeEvaluation::finish_solution(const Work<Number>& w) const {
  for (int j = plan_.nodes() - 1; j >= 0; --j) {
    backward_node(plan_.stream.data() + plan_.stream_at[z(j)], w.memory, static_cast<const Number*>(w.blocks));
    apply(j, w);
  }
}

template <class Number>
RAAK_INLINE Number LargeEvaluation::solve(Solve what, const Number* q, const Number* v, const Work<Number>& w) const {
  Number largest(1.0);
  for (const Step& step : steps_) {
    if (step.kind == Kind::eliminate) eliminate_node(plan_.stream.data() + step.index, w.memory, w.blocks, largest);
    else run_step(step, what, q, v, w);
  }
  finish_solution(w);
  return Number(1.0) / largest;
}

template <class Number>
RAAK_INLINE void LargeEvaluation::read_unknowns(const Work<Number>& w, Number* x) const {
  for (std::size_t b = 1; b < bodies_.size(); ++b) {
    const BodyPlace& body = bodies_[b];
    copy(w.memory + body.record + body.kernels->layout.x, body.kernels->layout.size, x + body.first);
  }
}

template <class Number>
void LargeEvaluation::read_multipliers(const Work<Number>& w, Number* lambda) const {
  for (std::size_t e = 0; e < elements_.rows.size(); ++e) {
    const RowElement& element = elements_.rows[e];
    const Number* const from = w.memory + record_of_[e] + element.kernels->right_side();
    for (std::size_t k = 0; k < element.rows.size(); ++k) lambda[element.rows[k]] = from[k];
  }
}

template <class Number>
Number LargeEvaluation::accelerate_by(const FusedEvaluation& kernels, const Number& t, const Number* q, const Number* v,
                                      Number* a, Number* lambda) const {
  Number* const memory = thread_memory<Number>(z(kernels.memory()));
  memory[0] = t;
  const Number largest = kernels.run(0, q, v, memory, a).largest;
  if (lambda != nullptr) kernels.read_multipliers(memory, lambda);
  return Number(1.0) / largest;
}

double LargeEvaluation::accelerate(const double* t, const double* q, const double* v, double* a, double* lambda) const {
  if (const FusedEvaluation* const fast = fused()) return accelerate_by(*fast, *t, q, v, a, lambda);
  return accelerate_step_by_step(t, q, v, a, lambda);
}

double LargeEvaluation::accelerate_step_by_step(const double* t, const double* q, const double* v, double* a,
                                                double* lambda) const {
  const Work<double> w = work(*t);
  const double pivot = solve(Solve::accelerations, q, v, w);
  read_unknowns(w, a);
  if (lambda != nullptr) read_multipliers(w, lambda);
  return pivot;
}

Pack LargeEvaluation::accelerate(const Pack* t, const Pack* q, const Pack* v, Pack* a, Pack* lambda) const {
  if (const FusedEvaluation* const fast = fused()) return accelerate_by(*fast, *t, q, v, a, lambda);
  const Work<Pack> w = work(*t);
  Pack pivot(1.0);
  const auto all = [&]() RAAK_STEPS {
    pivot = solve(Solve::accelerations, q, v, w);
    read_unknowns(w, a);
  };
  machine_has_avx2 ? in_wide_lanes(all) : all();
  if (lambda != nullptr) read_multipliers(w, lambda);
  return pivot;
}

template LargeEvaluation::Work<double> LargeEvaluation::work(const double&) const;
template void LargeEvaluation::read_inputs(const ElementPlace&, bool, const Work<double>&, const double**) const;
template void LargeEvaluation::place_bodies(Solve, const double*, const double*, const Work<double>&) const;
template void LargeEvaluation::run_step(const Step&, Solve, const double*, const double*, const Work<double>&) const;
template void LargeEvaluation::apply(int, const Work<double>&) const;
template void LargeEvaluation::finish_solution(const Work<double>&) const;
template void LargeEvaluation::read_unknowns(const Work<double>&, double*) const;
template void LargeEvaluation::read_multipliers(const Work<double>&, double*) const;

}  // namespace raak
