#include "system/recorded/recorded_system.h"

#include <algorithm>

#include "base/linear/index.h"
#include "system/recorded/motion_terms.h"
#include "system/recorded/recorded_accounts.h"
#include "system/recorded/recording.h"

namespace raak {
namespace {

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

}  // namespace

// A recording that remembers the places of matrix entries.
class RecordedSystem::Recording : public KernelRecording {
  std::vector<std::pair<int, int>>& places_;

 public:
  Recording(const ConstrainedSystem& system, std::vector<std::pair<int, int>>& places)
      : KernelRecording(system.coordinates(), system.rows()), places_(places) {}
  using KernelRecording::write;
  void write(int row, int column, const Recorded& value) {
    places_.emplace_back(row, column);
    write(0, value);
  }
  void write_rows(const std::vector<Gradient>& rows) {
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (const auto& [j, entry] : rows[i]) write(static_cast<int>(i), j, entry);
  }
};

RecordedSystem::RecordedSystem(std::shared_ptr<const Formulas> formulas, int coordinates, int position_rows,
                               int velocity_rows, Description description)
    : KernelSystem(std::move(formulas), coordinates, position_rows, velocity_rows, std::move(description)) {}
RecordedSystem::~RecordedSystem() = default;

void RecordedSystem::record(Which which, Recording& to) const {
  const RecordedState& x = to.x;
  const Reals zeros(x.q.size(), Recorded(0.0));
  const MotionTerms terms(formulas(), x);
  switch (which) {
    case Which::mass: {
      const SymmetricEntries M = terms.mass();
      for (const auto& [where, value] : M.all()) {
        to.write(where.first, where.second, value);
        if (where.first != where.second) to.write(where.second, where.first, value);
      }
      return;
    }
    case Which::force:
      return to.write(0, terms.force());
    case Which::force_derivatives:
      return to.write_rows(gradients(terms.force(), concatenate(x.q, x.v)));
    case Which::constraint:
      return to.write(0, terms.constraint());
    case Which::residual:
      return to.write(0, terms.velocity_residual());
    case Which::jacobian:
      return to.write_rows(terms.jacobian());
    case Which::bias:
      return to.write(0, terms.bias());
    case Which::stiffness:
      return to.write_rows(gradients(terms.inertia_and_reactions(), x.q));
    case Which::energy: {
      const Reals momentum = terms.mass().times(x.v);
      Recorded twice(0.0);
      for (std::size_t i = 0; i < momentum.size(); ++i) twice += momentum[i] * x.v[i];
      to.write(0, 0.5 * twice);
      to.write(0, formulas().potential(x.t, x.q));
      return to.write(0, formulas().input_energy(x.t, x.q).value_or(0.0));
    }
    case Which::power: {  // power(t,q,v) + dV/dt|_q + lambda' [g_t; c - A v]
      if (formulas().input_energy(x.t, x.q)) return;
      Recorded power = formulas().power(x.t, x.q, x.v);
      power += derivative_along({formulas().potential(x.t, x.q)}, {x.t}, {Recorded(1.0)}).front();
      const Reals held = terms.residual_at_rest();
      for (std::size_t i = 0; i < held.size(); ++i) power += held[i] * x.lambda[i];
      if (!power.is_zero()) to.write(0, power);
      return;
    }
    case Which::outputs: {
      Reals values;
      formulas().outputs(x, values);
      return to.write(0, values);
    }
    case Which::report: {
      const Reals shown = formulas().reported_velocities(x.t, x.q, x.v);
      to.write(0, formulas().reported_positions(x.t, x.q));
      to.write(0, shown);
      return to.write(0, derivative_along(shown, concatenate(concatenate({x.t}, x.q), x.v),
                                          concatenate(concatenate({Recorded(1.0)}, x.v), x.a)));
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

const double* RecordedSystem::evaluate(Which which, double t, const double* q, const double* v, const double* a,
                                       const double* lambda) const {
  const Entry& e = entry(which);
  const int n = coordinates();
  thread_local std::vector<double> memory;
  memory.resize(z(2 * n + rows() + e.outputs + 1));
  double* const still = memory.data();
  double* const forces = put(nullptr, n, still);  // a and lambda
  double* const values = put(lambda, rows(), put(a, n, forces));
  const double* const in[4] = {&t, q, v != nullptr ? v : still, forces};
  double* const out[3] = {values, nullptr, nullptr};
  e.kernel->run_one(in, out);
  return values;
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

void RecordedSystem::fill(Which which, const double* values, int first, SparseMatrix& matrix) const {
  thread_local std::vector<Eigen::Triplet<double>> entries;
  entries.clear();
  for (const auto& [row, column] : entry(which).places) {
    if (column >= first && column < first + matrix.cols()) entries.emplace_back(row, column - first, *values);
    ++values;
  }
  matrix.setFromTriplets(entries.begin(), entries.end());
}

void RecordedSystem::sparse_mass(double t, const Vector& q, SparseMatrix& M) const {
  M.resize(coordinates(), coordinates());
  fill(Which::mass, evaluate(Which::mass, t, q.data(), nullptr, nullptr, nullptr), 0, M);
}
void RecordedSystem::sparse_jacobian(double t, const Vector& q, SparseMatrix& G) const {
  G.resize(rows(), coordinates());
  fill(Which::jacobian, evaluate(Which::jacobian, t, q.data(), nullptr, nullptr, nullptr), 0, G);
}
void RecordedSystem::sparse_force_derivatives(double t, const Vector& q, const Vector& v, SparseMatrix& f_q,
                                              SparseMatrix& f_v) const {
  f_q.resize(coordinates(), coordinates());
  f_v.resize(coordinates(), coordinates());
  const double* const values = evaluate(Which::force_derivatives, t, q.data(), v.data(), nullptr, nullptr);
  fill(Which::force_derivatives, values, 0, f_q);
  fill(Which::force_derivatives, values, coordinates(), f_v);
}
void RecordedSystem::sparse_inertia_stiffness(const State& x, SparseMatrix& K) const {
  K.resize(coordinates(), coordinates());
  fill(Which::stiffness, evaluate(Which::stiffness, x.t, x.q.data(), x.v.data(), x.a.data(), x.lambda.data()), 0, K);
}

Energy RecordedSystem::energy(double t, const Vector& q, const Vector& v) const {
  const double* const values = evaluate(Which::energy, t, q.data(), v.data(), nullptr, nullptr);
  const double unit = formulas().energy_unit().now();
  return {unit * values[0], unit * values[1], unit * values[2]};
}
double RecordedSystem::input_power(const State& x) const {
  if (!has_input_power()) return 0.0;
  return formulas().energy_unit().now() *
         evaluate(Which::power, x.t, x.q.data(), x.v.data(), x.a.data(), x.lambda.data())[0];
}
bool RecordedSystem::has_input_power() const {
  return entry(Which::power).outputs > 0;
}
const EnergyAccounts* RecordedSystem::energy_accounts() const {
  std::call_once(accounts_once_, [&] { accounts_ = std::make_unique<RecordedAccounts>(formulas(), *this); });
  return accounts_.get();
}
void RecordedSystem::evaluate_outputs(const State& x, Vector& values) const {
  values = Vector::Map(evaluate(Which::outputs, x.t, x.q.data(), x.v.data(), x.a.data(), x.lambda.data()), outputs());
}
bool RecordedSystem::outputs_need_forces() const {
  if (outputs() == 0) return false;
  const std::vector<Instruction>& all = entry(Which::outputs).kernel->program().instructions();
  return std::any_of(all.begin(), all.end(),
                     [](const Instruction& i) { return i.op == Op::input && i.a == KernelRecording::block_of_forces; });
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
