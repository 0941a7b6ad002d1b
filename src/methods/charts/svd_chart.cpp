#include "methods/charts/svd_chart.h"

#include <cmath>

namespace raak {
namespace {

// sin^2 of the angle between any direction of the basis and the subspace.
constexpr double largest_direction_outside = 0.5;
constexpr int many_iterations = 5;
constexpr int most_iterations = 12;
constexpr double small_correction = 1e-9;  // of 1 + |q|: the next one is its square, below rounding
// The velocities of a correction leave the product of the changes of q and v.
constexpr double rounding_of_product = 4.0 * std::numeric_limits<double>::epsilon();

// Determinants of the kernel's pivots, relative to those at their choice.
constexpr double least_pivot = 0.02;     // below it dense factors are used
constexpr double serving_pivot = 0.1;    // below it pivots are chosen again at the end of the step
constexpr double good_share = 0.5;       // of the largest determinant
constexpr double weakest_choice = 1e-6;  // relative to the lengths of the rows: no choice serves

// Whether pivots may be chosen at all.
bool serves_kernels(const ConstrainedSystem& system) {
  return system.equation_kernels() != nullptr && system.velocity_rows() == 0 && system.rows() > 0 &&
         system.rows() <= system.coordinates();
}

}  // namespace

SvdChart::Basis::Basis(Eigen::Index m, Eigen::Index n)
    : rows(m),
      svd(std::max<Eigen::Index>(m, 1), n),
      turning(n - m, n),
      phi_q(m, n),
      VI(n - m, n),
      before(n - m, n),
      system(Matrix::Identity(n, n)),
      lu(n),
      rhs(n),
      x(n) {}

void SvdChart::Basis::renew(const Matrix& G, bool first) {
  if (rows == 0) {
    VI.setIdentity();
    return;
  }
  phi_q = G.topRows(rows);
  svd.compute(phi_q);
  before = VI;
  VI = svd.right_vectors().rightCols(VI.rows()).transpose();
  if (first) BasisTurn::orient(VI);
  else turning.turn(VI, before);
}

void SvdChart::Basis::factor(const Matrix& G) {
  system.topRows(rows) = G.topRows(rows);
  system.bottomRows(VI.rows()) = VI;
  lu.compute(system);
}

const Vector& SvdChart::Basis::correction(const Vector& residual) {
  rhs.setZero();
  rhs.head(rows) = -residual.head(rows);
  x = lu.solve(rhs);
  return x;
}

const Vector& SvdChart::Basis::lifted(const Vector& e) {
  rhs.head(rows).setZero();
  rhs.tail(VI.rows()).noalias() = VI * e;
  x = lu.solve(rhs);
  return x;
}

SvdChart::SvdChart(const ConstrainedSystem& system)
    : Chart(system),
      n_(system.coordinates()),
      holonomic_(system.velocity_rows() == 0),
      position_(system.position_rows(), n_),
      velocity_(system.rows(), n_),
      G_(system.rows(), n_),
      g_(system.position_rows()),
      c_(system.rows()),
      seen_(n_ - system.rows()),
      direction_(n_),
      chooser_(serves_kernels(system) ? system.rows() : 0, serves_kernels(system) ? system.coordinates() : 0,
               good_share),
      lifting_(Matrix::Zero(n_, position_.VI.rows())),
      pivot_weights_(system.coordinate_scales().cwiseAbs2().cwiseInverse()),
      change_(Vector::Zero(2 * n_)),
      determinants_(Vector::Zero(system.rows())),
      lifted_(n_) {
  plan_.blocks.reserve(static_cast<std::size_t>(system.rows()));  // a step takes nothing from the heap
  plan_.independent.reserve(static_cast<std::size_t>(n_));
  independent_.VI = position_.VI;
  independent_.z = independent_.z1 = independent_.z2 = Vector::Zero(position_.VI.rows());
}

void SvdChart::begin(const State& state, Statistics& statistics) {
  leave_from(state);
  const bool first = independent_.partitions == 0;
  if (first) independent_.through = independent_.VI;  // of its size
  partition(state, statistics, {state.t, 0.0, first ? PartitionReason::start : PartitionReason::restart});
}

void SvdChart::partition(const State& state, Statistics& statistics, const PartitionRecord& why) {
  const bool first = independent_.partitions == 0;
  system_.jacobian(state.t, state.q, G_);
  ++statistics.jacobians;
  position_.renew(G_, first);
  if (!holonomic_) velocity_.renew(G_, first);
  position_.factor(G_);
  if (!holonomic_) velocity_.factor(G_);
  lifts_by_kernel_ = false;
  if (correction_ == nullptr || nearest_pivot_ < serving_pivot) choose_pivots();
  struggled_ = false;
  ++independent_.partitions;
  ++independent_.by_reason[static_cast<std::size_t>(why.reason)];
  if (request_.chosen) request_.chosen(why);
  independent_.VI = position_.VI;
  publish(state);
}

void SvdChart::publish(const State& state) {
  independent_.z.noalias() = position_.VI * state.q;
  independent_.z1.noalias() = position_.VI * state.v;
  independent_.z2.noalias() = position_.VI * state.a;
}

void SvdChart::choose_pivots() {
  correction_ = nullptr;
  nearest_pivot_ = 1.0;
  if (!serves_kernels(system_) || !chooser_.choose(G_, pivot_weights_) || chooser_.weakest() < weakest_choice) return;
  plan_ = chooser_.plan();
  correction_ = system_.equation_kernels()->basis_correction(plan_);
}

bool SvdChart::correct_by_kernel(double t, const Vector& q, const Vector& v, Statistics& statistics) {
  if (correction_ == nullptr) return false;
  correction_->evaluate(t, q.data(), v.data(), position_.VI.data(),
                        {change_.data(), lifting_.data(), determinants_.data()});
  ++statistics.jacobians;
  ++statistics.factorizations;
  double nearest = 1.0;
  for (std::size_t p = 0; p < plan_.blocks.size(); ++p) {
    const double pivot = determinants_[static_cast<Eigen::Index>(p)] / plan_.blocks[p].reference;
    if (!(pivot >= nearest)) nearest = pivot;
  }
  nearest_pivot_ = std::min(nearest_pivot_, nearest);
  lifts_by_kernel_ = nearest > least_pivot;
  return lifts_by_kernel_;
}

void SvdChart::correct_position(double t, const Vector& q, Statistics& statistics) {
  system_.constraint(t, q, g_);
  system_.jacobian(t, q, G_);
  ++statistics.jacobians;
  position_.factor(G_);
  ++statistics.factorizations;
  lifts_by_kernel_ = false;
  dq() = position_.correction(g_);
}

void SvdChart::correct_velocity(double t, const Vector& q, const Vector& v, Statistics& statistics) {
  system_.jacobian(t, q, G_);
  ++statistics.jacobians;
  velocity_basis().factor(G_);
  ++statistics.factorizations;
  lifts_by_kernel_ = false;
  system_.velocity_constraint(t, q, v, c_);
  dv() = velocity_basis().correction(c_);
}

bool SvdChart::restore_stage(double t, Vector& q, Vector& v, Statistics& statistics) {
  ask(q, v);
  bool has_velocities = system_.rows() == 0;
  if (system_.position_rows() > 0) {
    double previous = std::numeric_limits<double>::infinity();
    const auto size_of = [&](const auto& x) {
      return x.cwiseQuotient(system_.coordinate_scales()).cwiseAbs().maxCoeff();
    };
    const double scale = 1.0 + size_of(q);
    for (int iteration = 0;; ++iteration) {
      const bool both = correct_by_kernel(t, q, v, statistics);
      if (!both) correct_position(t, q, statistics);
      const double size = size_of(dq()) / scale;
      if (!std::isfinite(size) || size > 2.0 * previous || iteration > most_iterations) return false;
      q += dq();
      if (both) v += dv();
      if (iteration >= many_iterations) struggled_ = true;
      if (size < small_correction) {
        has_velocities = both && size * size_of(dv()) <= rounding_of_product * (1.0 + size_of(v));
        break;
      }
      previous = size;
    }
  }
  if (!has_velocities) {
    if (!correct_by_kernel(t, q, v, statistics)) correct_velocity(t, q, v, statistics);
    v += dv();
  }
  return q.allFinite() && v.allFinite() && (system_.rows() == 0 || stays_on_branch(q, v));
}

// Whether the step has come near to where the constraints lead. What a driver moves takes no part in its error, and
// where that is lost the way back from states between the ends is lost too.
bool SvdChart::restore_end(double t, Vector& q, Vector& v, Statistics& statistics) {
  constexpr double farthest = 0.05;  // of its scale + |q|
  if (!restore_stage(t, q, v, statistics)) return false;
  const Vector& scales = system_.coordinate_scales();
  return ((q - asked_q_).array().abs() <= farthest * (scales + q.cwiseAbs()).array()).all();
}

// The error of a step is that of z: between its ends the rest may be far off, as bodies that are driven are.
void SvdChart::restore_between(double t, Vector& q, Vector& v) {
  const bool struggled = struggled_;
  between_q_ = q;
  between_v_ = v;
  kept_q_ = asked_q_;
  kept_v_ = asked_v_;
  Statistics not_counted;
  if (!restore_stage(t, q, v, not_counted)) {
    q = between_q_;
    v = between_v_;
  }
  struggled_ = struggled;
  asked_q_ = kept_q_;
  asked_v_ = kept_v_;
}

// The part of an error that z sees, carried back to the coordinates: [Phi_q; V_I] e = [0; V_I e].
void SvdChart::restrict_error(Vector& e_q, Vector& e_v) {
  if (velocity_basis().VI.rows() == 0) return;  // all is driven: errors are those of the output between steps
  e_q = lifted(position_, e_q);
  e_v = lifted(velocity_basis(), e_v);
}

const Vector& SvdChart::lifted(Basis& basis, const Vector& e) {
  if (!lifts_by_kernel_) return basis.lifted(e);
  lifted_.setZero();
  for (Eigen::Index k = 0; k < basis.VI.rows(); ++k) {
    double seen = 0.0;
    for (Eigen::Index j = 0; j < n_; ++j) seen += basis.VI(k, j) * e[j];
    for (Eigen::Index j = 0; j < n_; ++j) lifted_[j] += lifting_(j, k) * seen;
  }
  return lifted_;
}

// Equation 2.34: the share of the velocity that the subspace does not see. Drivers move the mechanism across the
// tangent (Phi_q v = -Phi_t); that part belongs to no basis, and `lifted` leaves it out.
double SvdChart::velocity_outside(const Vector& v) {
  Basis& basis = velocity_basis();
  const double total = lifted(basis, v).squaredNorm();
  seen_.noalias() = basis.VI * v;
  return total > 0.0 ? 1.0 - seen_.squaredNorm() / total : 0.0;
}

// The same for the worst direction of the basis: a velocity near zero says nothing of how far the tangent has turned.
double SvdChart::direction_outside() {
  double worst = 0.0;
  Basis& basis = velocity_basis();
  for (Eigen::Index k = 0; k < basis.VI.rows(); ++k) {
    direction_ = basis.VI.row(k).transpose();
    worst = std::max(worst, 1.0 - 1.0 / lifted(basis, direction_).squaredNorm());
  }
  return worst;
}

// Nothing where the basis may stay.
std::optional<PartitionRecord> SvdChart::reason_to_partition(const State& state) {
  const double outside = velocity_outside(state.v);
  if (outside > request_.threshold) return PartitionRecord{state.t, outside, PartitionReason::outside};
  if (struggled_) return PartitionRecord{state.t, outside, PartitionReason::newton};
  if (direction_outside() > std::max(largest_direction_outside, request_.threshold))
    return PartitionRecord{state.t, outside, PartitionReason::direction};
  return std::nullopt;
}

void SvdChart::after_step(const State& state, Statistics& statistics) {
  leave_from(state);
  independent_.through = independent_.VI;
  const auto why = system_.rows() > 0 ? reason_to_partition(state) : std::nullopt;
  if (why) return partition(state, statistics, *why);
  if (correction_ != nullptr && nearest_pivot_ < serving_pivot) {
    system_.jacobian(state.t, state.q, G_);
    ++statistics.jacobians;
    choose_pivots();
  }
  publish(state);
}

}  // namespace raak
