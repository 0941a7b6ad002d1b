#include "api/mechanism/forced_system.h"

#include <raak/errors.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/linear/factors.h"
#include "kinematics/start/consistent_start.h"

namespace raak_v0::detail {
namespace {

using Index = Eigen::Index;

core::Description described_without_forces(const core::ConstrainedSystem& mechanism, Index own) {
  core::Description description = mechanism.description();
  description.outputs.resize(static_cast<std::size_t>(own));
  if (!description.output_units.empty()) description.output_units.resize(static_cast<std::size_t>(own));
  return description;
}

// The third root of the rounding error: of central differences of first order.
double step_of(double x) {
  const double h = 6e-6 * std::max(1.0, std::abs(x));
  return (x + h) - x;  // what is really added
}

}  // namespace

// Those of the mechanism, and the work of each force.
class ForcedSystem::Accounts final : public core::EnergyAccounts {
 public:
  Accounts(const core::EnergyAccounts& inner, const ForcedSystem& system) : inner_(inner), system_(system) {
    potentials_ = inner.potentials();
    works_ = inner.works();
    for (const PlacedForce& force : system.forces_) works_.push_back({core::EnergyAccount::Kind::input, force.name});
  }
  void potential_energies(double t, const Vector& q, Vector& energies) const override {
    inner_.potential_energies(t, q, energies);
  }
  void work_rates(const core::State& state, Vector& rates) const override {
    const auto own = static_cast<Index>(inner_.works().size());
    Vector of_mechanism(own);
    if (own > 0) inner_.work_rates(state, of_mechanism);
    rates.resize(static_cast<Index>(works_.size()));
    rates << of_mechanism, system_.powers(state.t, state.q, state.v);
  }

 private:
  const core::EnergyAccounts& inner_;
  const ForcedSystem& system_;
};

ForcedSystem::ForcedSystem(std::shared_ptr<const core::ConstrainedSystem> mechanism, std::vector<PlacedForce> forces)
    : ConstrainedSystem(mechanism->coordinates(), mechanism->position_rows(), mechanism->velocity_rows(),
                        described_without_forces(*mechanism, forces.front().first)),
      inner_(std::move(mechanism)),
      forces_(std::move(forces)),
      first_(forces_.front().first) {
  set_reported(inner_->reported());
  set_row_units(inner_->row_units());
  for (const PlacedForce& force : forces_) {
    count_ += force.arguments + force.components;
    components_ += force.components;
  }
  const core::EnergyAccounts* const accounts = inner_->energy_accounts();
  if (accounts != nullptr && !accounts->work_in_closed_form()) accounts_ = std::make_unique<Accounts>(*accounts, *this);
}
ForcedSystem::~ForcedSystem() = default;

core::Vector ForcedSystem::outputs_of_forces(double t, const Vector& q, const Vector& v) const {
  const core::State state{t, q, v, Vector::Zero(coordinates()), Vector::Zero(rows())};
  Vector values(inner_->outputs());
  inner_->evaluate_outputs(state, values);
  return values.tail(count_);
}

core::Vector ForcedSystem::components(double t, const Vector& outputs) const {
  Vector all(components_);
  Index at = 0;
  for (const PlacedForce& force : forces_) {
    force.value(t, outputs.data() + (force.first - first_), all.data() + at);
    at += force.components;
  }
  return all;
}

core::Matrix ForcedSystem::directions(double t, const Vector& q) const {
  // Velocities are linear in v: differences have no error but rounding.
  Matrix B(components_, coordinates());
  Vector v = Vector::Zero(coordinates());
  const Vector at_rest = outputs_of_forces(t, q, v);
  for (Index i = 0; i < coordinates(); ++i) {
    v[i] = 1.0;
    const Vector moving = outputs_of_forces(t, q, v);
    v[i] = 0.0;
    Index row = 0;
    for (const PlacedForce& force : forces_) {
      const Index from = force.first - first_ + force.arguments;
      B.col(i).segment(row, force.components) =
          moving.segment(from, force.components) - at_rest.segment(from, force.components);
      row += force.components;
    }
  }
  return B;
}

void ForcedSystem::force(double t, const Vector& q, const Vector& v, Vector& f) const {
  inner_->force(t, q, v, f);
  f += directions(t, q).transpose() * components(t, outputs_of_forces(t, q, v));
}

void ForcedSystem::add_forces(double t, const Vector& q, const Vector& v, double* a, double* lambda,
                              Index stride) const {
  const Index n = coordinates(), m = rows();
  Matrix M(n, n), G(m, n), both = Matrix::Zero(n + m, n + m);
  mass(t, q, M);
  both.topLeftCorner(n, n) = M;
  if (m > 0) {
    jacobian(t, q, G);
    both.topRightCorner(n, m) = G.transpose();
    both.bottomLeftCorner(m, n) = G;
  }
  Vector right = Vector::Zero(n + m);
  right.head(n) = directions(t, q).transpose() * components(t, outputs_of_forces(t, q, v));
  const Vector change = core::solve_square(both, right);
  for (Index i = 0; i < n; ++i) a[stride * i] += change[i];
  for (Index i = 0; lambda != nullptr && i < m; ++i) lambda[stride * i] += change[n + i];
}

double ForcedSystem::accelerate(double t, const double* q, const double* v, double* a, double* lambda) const {
  const Index n = coordinates();
  const double pivot = inner_->accelerate(t, q, v, a, lambda);
  add_forces(t, Eigen::Map<const Vector>(q, n), Eigen::Map<const Vector>(v, n), a, lambda, 1);
  return pivot;
}

void ForcedSystem::accelerate_lanes(const double* t, const double* q, const double* v, double* a, double* lambda,
                                    double* smallest_pivot) const {
  constexpr auto lanes = static_cast<Index>(core::lanes);
  const Index n = coordinates();
  inner_->accelerate_lanes(t, q, v, a, lambda, smallest_pivot);
  Vector x(n), w(n);
  for (Index k = 0; k < lanes; ++k) {
    for (Index i = 0; i < n; ++i) {
      x[i] = q[lanes * i + k];
      w[i] = v[lanes * i + k];
    }
    add_forces(t[k], x, w, a + k, lambda != nullptr ? lambda + k : nullptr, lanes);
  }
}

void ForcedSystem::force_derivatives(double t, const Vector& q, const Vector& v, Matrix& f_q, Matrix& f_v) const {
  inner_->force_derivatives(t, q, v, f_q, f_v);
  const Index n = coordinates();
  const Vector at = outputs_of_forces(t, q, v), F = components(t, at);
  const Matrix B = directions(t, q);
  // dF/dw, of which the functions are asked as seldom as can be: once more for each direction of each argument.
  Matrix F_w = Matrix::Zero(components_, count_);
  Index row = 0;
  for (const PlacedForce& force : forces_) {
    Vector w = at.segment(force.first - first_, force.arguments), ahead(force.components), behind(force.components);
    for (Index i = 0; i < force.arguments; ++i) {
      const double known = w[i], h = step_of(known);
      w[i] = known + h;
      force.value(t, w.data(), ahead.data());
      w[i] = known - h;
      force.value(t, w.data(), behind.data());
      w[i] = known;
      F_w.col(force.first - first_ + i).segment(row, force.components) = (ahead - behind) / (2.0 * h);
    }
    row += force.components;
  }
  Vector x = q, y = v;
  for (Index i = 0; i < n; ++i) {
    const double h = step_of(q[i]), g = step_of(v[i]);
    x[i] = q[i] + h;
    const Vector ahead = outputs_of_forces(t, x, v), turned = directions(t, x).transpose() * F;
    x[i] = q[i] - h;
    f_q.col(i) += (turned - directions(t, x).transpose() * F) / (2.0 * h) +
                  B.transpose() * (F_w * ((ahead - outputs_of_forces(t, x, v)) / (2.0 * h)));
    x[i] = q[i];
    y[i] = v[i] + g;
    const Vector faster = outputs_of_forces(t, q, y);
    y[i] = v[i] - g;
    f_v.col(i) += B.transpose() * (F_w * ((faster - outputs_of_forces(t, q, y)) / (2.0 * g)));
    y[i] = v[i];
  }
}

core::Vector ForcedSystem::powers(double t, const Vector& q, const Vector& v) const {
  const Vector outputs = outputs_of_forces(t, q, v), F = components(t, outputs);
  Vector all(static_cast<Index>(forces_.size()));
  Index row = 0, k = 0;
  for (const PlacedForce& force : forces_) {
    all[k++] =
        F.segment(row, force.components).dot(outputs.segment(force.first - first_ + force.arguments, force.components));
    row += force.components;
  }
  return all;
}

double ForcedSystem::input_power(const core::State& state) const {
  return inner_->input_power(state) + powers(state.t, state.q, state.v).sum();
}

void ForcedSystem::evaluate_outputs(const core::State& state, Vector& values) const {
  Vector all(inner_->outputs());
  inner_->evaluate_outputs(state, all);
  values = all.head(first_);
}

std::vector<core::JointGraph::Joint> ForcedSystem::joints() const {
  const auto* const graph = dynamic_cast<const core::JointGraph*>(inner_.get());
  return graph != nullptr ? graph->joints() : std::vector<Joint>();
}
std::vector<core::JointGraph::Driver> ForcedSystem::drivers() const {
  const auto* const graph = dynamic_cast<const core::JointGraph*>(inner_.get());
  return graph != nullptr ? graph->drivers() : std::vector<Driver>();
}
const core::TimeFormulas* ForcedSystem::time_formulas() const {
  const auto* const depending = dynamic_cast<const core::DependsOnTime*>(inner_.get());
  return depending != nullptr ? depending->time_formulas() : nullptr;
}

void ForcedSystem::require_causes(const core::State& start) const {
  // Beside the start too, where a reaction happens to have no component.
  for (const double beside : {0.0, 0.01}) {
    core::State here = start;
    for (Index i = 0; i < here.q.size(); ++i) here.q[i] += beside / static_cast<double>(i + 1);
    core::State there = here;
    there.a.setConstant(1.0);
    there.lambda.setConstant(1.0);
    Vector values(inner_->outputs());
    inner_->evaluate_outputs(there, values);
    const Vector with = values.tail(count_), without = outputs_of_forces(here.t, here.q, here.v);
    for (const PlacedForce& force : forces_)
      for (Index i = 0; i < force.arguments; ++i) {
        const Index k = force.first - first_ + i;
        if (with[k] == without[k] || std::isnan(with[k])) continue;
        throw ModelError("force \"" + force.name + "\": argument " + std::to_string(i + 1) +
                             " depends on accelerations or reactions, which the force changes; let it be a function of "
                             "positions and rates",
                         "", 0, 0);
      }
  }
}

namespace {

// Accelerations and multipliers under the forces.
class ForcedAssembly final : public core::Assembly {
 public:
  ForcedAssembly(std::shared_ptr<const core::Assembly> inner, std::shared_ptr<const ForcedSystem> system)
      : inner_(std::move(inner)), system_(std::move(system)) {}
  core::State start(const core::StartRequest& request) const override {
    return core::completed_start(*system_, inner_->start(request));
  }
  core::State at_rest(const core::StartRequest& request) const override { return inner_->at_rest(request); }

 private:
  std::shared_ptr<const core::Assembly> inner_;
  std::shared_ptr<const ForcedSystem> system_;
};

}  // namespace

core::Model forced(core::Model model, const std::vector<PlacedForce>& forces) {
  if (!model.system->has_dense_matrices())
    throw RequestError("forces that are functions are for mechanisms of some dozens of bodies; this one has " +
                       std::to_string(model.system->coordinates()) + " coordinates");
  const auto system = std::make_shared<const ForcedSystem>(model.system, forces);
  if (model.assembly) {
    system->require_causes(model.assembly->start(model.start));
    model.assembly = std::make_shared<const ForcedAssembly>(model.assembly, system);
  }
  model.system = system;
  model.live = nullptr;
  return model;
}

}  // namespace raak_v0::detail
