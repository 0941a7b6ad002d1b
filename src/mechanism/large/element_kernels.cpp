#include "mechanism/large/element_kernels.h"

#include "base/linear/index.h"
#include "base/tape/derivative.h"

namespace raak {
namespace {

constexpr int multiplier_block = 100;  // while an element is recorded

// Blocks of bodies that are gathered become one; the next one is that of multipliers.
void gather_bodies(Tape& tape, const std::vector<const BodyKind*>& kinds) {
  std::vector<int> begins;
  int next = 0;
  for (const BodyKind* const kind : kinds) {
    begins.push_back(next);
    next += BodyLayout(*kind).total;
  }
  const int last = first_body_block + static_cast<int>(kinds.size());
  tape.move_inputs([&](int& block, int& number) {
    if (block == multiplier_block) block = first_body_block + 1;
    else if (block < first_body_block || block >= last) return;
    else number += begins[z(block - first_body_block)], block = first_body_block;
  });
}

// Goes on where a formulas ended.
class Continuation {
  Tape tape_;
  Tape::Recording recording_;
  const ElementFormulas& formulas_;

 public:
  std::vector<BodyInputs> bodies;

  explicit Continuation(const ElementFormulas& formulas)
      : tape_(formulas.tape), recording_(tape_), formulas_(formulas) {
    for (std::size_t k = 0; k < formulas.kinds.size(); ++k)
      bodies.push_back(read_record(tape_, *formulas.kinds[k], first_body_block + static_cast<int>(k)));
  }
  void write(int block, const Real& value) { tape_.add_output(block, value); }
  Reals switching_functions() { return tape_.switching_functions(); }
  Real new_multiplier() { return tape_.new_input(multiplier_block); }
  std::unique_ptr<Kernel> finish(bool gathered) {
    for (std::size_t k = 0; k < formulas_.kinds.size(); ++k)
      read_shared_functions(tape_, *formulas_.kinds[k], formulas_.bodies[k].q, first_body_block + static_cast<int>(k));
    if (gathered) gather_bodies(tape_, formulas_.kinds);
    return std::make_unique<Kernel>(tape_);
  }
};

// Where the formulas of an element change their branches.
std::unique_ptr<Kernel> record_switches(const ElementFormulas& formulas) {
  Continuation to(formulas);
  const Reals functions = to.switching_functions();
  if (functions.empty()) return nullptr;
  for (const Real& value : functions) to.write(0, value);
  return to.finish(true);
}

Reals rate(const Reals& values, const ElementFormulas& formulas) {
  Reals variables = formulas.all(&BodyVariables::q);
  Reals direction = formulas.all(&BodyVariables::v);
  variables.push_back(formulas.t);
  direction.emplace_back(1.0);
  return derivative_along(values, variables, direction);
}

Reals velocity_residual(const ElementFormulas& formulas) {
  Reals c = rate(formulas.position, formulas);
  c.insert(c.end(), formulas.velocity.begin(), formulas.velocity.end());
  return c;
}

// Rows of G, body by body, zeros included: G[row][body][coordinate].
using JacobianRows = std::vector<std::vector<Reals>>;

JacobianRows empty_rows(int rows, const std::vector<const BodyKind*>& kinds) {
  std::vector<Reals> none;
  for (const BodyKind* const kind : kinds) none.emplace_back(z(BodyLayout(*kind).size), Real(0.0));
  return JacobianRows(z(rows), none);
}

JacobianRows jacobian(const ElementFormulas& formulas) {
  JacobianRows G = empty_rows(static_cast<int>(formulas.position.size() + formulas.velocity.size()), formulas.kinds);
  std::size_t row = 0;
  const auto fill = [&](const std::vector<Gradient>& slopes) {
    for (const Gradient& slope : slopes) {
      for (const auto& [number, value] : slope) {
        const auto [body, coordinate] = formulas.place(number);
        G[row][z(body)][z(coordinate)] = value;
      }
      ++row;
    }
  };
  fill(gradients(formulas.position, formulas.all(&BodyVariables::q)));
  fill(gradients(formulas.velocity, formulas.all(&BodyVariables::v)));
  return G;
}

Real product(const Reals& a, const Reals& b) {
  Real sum(0.0);
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// The inputs of an element's record, as rows and multipliers.
struct RecordInputs {
  JacobianRows G;
  Reals multipliers;
};
RecordInputs read_element(Tape& tape, const RowKernels& kernels, int block) {
  RecordInputs inputs{empty_rows(kernels.rows(), kernels.formulas().kinds), {}};
  Reals record;
  for (int i = 0; i < kernels.size(); ++i) record.push_back(tape.new_input(block));
  for (const RowKernels::Entry& e : kernels.entries())
    inputs.G[z(e.row)][z(e.body)][z(e.coordinate)] = e.stored < 0 ? Real(e.value) : record[z(e.stored)];
  inputs.multipliers.assign(record.begin() + kernels.right_side(), record.end());
  return inputs;
}

}  // namespace

RowKernels::RowKernels(const ElementFormulas& formulas) : formulas_(formulas) {
  accelerations = record_solve(Solve::accelerations);
  positions = record_solve(Solve::positions);
  velocities = record_solve(Solve::velocities);
  gaps = record_right_side(false);
  rates = record_right_side(true);
  apply = record_apply();
  power = record_power();
  switches = record_switches(formulas_);
  solve_ = {accelerations.get(), positions.get(), velocities.get()};
  back_.fill(apply.get());
}

std::unique_ptr<Kernel> RowKernels::record_solve(Solve what) {
  Continuation to(formulas_);
  const JacobianRows G = jacobian(formulas_);
  const std::size_t r = G.size();
  const std::size_t p = formulas_.position.size();
  entries_.clear();
  stored_ = 0;
  for (std::size_t i = 0; i < r; ++i)
    for (std::size_t b = 0; b < G[i].size(); ++b)
      for (std::size_t c = 0; c < G[i][b].size(); ++c) {
        const Real& value = G[i][b][c];
        if (value.is_zero()) continue;
        Entry entry{static_cast<int>(i), static_cast<int>(b), static_cast<int>(c), -1, 0.0};
        if (!value.constant(entry.value)) {
          entry.stored = stored_++;
          to.write(0, value);
        }
        entries_.push_back(entry);
      }
  Reals right;
  if (what == Solve::positions) {
    right = formulas_.position;
    right.resize(r, Real(0.0));
  } else {
    right = velocity_residual(formulas_);
  }
  if (what == Solve::accelerations) right = rate(right, formulas_);  // minus the bias
  // Velocity rows say nothing of positions: there they are replaced by lambda = 0.
  const auto takes_part = [&](std::size_t i) { return what != Solve::positions || i < p; };
  Reals S;
  Reals diagonal;
  for (std::size_t i = 0; i < r; ++i) {
    std::vector<Reals> Y;
    for (std::size_t b = 0; b < G[i].size(); ++b)
      Y.push_back(formulas_.kinds[b]->times_inverse_mass(to.bodies[b].inverse_mass, G[i][b]));
    for (std::size_t j = 0; j <= i; ++j) {
      Real sum(0.0);
      for (std::size_t b = 0; b < Y.size(); ++b) sum += product(Y[b], G[j][b]);
      if (!takes_part(i) || !takes_part(j)) sum = Real(i == j ? 1.0 : 0.0);
      S.push_back(sum);
    }
    diagonal.push_back(S.back());
    for (std::size_t b = 0; b < Y.size() && what == Solve::accelerations; ++b)
      right[i] += product(G[i][b], to.bodies[b].x);
  }
  for (const Reals* part : {&S, &diagonal, &right})
    for (const Real& value : *part) to.write(0, value);
  return to.finish(gathers());
}

std::unique_ptr<Kernel> RowKernels::record_right_side(bool rates_too) const {
  Continuation to(formulas_);
  Reals right = rates_too ? velocity_residual(formulas_) : formulas_.position;
  right.resize(z(rows()), Real(0.0));
  for (const Real& value : right) to.write(0, value);
  return to.finish(gathers());
}

std::unique_ptr<Kernel> RowKernels::record_apply() const {
  Tape tape;
  const Tape::Recording recording(tape);
  const RecordInputs element = read_element(tape, *this, 0);
  for (std::size_t b = 0; b < formulas_.kinds.size(); ++b) {
    const BodyKind* const kind = formulas_.kinds[b];
    const int block = first_body_block + static_cast<int>(b);
    const int size = BodyLayout(*kind).size;
    for (int i = 0; i < 2 * size; ++i) tape.new_input(block);
    const BodyInputs body = read_record(tape, *kind, block);
    Reals pull(z(size), Real(0.0));
    for (std::size_t i = 0; i < element.G.size(); ++i)
      for (std::size_t c = 0; c < pull.size(); ++c) pull[c] += element.G[i][b][c] * element.multipliers[i];
    const Reals change = kind->times_inverse_mass(body.inverse_mass, pull);
    for (std::size_t c = 0; c < pull.size(); ++c)
      tape.add_output(gathers() ? 0 : static_cast<int>(b), body.x[c] - change[c]);
  }
  if (gathers()) gather_bodies(tape, formulas_.kinds);
  return std::make_unique<Kernel>(tape);
}

std::unique_ptr<Kernel> RowKernels::record_power() {
  Continuation to(formulas_);
  Reals held = derivative_along(formulas_.position, {formulas_.t}, {Real(1.0)});
  held.insert(held.end(), formulas_.velocity_at_rest.begin(), formulas_.velocity_at_rest.end());
  for (std::size_t i = 0; i < held.size(); ++i) {
    const Real worked = held[i] * to.new_multiplier();
    if (worked.is_zero()) continue;
    moving_rows_.push_back(static_cast<int>(i));
    to.write(0, worked);
  }
  return moving_rows_.empty() ? nullptr : to.finish(true);
}

ForceKernels::ForceKernels(const ElementFormulas& formulas) : formulas_(formulas) {
  const ForceSink& sink = formulas_.sink;
  {
    Continuation to(formulas_);
    const Reals q = formulas_.all(&BodyVariables::q);
    Reals f(q.size(), Real(0.0));
    const Gradient pull = gradients({sink.potential}, q).front();
    for (const auto& [i, slope] : pull) f[z(i)] -= slope;
    const std::vector<Gradient> arms = gradients(sink.measures, q);
    for (std::size_t k = 0; k < arms.size(); ++k)
      for (const auto& [i, arm] : arms[k]) f[z(i)] += sink.along[k] * arm;
    for (std::size_t i = 0; i < f.size(); ++i) {
      const auto [body, coordinate] = formulas_.place(static_cast<int>(i));
      for (const ForceSink::Direct& direct : sink.direct)
        if (direct.body == formulas_.bodies[z(body)].body && direct.coordinate == coordinate) f[i] += direct.force;
      if (formulas_.counters[z(body)]) f[i] = Real(0.0);  // but for rounding
      to.write(gathers() ? 0 : body, to.bodies[z(body)].x[z(coordinate)] + f[i]);
    }
    apply = to.finish(gathers());
    solve_ = {apply.get(), nullptr, nullptr};
  }
  Continuation to(formulas_);
  const Reals rates =
      derivative_along(sink.measures, formulas_.all(&BodyVariables::q), formulas_.all(&BodyVariables::v));
  const Real moved = derivative_along({sink.potential}, {formulas_.t}, {Real(1.0)}).front();
  Real put_in(0.0), taken(0.0);
  for (std::size_t i = 0; i < rates.size(); ++i) (sink.is_damping(i) ? taken : put_in) += sink.along[i] * rates[i];
  for (const ForceSink::Direct& direct : sink.direct)
    for (const BodyVariables& body : formulas_.bodies)
      if (body.body == direct.body) (direct.damping ? taken : put_in) += direct.force * body.v[z(direct.coordinate)];
  stores = !sink.potential.is_zero();
  is_moved = !moved.is_zero();
  puts_in = !put_in.is_zero();
  dissipates = !taken.is_zero();
  for (const Real& part : {sink.potential, moved, put_in, taken}) to.write(0, part);
  energy = to.finish(true);
  switches = record_switches(formulas_);
}

std::unique_ptr<Kernel> record_pair(const RowKernels& row, const RowKernels& column,
                                    const std::vector<SharedBody>& shared, bool positions_only) {
  Tape tape;
  const Tape::Recording recording(tape);
  const RecordInputs above = read_element(tape, row, 0);
  const RecordInputs beside = read_element(tape, column, 1);
  std::vector<const BodyKind*> kinds;
  std::vector<BodyInputs> bodies;
  for (const SharedBody& body : shared) {
    const BodyKind* const kind = row.formulas().kinds[z(body.in_row)];
    const int block = first_body_block + static_cast<int>(kinds.size());
    for (int i = 0; i < 2 * BodyLayout(*kind).size; ++i) tape.new_input(block);
    bodies.push_back(read_record(tape, *kind, block));
    kinds.push_back(kind);
  }
  for (int i = 0; i < row.rows(); ++i)
    for (int j = 0; j < column.rows(); ++j) {
      Real sum(0.0);
      const bool zero = positions_only && (i >= row.position_rows() || j >= column.position_rows());
      for (std::size_t b = 0; b < shared.size() && !zero; ++b)
        sum += product(above.G[z(i)][z(shared[b].in_row)],
                       kinds[b]->times_inverse_mass(bodies[b].inverse_mass, beside.G[z(j)][z(shared[b].in_column)]));
      tape.add_output(0, sum);
    }
  if (shared.size() > 2) gather_bodies(tape, kinds);
  return std::make_unique<Kernel>(tape);
}

}  // namespace raak
