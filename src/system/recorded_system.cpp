#include "system/recorded_system.h"

#include <algorithm>
#include <cmath>

#include "system/recorded_accounts.h"

namespace raak {
namespace {

constexpr double smallest_good_pivot =
    0.02;  // below it the null space has lost its pivots: the Schur complement is used
constexpr int most_coordinates_for_null_space = 40;  // choosing its pivots costs the fourth power

std::size_t z(int i) {
  return static_cast<std::size_t>(i);
}

// Copies what is given, or zeros; returns what follows.
double* put(const double* from, int count, double* to) {
  if (from == nullptr) std::fill_n(to, count, 0.0);
  else std::copy_n(from, count, to);
  return to + count;
}

Reals concatenate(Reals a, const Reals& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// (t, q) along (1, v)
Reals rate(const Reals& values, const RecordedState& x) {
  return derivative_along(values, concatenate({x.t}, x.q), concatenate({Recorded(1.0)}, x.v));
}

}  // namespace

class RecordedSystem::Recording {
  Tape tape_;
  Tape::Recording recording_;
  std::vector<std::pair<int, int>>& places_;

 public:
  RecordedState x;

  Recording(const ConstrainedSystem& system, std::vector<std::pair<int, int>>& places)
      : recording_(tape_), places_(places) {
    x.t = tape_.new_input(0);
    for (int i = 0; i < system.coordinates(); ++i) x.q.push_back(tape_.new_input(1));
    for (int i = 0; i < system.coordinates(); ++i) x.v.push_back(tape_.new_input(2));
    for (int i = 0; i < system.coordinates(); ++i) x.a.push_back(tape_.new_input(3));
    for (int i = 0; i < system.rows(); ++i) x.lambda.push_back(tape_.new_input(3));
  }
  void write(int block, const Reals& values) {
    for (const Recorded& value : values) tape_.add_output(block, value);
  }
  void write(int block, const Recorded& value) { tape_.add_output(block, value); }
  void write(int row, int column, const Recorded& value) {
    places_.emplace_back(row, column);
    tape_.add_output(0, value);
  }
  void write_rows(const std::vector<Gradient>& rows) {
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (const auto& [j, entry] : rows[i]) write(static_cast<int>(i), j, entry);
  }
  std::unique_ptr<Kernel> kernel() const { return std::make_unique<Kernel>(tape_); }
  int outputs() const { return static_cast<int>(tape_.outputs().size()); }
};

RecordedSystem::RecordedSystem(std::shared_ptr<const Formulas> formulas, int coordinates, int position_rows,
                               int velocity_rows, Description description)
    : ConstrainedSystem(coordinates, position_rows, velocity_rows, std::move(description)),
      formulas_(std::move(formulas)) {}
RecordedSystem::~RecordedSystem() = default;

Reals RecordedSystem::velocity_residual(const RecordedState& x) const {
  Reals g;
  formulas_->constraint(x.t, x.q, g);
  Reals c = rate(g, x);
  formulas_->velocity_constraint(x.t, x.q, x.v, c);
  return c;
}

std::vector<Gradient> RecordedSystem::jacobian_rows(const RecordedState& x) const {
  Reals g;
  Reals c;
  formulas_->constraint(x.t, x.q, g);
  formulas_->velocity_constraint(x.t, x.q, x.v, c);
  std::vector<Gradient> G = gradients(g, x.q);
  for (Gradient& row : gradients(c, x.v)) G.push_back(std::move(row));
  return G;
}

MotionTerms RecordedSystem::motion_terms(const RecordedState& x) const {
  MotionTerms terms{SymmetricEntries(coordinates()), Reals(z(coordinates()), Recorded(0.0)), jacobian_rows(x), {}};
  formulas_->mass(x.t, x.q, terms.M);
  formulas_->force(x.t, x.q, x.v, terms.f);
  for (const Recorded& change : rate(velocity_residual(x), x)) terms.bias.push_back(-change);
  return terms;
}

void RecordedSystem::record(Which which, Recording& to) const {
  const RecordedState& x = to.x;
  const Reals zeros(x.q.size(), Recorded(0.0));
  const auto mass_entries = [&] {
    SymmetricEntries M(coordinates());
    formulas_->mass(x.t, x.q, M);
    return M;
  };
  switch (which) {
    case Which::mass: {
      const SymmetricEntries M = mass_entries();
      for (const auto& [where, value] : M.all()) {
        to.write(where.first, where.second, value);
        if (where.first != where.second) to.write(where.second, where.first, value);
      }
      return;
    }
    case Which::force:
    case Which::force_derivatives: {
      Reals f = zeros;
      formulas_->force(x.t, x.q, x.v, f);
      if (which == Which::force) return to.write(0, f);
      return to.write_rows(gradients(f, concatenate(x.q, x.v)));
    }
    case Which::constraint: {
      Reals g;
      formulas_->constraint(x.t, x.q, g);
      return to.write(0, g);
    }
    case Which::residual:
      return to.write(0, velocity_residual(x));
    case Which::jacobian:
      return to.write_rows(jacobian_rows(x));
    case Which::bias:
      for (const Recorded& change : rate(velocity_residual(x), x)) to.write(0, -change);
      return;
    case Which::stiffness: {
      Reals balance = mass_entries().times(x.a);
      const std::vector<Gradient> G = jacobian_rows(x);
      for (std::size_t i = 0; i < G.size(); ++i)
        for (const auto& [j, entry] : G[i]) balance[z(j)] += entry * x.lambda[i];
      return to.write_rows(gradients(balance, x.q));
    }
    case Which::energy: {
      const Reals momentum = mass_entries().times(x.v);
      Recorded twice(0.0);
      for (std::size_t i = 0; i < momentum.size(); ++i) twice += momentum[i] * x.v[i];
      to.write(0, 0.5 * twice);
      return to.write(0, formulas_->potential(x.t, x.q));
    }
    case Which::power: {  // power(t,q,v) + dV/dt|_q + lambda' [g_t; c - A v]
      Recorded power = formulas_->power(x.t, x.q, x.v);
      Reals held;
      formulas_->constraint(x.t, x.q, held);
      held.push_back(formulas_->potential(x.t, x.q));
      held = derivative_along(held, {x.t}, {Recorded(1.0)});
      power += held.back();
      held.pop_back();
      formulas_->velocity_constraint(x.t, x.q, zeros, held);
      for (std::size_t i = 0; i < held.size(); ++i) power += held[i] * x.lambda[i];
      if (!power.is_zero()) to.write(0, power);
      return;
    }
    case Which::outputs: {
      Reals values;
      formulas_->outputs(x, values);
      return to.write(0, values);
    }
    case Which::report: {
      const Reals shown = formulas_->reported_velocities(x.t, x.q, x.v);
      to.write(0, formulas_->reported_positions(x.t, x.q));
      to.write(0, shown);
      return to.write(0, derivative_along(shown, concatenate(concatenate({x.t}, x.q), x.v),
                                          concatenate(concatenate({Recorded(1.0)}, x.v), x.a)));
    }
    case Which::solution: {
      const MotionSolution found = solve_by_schur_complement(motion_terms(x));
      to.write(0, found.a);
      to.write(1, found.lambda);
      return to.write(2, found.pivot);
    }
    case Which::position_correction: {
      Reals g;
      formulas_->constraint(x.t, x.q, g);
      Reals corrected = shortest_correction(mass_entries(), gradients(g, x.q), g);
      for (std::size_t i = 0; i < corrected.size(); ++i) corrected[i] += x.q[i];
      to.write(0, corrected);
      return to.write(1, g);
    }
    case Which::velocity_correction: {
      const Reals c = velocity_residual(x);
      Reals corrected = shortest_correction(mass_entries(), jacobian_rows(x), c);
      for (std::size_t i = 0; i < corrected.size(); ++i) corrected[i] += x.v[i];
      to.write(0, corrected);
      return to.write(1, c);
    }
  }
}

const RecordedSystem::Entry& RecordedSystem::entry(Which which) const {
  Entry& e = entries_[static_cast<std::size_t>(which)];
  std::call_once(e.once, [&] {
    const PreparationTimer timer;
    Recording recording(*this, e.places);
    record(which, recording);
    e.kernel = recording.kernel();
    e.outputs = recording.outputs();
  });
  return e;
}

std::unique_ptr<Kernel> RecordedSystem::record_accelerations(double t, const double* q) const {
  const PreparationTimer timer;
  const auto record_with = [&](auto&& solve) {
    std::vector<std::pair<int, int>> unused;
    Recording to(*this, unused);
    const MotionSolution found = solve(motion_terms(to.x));
    to.write(0, found.a);
    to.write(2, found.pivot);
    return to.kernel();
  };
  auto schur = record_with(solve_by_schur_complement);
  const bool few = coordinates() <= most_coordinates_for_null_space;
  if (rows() == 0 || rows() >= coordinates() || !few) return schur;
  const Vector pose = Vector::Map(q, coordinates());
  Matrix G(rows(), coordinates());
  Matrix M(coordinates(), coordinates());
  jacobian(t, pose, G);
  mass(t, pose, M);
  const PivotPlan plan = choose_pivots(G, M.diagonal());
  if (plan.blocks.empty()) return schur;
  auto null_space = record_with([&](const MotionTerms& terms) { return solve_in_null_space(terms, plan); });
  return null_space->program().cost() < schur->program().cost() ? std::move(null_space) : std::move(schur);
}

const Kernel& RecordedSystem::accelerations(double t, const double* q, int stride) const {
  std::call_once(accelerations_once_, [&] {
    std::vector<double> pose;
    for (int i = 0; i < coordinates(); ++i) pose.push_back(q[stride * i]);
    accelerations_ = record_accelerations(t, pose.data());
  });
  return *accelerations_;
}

double RecordedSystem::acceleration_cost(double t, const Vector& q) const {
  return accelerations(t, q.data()).program().cost();
}

void RecordedSystem::accelerate_lanes(const double* t, const double* q, const double* v, double* a, double* lambda,
                                      double* smallest_pivot) const {
  const double* const in[4] = {t, q, v, nullptr};
  double* const out[3] = {a, lambda, smallest_pivot};
  if (lambda != nullptr) {
    entry(Which::solution).kernel->run(in, out);
    return;
  }
  accelerations(t[0], q, lanes).run(in, out);
  if (std::all_of(smallest_pivot, smallest_pivot + lanes, [](double p) { return p > smallest_good_pivot; })) return;
  thread_local std::vector<Pack> unused;
  unused.resize(z(rows() + 1));
  double* const again[3] = {a, reinterpret_cast<double*>(unused.data()), smallest_pivot};
  entry(Which::solution).kernel->run(in, again);
}

double RecordedSystem::accelerate(double t, const double* q, const double* v, double* a, double* lambda) const {
  thread_local std::vector<double> unused;
  unused.resize(z(rows() + 1));
  double pivot = 1.0;
  const double* const in[4] = {&t, q, v, nullptr};
  double* const out[3] = {a, lambda != nullptr ? lambda : unused.data(), &pivot};
  if (lambda == nullptr) {
    accelerations(t, q).run_one(in, out);
    if (pivot > smallest_good_pivot) return pivot;
  }
  entry(Which::solution).kernel->run_one(in, out);
  return pivot;
}

const double* RecordedSystem::evaluate(Which which, double t, const double* q, const double* v, const double* a,
                                       const double* lambda) const {
  const Entry& e = entry(which);
  const int n = coordinates();
  thread_local std::vector<double> memory;
  memory.resize(z(2 * n + rows() + n + e.outputs + 1));
  double* const still = memory.data();
  double* const forces = put(nullptr, n, still);  // a and lambda
  double* const values = put(lambda, rows(), put(a, n, forces));
  const double* const in[4] = {&t, q, v != nullptr ? v : still, forces};
  // Corrections write n corrected values and then the residual; all others write one block.
  double* const out[3] = {values, values + n, nullptr};
  e.kernel->run_one(in, out);
  return values;
}

double RecordedSystem::correct_position(double t, double* q) const {
  if (position_rows() == 0) return 0.0;
  const double* const x = evaluate(Which::position_correction, t, q, nullptr, nullptr, nullptr);
  std::copy(x, x + coordinates(), q);
  return Vector::Map(x + coordinates(), position_rows()).norm();
}

double RecordedSystem::correct_velocity(double t, const double* q, double* v) const {
  if (rows() == 0) return 0.0;
  const double* const x = evaluate(Which::velocity_correction, t, q, v, nullptr, nullptr);
  std::copy(x, x + coordinates(), v);
  return Vector::Map(x + coordinates(), rows()).norm();
}

void RecordedSystem::prepare(double t, const Vector& q) const {
  for (const Width width : {Width::four, Width::one}) {
    accelerations(t, q.data()).emit(width);
    entry(Which::solution).kernel->emit(width);
  }
  if (position_rows() > 0) entry(Which::position_correction).kernel->emit(Width::one);
  if (rows() > 0) entry(Which::velocity_correction).kernel->emit(Width::one);
}

void RecordedSystem::fill(Which which, const double* values, Matrix& matrix) const {
  matrix.setZero();
  for (const auto& [row, column] : entry(which).places) matrix(row, column) = *values++;
}

void RecordedSystem::mass(double t, const Vector& q, Matrix& M) const {
  fill(Which::mass, evaluate(Which::mass, t, q.data(), nullptr, nullptr, nullptr), M);
}
void RecordedSystem::force(double t, const Vector& q, const Vector& v, Vector& f) const {
  f = Vector::Map(evaluate(Which::force, t, q.data(), v.data(), nullptr, nullptr), coordinates());
}
void RecordedSystem::constraint(double t, const Vector& q, Vector& g) const {
  g = Vector::Map(evaluate(Which::constraint, t, q.data(), nullptr, nullptr, nullptr), position_rows());
}
void RecordedSystem::velocity_constraint(double t, const Vector& q, const Vector& v, Vector& c_all) const {
  c_all = Vector::Map(evaluate(Which::residual, t, q.data(), v.data(), nullptr, nullptr), rows());
}
void RecordedSystem::jacobian(double t, const Vector& q, Matrix& G) const {
  fill(Which::jacobian, evaluate(Which::jacobian, t, q.data(), nullptr, nullptr, nullptr), G);
}
void RecordedSystem::acceleration_bias(double t, const Vector& q, const Vector& v, Vector& bias) const {
  bias = Vector::Map(evaluate(Which::bias, t, q.data(), v.data(), nullptr, nullptr), rows());
}
void RecordedSystem::force_derivatives(double t, const Vector& q, const Vector& v, Matrix& f_q, Matrix& f_v) const {
  const double* values = evaluate(Which::force_derivatives, t, q.data(), v.data(), nullptr, nullptr);
  f_q.setZero();
  f_v.setZero();
  for (const auto& [row, column] : entry(Which::force_derivatives).places) {
    if (column < coordinates()) f_q(row, column) = *values++;
    else f_v(row, column - coordinates()) = *values++;
  }
}
void RecordedSystem::inertia_stiffness(const State& x, Matrix& K) const {
  fill(Which::stiffness, evaluate(Which::stiffness, x.t, x.q.data(), x.v.data(), x.a.data(), x.lambda.data()), K);
}

Energy RecordedSystem::energy(double t, const Vector& q, const Vector& v) const {
  const double* const values = evaluate(Which::energy, t, q.data(), v.data(), nullptr, nullptr);
  return {values[0], values[1], 0.0};
}
double RecordedSystem::input_power(const State& x) const {
  if (!has_input_power()) return 0.0;
  return evaluate(Which::power, x.t, x.q.data(), x.v.data(), x.a.data(), x.lambda.data())[0];
}
bool RecordedSystem::has_input_power() const {
  return entry(Which::power).outputs > 0;
}
const EnergyAccounts* RecordedSystem::energy_accounts() const {
  std::call_once(accounts_once_, [&] { accounts_ = std::make_unique<RecordedAccounts>(*formulas_, *this); });
  return accounts_.get();
}
void RecordedSystem::evaluate_outputs(const State& x, Vector& values) const {
  values = Vector::Map(evaluate(Which::outputs, x.t, x.q.data(), x.v.data(), x.a.data(), x.lambda.data()), outputs());
}
void RecordedSystem::show(const State& x, int positions, int velocities, State& shown) const {
  const double* const values = evaluate(Which::report, x.t, x.q.data(), x.v.data(), x.a.data(), x.lambda.data());
  const Vector lambda = x.lambda;
  shown.t = x.t;
  shown.q = Vector::Map(values, positions);
  shown.v = Vector::Map(values + positions, velocities);
  shown.a = Vector::Map(values + positions + velocities, velocities);
  shown.lambda = lambda;
}
void RecordedSystem::report(const State& x, State& shown) const {
  show(x, static_cast<int>(reported().positions.size()), static_cast<int>(reported().velocities.size()), shown);
}

}  // namespace raak
