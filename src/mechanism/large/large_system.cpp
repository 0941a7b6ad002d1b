#include "mechanism/large/large_system.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/error.h"
#include "base/linear/index.h"
#include "mechanism/bodies/catalogue.h"
#include "mechanism/formulas/turn_measures.h"
#include "mechanism/start/joint_ends.h"

namespace raak {
namespace {

constexpr int most_dense_coordinates = 600;

const Pack* packs(const double* numbers) {
  return reinterpret_cast<const Pack*>(numbers);
}
Pack* packs(double* numbers) {
  return reinterpret_cast<Pack*>(numbers);
}

}  // namespace

LargeSystem::LargeSystem(std::shared_ptr<const MaximalFormulas> formulas,
                         std::shared_ptr<const LargeEvaluation> evaluation)
    : ConstrainedSystem(formulas->instance().coordinates(), formulas->position_rows(), formulas->velocity_rows(),
                        describe(*formulas)),
      formulas_(std::move(formulas)),
      evaluation_(std::move(evaluation)),
      gauge_(make_turn_gauge(formulas_->instance())),
      multipliers_(formulas_),
      accounts_(evaluation_, description().constraints),
      switches_(evaluation_->switches()) {
  set_reported(reported_names(*formulas_));
}

bool LargeSystem::has_dense_matrices() const {
  return coordinates() <= most_dense_coordinates;
}

std::vector<JointGraph::Joint> LargeSystem::joints() const {
  return joints_of(formulas_->instance());
}
std::vector<JointGraph::Driver> LargeSystem::drivers() const {
  return drivers_of(formulas_->instance());
}

const MechanismSystem& LargeSystem::recorded() const {
  std::call_once(recorded_once_, [this] { recorded_ = std::make_unique<MechanismSystem>(formulas_); });
  return *recorded_;
}

const MechanismSystem& LargeSystem::dense() const {
  if (!has_dense_matrices())
    throw Error(ErrorKind::request, fmt::format("this needs matrices of {0} x {0} numbers; a mechanism of more than "
                                                "{1} coordinates has them in sparse form only (SparseEquations)",
                                                coordinates(), most_dense_coordinates));
  return recorded();
}

void LargeSystem::evaluate_switches(double t, const Vector& q, const Vector& v, Vector& values) const {
  evaluation_->evaluate_switches(t, q.data(), v.data(), values.data());
}

double LargeSystem::accelerate(double t, const double* q, const double* v, double* a, double* lambda) const {
  return evaluation_->accelerate(&t, q, v, a, lambda);
}
double LargeSystem::accelerate_step_by_step(double t, const double* q, const double* v, double* a,
                                            double* lambda) const {
  return evaluation_->accelerate_step_by_step(&t, q, v, a, lambda);
}
void LargeSystem::accelerate_lanes(const double* t, const double* q, const double* v, double* a, double* lambda,
                                   double* smallest_pivot) const {
  evaluation_->accelerate(packs(t), packs(q), packs(v), packs(a), packs(lambda)).store(smallest_pivot);
}
double LargeSystem::correct_position(double t, double* q) const {
  return position_rows() == 0 ? 0.0 : evaluation_->correct_positions(t, q);
}
double LargeSystem::correct_velocity(double t, const double* q, double* v) const {
  return rows() == 0 ? 0.0 : evaluation_->correct_velocities(t, q, v);
}
double LargeSystem::correct_state(double t, double* q, double* v) const {
  return rows() == 0 ? 0.0 : evaluation_->correct_both(t, q, v);
}

void LargeSystem::mass(double t, const Vector& q, Matrix& M) const {
  dense().mass(t, q, M);
}
void LargeSystem::force(double t, const Vector& q, const Vector& v, Vector& f) const {
  recorded().force(t, q, v, f);
}
void LargeSystem::jacobian(double t, const Vector& q, Matrix& G) const {
  dense().jacobian(t, q, G);
}
void LargeSystem::acceleration_bias(double t, const Vector& q, const Vector& v, Vector& bias) const {
  recorded().acceleration_bias(t, q, v, bias);
}
void LargeSystem::force_derivatives(double t, const Vector& q, const Vector& v, Matrix& f_q, Matrix& f_v) const {
  dense().force_derivatives(t, q, v, f_q, f_v);
}
void LargeSystem::inertia_stiffness(const State& state, Matrix& K) const {
  dense().inertia_stiffness(state, K);
}

void LargeSystem::sparse_mass(double t, const Vector& q, SparseMatrix& M) const {
  recorded().sparse_mass(t, q, M);
}
void LargeSystem::sparse_jacobian(double t, const Vector& q, SparseMatrix& G) const {
  recorded().sparse_jacobian(t, q, G);
}
void LargeSystem::sparse_force_derivatives(double t, const Vector& q, const Vector& v, SparseMatrix& f_q,
                                           SparseMatrix& f_v) const {
  recorded().sparse_force_derivatives(t, q, v, f_q, f_v);
}
void LargeSystem::sparse_inertia_stiffness(const State& state, SparseMatrix& K) const {
  recorded().sparse_inertia_stiffness(state, K);
}

void LargeSystem::mass_diagonal(double /*t*/, const Vector& q, Vector& diagonal) const {
  diagonal.resize(coordinates());
  for (const Body& body : formulas_->instance().bodies())
    if (!body.ground) body.kind->mass_diagonal(body, q.data() + body.first, diagonal.data() + body.first);
}

void LargeSystem::constraint(double t, const Vector& q, Vector& g) const {
  g.resize(position_rows());
  evaluation_->residual(false, t, q.data(), nullptr, g.data());
}
void LargeSystem::velocity_constraint(double t, const Vector& q, const Vector& v, Vector& c_all) const {
  c_all.resize(rows());
  evaluation_->residual(true, t, q.data(), v.data(), c_all.data());
}

Energy LargeSystem::energy(double t, const Vector& q, const Vector& v) const {
  Energy sum{0.0, accounts_.potential(t, q), 0.0};
  for (const Body& body : formulas_->instance().bodies())
    if (!body.ground && !body.counter)
      sum.kinetic += 0.5 * body.kind->twice_kinetic_energy(body, q.data() + body.first, v.data() + body.first);
  return sum;
}

double LargeSystem::input_power(const State& state) const {
  thread_local Vector rates;
  accounts_.work_rates(state, rates);
  return rates.sum();
}

// Over the bodies and multipliers that the outputs speak of.
void LargeSystem::record_outputs() const {
  const PreparationTimer timer;
  Tape tape;
  const Tape::Recording recording(tape);
  const auto inputs = [&](int count) {
    Reals made;
    for (int i = 0; i < count; ++i) made.push_back(tape.new_input(1));
    return made;
  };
  const auto meet = [&](int body) -> BodyVariables {
    output_bodies_.push_back(body);
    const int size = formulas_->instance().bodies()[z(body)].size;
    Reals q = inputs(size);
    return {body, std::move(q), inputs(size)};
  };
  std::map<std::size_t, Real> known;
  const auto multiplier = [&](std::size_t row) {
    const auto [entry, is_new] = known.try_emplace(row);
    if (is_new) {
      entry->second = tape.new_input(2);
      output_rows_.push_back(static_cast<int>(row));
    }
    return entry->second;
  };
  Reals values;
  formulas_->outputs(Scene(formulas_->instance(), tape.new_input(0), meet), multiplier, values);
  for (const Real& value : values) tape.add_output(0, value);
  outputs_ = std::make_unique<Kernel>(tape);
}

void LargeSystem::evaluate_outputs(const State& state, Vector& values) const {
  values.resize(outputs());
  if (outputs() == 0) return;
  std::call_once(outputs_once_, [this] { record_outputs(); });
  thread_local std::vector<double> bodies;
  thread_local std::vector<double> multipliers;
  bodies.clear();
  multipliers.clear();
  for (const int b : output_bodies_) {
    const Body& body = formulas_->instance().bodies()[z(b)];
    for (const Vector* part : {&state.q, &state.v})
      bodies.insert(bodies.end(), part->data() + body.first, part->data() + body.first + body.size);
  }
  for (const int row : output_rows_) multipliers.push_back(state.lambda[row]);
  const double* const in[4] = {&state.t, bodies.data(), multipliers.data(), nullptr};
  double* const out[3] = {values.data(), nullptr, nullptr};
  outputs_->run_one(in, out);
  indeterminate_.withhold(state, values);
}

bool LargeSystem::outputs_need_forces() const {
  if (outputs() == 0) return false;
  std::call_once(outputs_once_, [this] { record_outputs(); });
  return !output_rows_.empty();
}

void LargeSystem::mark_indeterminate(const std::vector<std::size_t>& rows, IndeterminateOutputs outputs) {
  multipliers_.mark_indeterminate(rows);
  indeterminate_ = std::move(outputs);
}

// Origins of the bodies' frames; with r = R com: c - r, c' - omega x r, c'' - alpha x r - omega x (omega x r).
void LargeSystem::report(const State& state, State& shown) const {
  const Instance& instance = formulas_->instance();
  const ReportedNames& names = reported();
  State result;
  result.t = state.t;
  result.q.resize(static_cast<Eigen::Index>(names.positions.size()));
  result.v.resize(static_cast<Eigen::Index>(names.velocities.size()));
  result.a.resize(result.v.size());
  Eigen::Index at = 0;
  Eigen::Index rate_at = 0;
  const int d = instance.dimensions();
  for (const Body& body : instance.bodies()) {
    if (body.ground || body.counter) continue;
    const double* const q = state.q.data() + body.first;
    const double* const v = state.v.data() + body.first;
    const double* const a = state.a.data() + body.first;
    const Vec3d omega = body.kind->angular_velocity(q, v);
    const Vec3d alpha = body.kind->angular_velocity(q, a);
    const Vec3d r = body.kind->rotation(q) * now(body.com);
    const Vec3d speed = cross(omega, r);
    const Vec3d change = cross(alpha, r) + cross(omega, speed);
    for (int i = 0; i < d; ++i) {
      result.q[at++] = q[i] - r[i];
      result.v[rate_at] = v[i] - speed[i];
      result.a[rate_at++] = a[i] - change[i];
    }
    for (int i = d; i < body.size; ++i) result.q[at++] = q[i];
    for (int i = 3 - body.kind->turning; i < 3; ++i) {
      result.v[rate_at] = omega[i];
      result.a[rate_at++] = alpha[i];
    }
  }
  multipliers_.show(state.t, state.q, state.lambda, result.lambda);
  shown = std::move(result);
}

}  // namespace raak
