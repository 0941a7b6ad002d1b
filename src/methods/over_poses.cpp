#include "methods/over_poses.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "methods/coordinate_choice.h"
#include "methods/tangent.h"

namespace raak {
namespace {

// Of the largest strength seen, which is the sine of an angle: the pose is about 0.25 rad ahead. A step that is refused
// for another reason than its error tells of the pose from further away: from too near errors have grown too large.
constexpr double near_pose = 0.25;
constexpr double near_for_trouble = 0.5;
constexpr double clear_of_pose = 0.55;
constexpr double small_at_start = 0.03;
constexpr double vanishing_row = 1e-3;  // of the longest one
constexpr double surely_clear = 0.1;
constexpr int most_steps_beside = 4;
constexpr double seen_from_afar = 0.7;
constexpr int many_troubles = 6;
constexpr int most_refusals = 16;  // of tangent in a row: it does not pass either
constexpr int most_failures = 3;
constexpr int weight_of_refusal = 3;  // in accepted steps, after which it is forgotten

}  // namespace

OverPoses::OverPoses(const ConstrainedSystem& system, std::string name, const std::string& form,
                     const Tolerances& tolerances, std::unique_ptr<Integrator> usual)
    : system_(system),
      name_(std::move(name)),
      form_(form),
      tolerances_(tolerances),
      usual_(std::move(usual)),
      active_(usual_.get()),
      last_(usual_.get()),
      G_(system.rows(), system.coordinates()),
      M_(system.coordinates(), system.coordinates()),
      rows_(system.coordinates(), system.rows()),
      largest_row_(Vector::Zero(system.rows())),
      qr_(system.coordinates(), system.rows()) {}

bool OverPoses::serves(const ConstrainedSystem& system, const std::string& form) {
  return form != "index2" && system.velocity_rows() == 0 && system.position_rows() > 0 && !system.is_large() &&
         CoordinateChoice::is_affordable(system);
}

void OverPoses::count() {
  const Statistics& usual = usual_->statistics();
  statistics_.evaluations = usual.evaluations;
  statistics_.jacobians = usual.jacobians;
  statistics_.factorizations = usual.factorizations;
  if (!tangent_) return;
  const Statistics& other = tangent_->statistics();
  statistics_.evaluations += other.evaluations;
  statistics_.jacobians += other.jacobians;
  statistics_.factorizations += other.factorizations;
}

double OverPoses::begin(const State& start, double until) {
  until_ = until;
  active_ = last_ = usual_.get();
  poses_.clear();
  strongest_ = 0.0;
  largest_row_.setZero();
  refusals_ = failures_ = troubles_ = refused_lately_ = 0;
  crossed_ = false;
  start_ = start;
  const double h = usual_->begin(start, until);
  count();
  return h;
}

void OverPoses::resume(const State& state, double until) {
  until_ = until;
  active_->resume(state, until);
  count();
}

double OverPoses::strength(const State& at) {
  system_.jacobian(at.t, at.q, G_);
  system_.mass(at.t, at.q, M_);
  const Eigen::Index n = G_.cols();
  const Eigen::Index m = G_.rows();
  if (!G_.allFinite() || m > n) return 0.0;
  for (Eigen::Index j = 0; j < n; ++j) {
    if (!(M_(j, j) > 0.0)) return 0.0;
    const double root = std::sqrt(M_(j, j));
    for (Eigen::Index i = 0; i < m; ++i) rows_(j, i) = G_(i, j) / root;
  }
  for (Eigen::Index i = 0; i < m; ++i) largest_row_[i] = std::max(largest_row_[i], rows_.col(i).norm());
  // One that vanishes at the start has no length of its own yet.
  const double least = vanishing_row * largest_row_.maxCoeff();
  for (Eigen::Index i = 0; i < m; ++i) rows_.col(i) /= std::max({largest_row_[i], least, 1e-300});
  qr_.compute(rows_);
  return std::abs(qr_.matrixQR()(m - 1, m - 1));
}

// The first step of tangent; 0 where it is not needed or does not help.
double OverPoses::start_crossing(bool trouble) {
  if (failures_ >= most_failures) return 0.0;
  if (strongest_ == 0.0) strongest_ = strength(start_);
  const double here = strength(active_->current());
  strongest_ = std::max(strongest_, here);
  const bool starts_there = active_->time() == start_.t && here < small_at_start;
  // A method that is refused again and again may see the pose from further away.
  const double limit = troubles_ >= many_troubles ? seen_from_afar : trouble ? near_for_trouble : near_pose;
  if (!(here < limit * strongest_) && !starts_there) return 0.0;
  if (!tangent_) tangent_ = make_tangent(system_, form_, tolerances_);
  if (fixed_steps_) tangent_->use_fixed_steps();
  const double first = tangent_->begin(active_->current(), until_);
  active_ = tangent_.get();
  refusals_ = steps_ = 0;
  return first;
}

Attempt OverPoses::attempt(double to) {
  Attempt result = active_->attempt(to);
  if (!result.acceptable && !is_crossing()) {
    const bool trouble = result.trouble != nullptr;
    if (trouble) ++troubles_;
    // A step that is too long for its error now and then is nothing to look at: that takes as long as several steps.
    refused_lately_ += weight_of_refusal;
    const double first = trouble || refused_lately_ > weight_of_refusal ? start_crossing(trouble) : 0.0;
    // What was shortened on the way to the pose need not be that short.
    if (first != 0.0) result = {false, first, nullptr};
  } else if (!result.acceptable && result.trouble != nullptr && ++refusals_ >= most_refusals) {
    ++failures_;
    const double first = usual_->begin(active_->current(), until_);
    active_ = usual_.get();
    result = {false, std::copysign(std::min(std::abs(first), std::abs(result.retry_step)), first), result.trouble};
  }
  count();
  return result;
}

double OverPoses::accept() {
  double h = active_->accept();
  last_ = active_;
  refusals_ = 0;
  refused_lately_ = std::max(0, refused_lately_ - 1);
  if (!is_crossing()) {
    troubles_ = 0;
  } else {
    crossed_ = true;
    const auto& found = tangent_->poses();
    if (!found.empty() && (poses_.empty() || poses_.back().t != found.back().t)) poses_.push_back(found.back());
    const double here = strength(active_->current());
    strongest_ = std::max(strongest_, here);
    // After a start in a pose what was seen so far says little.
    const bool clear = here > (troubles_ >= many_troubles ? seen_from_afar : clear_of_pose) * strongest_;
    if ((clear && here > surely_clear) || (++steps_ >= most_steps_beside && here > clear_of_pose * strongest_)) {
      troubles_ = 0;
      const double first = usual_->begin(active_->current(), until_);
      active_ = usual_.get();
      h = std::copysign(std::min(std::abs(first), 2.0 * std::abs(h)), first);
    }
  }
  count();
  return h;
}

void OverPoses::interpolate(double t, Vector& q, Vector& v) {
  last_->interpolate(t, q, v);
  count();
}

void OverPoses::use_fixed_steps() {
  fixed_steps_ = true;
  usual_->use_fixed_steps();
}

}  // namespace raak
