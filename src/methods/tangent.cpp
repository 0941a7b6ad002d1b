#include "methods/tangent.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.h"
#include "methods/gauss.h"
#include "methods/sweep_monitor.h"

namespace raak {
namespace {

// That of gauss with the sweeps carried further: a sweep costs less here, and nothing after it evens errors out.
constexpr DecayMapping mapping{{1.3, 0.55, 0.36}, {4.0, 2.6, 0.30}, 0.1};
constexpr int most_sweeps = 16;
constexpr int most_sweeps_of_fixed_steps = 100;
constexpr double change_of_fixed_steps = 1e-14;
constexpr double target_contraction = 0.25;  // beyond it shorter steps are cheaper than more sweeps
constexpr double least_factor = 0.85;        // below it the step is repeated

constexpr double good_share = 0.5;         // of the largest determinant
constexpr double least_pivot = 0.02;       // relative to the reference: below it a step is not acceptable
constexpr double serving_pivot = 0.5;      // below it other coordinates are chosen at the end of the step
constexpr double dependent_rows = 1e-9;    // determinants over the lengths of their rows at which a start is refused
constexpr double singular_pose = 0.02;     // the same relative to the best choice so far: no other choice helps
constexpr double largest_distance = 0.05;  // of the scale of the velocities, as DecayControl::is_near has it
constexpr int steps_between_restorations = 8;

}  // namespace

template <int s>
Tangent<s>::Tangent(const ConstrainedSystem& system, const Tolerances& tolerances)
    : system_(system),
      n_(system.coordinates()),
      m_(system.position_rows()),
      control_(system, tolerances, mapping),
      stages_(system, collocation_rule(Collocation::Kind::gauss, s)),
      chooser_(m_, n_, good_share),
      G_(Matrix::Zero(m_, n_)),
      M_(Matrix::Zero(n_, n_)),
      mass_diagonal_(Vector::Ones(n_)),
      largest_row_(Vector::Zero(m_)),
      lane_q_(lanes * n_),
      lane_v_(lanes * n_),
      lane_a_(lanes * n_),
      lane_dependent_(lanes * m_ * (2 + std::max(0, n_ - m_))),
      lane_determinants_(lanes * m_),
      series_(s * n_),
      next_series_(s * n_),
      fine_series_(2 * s * n_),
      from_q_(Vector::Zero(n_)),
      from_v_(from_q_),
      end_q_(from_q_),
      end_v_(from_q_) {
  now_ = next_ = before_ = shown_ = State::of_size(n_, m_);
}

template <int s>
double Tangent<s>::begin(const State& start, double until) {
  now_ = before_ = shown_ = start;
  shown_known_ = true;
  control_.begin(start);
  for (int d = 0; d < n_; ++d) {
    series_[s * d] = start.a[d];
    for (int k = 1; k < s; ++k) series_[s * d + k] = 0.0;
  }
  have_series_ = false;
  just_rejected_ = false;
  since_restored_ = 0;
  partition_ = nullptr;
  best_strength_ = 0.0;
  largest_row_.setZero();
  choose(start);
  return control_.first_step(start, until, s);
}

// Keeps the old coordinates where there is no better choice: then steps are refused as the pose comes near. A row that
// vanishes as a whole counts by its largest length so far.
template <int s>
void Tangent<s>::choose(const State& at) {
  system_.mass(at.t, at.q, M_);
  mass_diagonal_ = M_.diagonal();
  if (m_ > 0) system_.jacobian(at.t, at.q, G_);
  ++statistics_.jacobians;
  if (m_ > n_ || !chooser_.choose(G_, mass_diagonal_)) return;
  double strength = chooser_.weakest();
  for (int i = 0; i < m_; ++i) {
    const double length = G_.row(i).norm();
    largest_row_[i] = std::max(largest_row_[i], length);
    strength = std::min(strength, chooser_.weakest() * length / largest_row_[i]);
  }
  if (strength < std::max(dependent_rows, singular_pose * best_strength_)) return;
  best_strength_ = std::max(best_strength_, strength);
  partition_ = system_.partition(chooser_.plan());
  if (partition_ == nullptr) {
    dense_ = std::make_unique<DensePartition>(system_, chooser_.plan());
    partition_ = dense_.get();
  }
  stages_.use(*partition_, chooser_.plan());
  ++partitions_;
}

// Newton steps of the dependent part until the last but one no longer counts; then the velocities belong to it too.
template <int s>
void Tangent<s>::restore(double t, Vector& q, Vector& v) const {
  constexpr double small = 1e-8;  // of 1 + |q|: the next Newton step is below rounding
  constexpr int most = 10;
  if (m_ == 0) return;
  const Pack time(t);
  for (int d = 0; d < n_; ++d) {
    Pack(q[d]).store(lane_q_.data() + lanes * d);
    Pack(v[d]).store(lane_v_.data() + lanes * d);
  }
  double size = 1.0;
  for (int iteration = 0; iteration < most; ++iteration) {
    const double before = size;
    partition_->evaluate(reinterpret_cast<const double*>(&time), lane_q_.data(), lane_v_.data(),
                         {lane_a_.data(), lane_dependent_.data(), lane_determinants_.data()});
    size = 0.0;
    for (int k = 0; k < m_; ++k) {
      const int d = partition_->dependent()[static_cast<std::size_t>(k)];
      const double moved = lane_dependent_[lanes * k];
      size = std::max(size, std::abs(moved - q[d]) / (1.0 + std::abs(q[d])));
      q[d] = moved;
      v[d] = lane_dependent_[lanes * (m_ + k)];
      Pack(moved).store(lane_q_.data() + lanes * d);
    }
    if (before < small && size < small) return;
    if (!std::isfinite(size)) break;
  }
  throw Error(ErrorKind::computation,
              "the end of a step could not be brought back to the constraints: the pose is nearly singular");
}

template <int s>
const State& Tangent<s>::current() const {
  if (!shown_known_) {
    shown_.t = now_.t;
    shown_.q = now_.q;
    shown_.v = now_.v;
    restore(shown_.t, shown_.q, shown_.v);
    update_accelerations(system_, shown_);
    shown_known_ = true;
  }
  return shown_;
}

template <int s>
bool Tangent<s>::solve_stages(double h) {
  SweepMonitor monitor(fixed_steps_ ? change_of_fixed_steps : control_.change(s),
                       fixed_steps_ ? most_sweeps_of_fixed_steps : most_sweeps);
  stages_.set_step(h);
  while (monitor.goes_on())
    monitor.add(stages_.sweep(monitor.sweeps() == 0, now_.t, now_.q.data(), now_.v.data(), control_.weight()));
  statistics_.evaluations += s * monitor.sweeps();
  contraction_ = monitor.contraction();
  return monitor.converged();
}

template <int s>
Attempt Tangent<s>::attempt(double to) {
  const double h = to - now_.t;
  const auto refused = [&](double step, const char* trouble) {
    just_rejected_ = true;
    return Attempt{false, step, trouble};
  };
  if (partition_ == nullptr)
    return refused(0.5 * h, "the constraints are dependent: no coordinates determine the pose");
  stages_.predict(series_.data(), s, 1.0, have_series_ ? h / series_h_ : 0.0);
  control_.prepare(h, now_.q, now_.v, series_.data(), s);
  if (!solve_stages(h)) return refused(0.5 * h, "the sweeps over the stages did not converge");
  if (!(stages_.smallest_pivot() > least_pivot))
    return refused(0.5 * h, "the dependent coordinates pass a singular pose");
  const double decay = stages_.transform(control_.weight(), next_series_.data());
  const double factor = control_.factor(decay, s);
  if (factor < least_factor && !fixed_steps_) return refused(h * std::max(0.3, 0.9 * factor), nullptr);
  if (!(stages_.distance(h, now_.q.data(), now_.v.data(), control_.weight()) <= largest_distance * std::abs(h)))
    return refused(0.5 * h, "the dependent coordinates leave their branch, as they may near a singular pose");
  next_.t = to;
  stages_.finish(h, now_.q.data(), now_.v.data(), next_.q.data(), next_.v.data());
  const double allowed = std::sqrt(target_contraction / std::max(contraction_, 1e-3));
  const double most = just_rejected_ ? 1.0 : have_series_ ? 1.5 : 4.0;
  next_h_ = h * std::max(0.4, std::min({most, 0.95 * factor, std::max(allowed, 0.7)}));
  return {true, 0.0, nullptr};
}

template <int s>
double Tangent<s>::accept() {
  std::swap(before_, now_);
  std::swap(now_, next_);
  shown_known_ = false;
  series_.swap(next_series_);
  series_h_ = done_h_ = now_.t - before_.t;
  have_series_ = true;
  dense_ready_ = false;
  just_rejected_ = false;
  control_.commit();
  const bool serves = stages_.smallest_pivot() > serving_pivot;
  stages_.follow_references();
  if (++since_restored_ >= steps_between_restorations || !serves) {
    if (!serves) restore(before_.t, before_.q, before_.v);  // dense output must not see another part held
    restore(now_.t, now_.q, now_.v);
    since_restored_ = 0;
  }
  if (!serves) choose(now_);
  return next_h_;
}

template <int s>
void Tangent<s>::prepare_dense() {
  constexpr int most = 30;
  if (!fine_) fine_ = std::make_unique<StageLanes<2 * s>>(system_, collocation_rule(Collocation::Kind::gauss, 2 * s));
  fine_->set_step(done_h_);
  from_q_ = before_.q;
  from_v_ = before_.v;
  restore(before_.t, from_q_, from_v_);
  fine_->predict(series_.data(), s, 0.0, 1.0);
  SweepMonitor monitor(0.1 * control_.change(s), most);
  while (monitor.goes_on()) monitor.add(fine_->sweep(before_.t, from_q_.data(), from_v_.data(), control_.weight()));
  if (!monitor.converged()) fine_->predict(series_.data(), s, 0.0, 1.0);
  fine_->transform(control_.weight(), fine_series_.data());
  fine_->finish(done_h_, from_q_.data(), from_v_.data(), end_q_.data(), end_v_.data());
  end_q_ = current().q - end_q_;
  end_v_ = current().v - end_v_;
  dense_ready_ = true;
}

template <int s>
void Tangent<s>::interpolate(double t, Vector& q, Vector& v) {
  if (!dense_ready_) prepare_dense();
  const double x = (t - before_.t) / done_h_;
  integrate_series<2 * s>(fine_series_.data(), x, done_h_, from_q_, from_v_, q, v);
  add_end_correction(x, done_h_, end_q_, end_v_, q, v);
}

template class Tangent<4>;
template class Tangent<8>;

std::unique_ptr<Integrator> make_tangent(const ConstrainedSystem& system, const std::string&,
                                         const Tolerances& tolerances) {
  if (system.velocity_rows() > 0)
    throw Error(ErrorKind::request,
                "method \"tangent\" needs constraints on positions only, the system has velocity constraints; try svd");
  if (pays_order_sixteen(tolerances)) return std::make_unique<Tangent<8>>(system, tolerances);
  return std::make_unique<Tangent<4>>(system, tolerances);
}

}  // namespace raak
