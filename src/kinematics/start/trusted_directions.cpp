#include "kinematics/start/trusted_directions.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "base/linear/factors.h"

namespace raak {
namespace {

Eigen::Index index_in(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) - names.begin();
}

Eigen::Quaterniond rotation_at(const Vector& q, Eigen::Index first) {
  return {q[first], q[first + 1], q[first + 2], q[first + 3]};
}

}  // namespace

TrustedDirections::TrustedDirections(const ConstrainedSystem& system, const StartRequest& request)
    : system_(system), q_(request.q), v_(request.v) {
  const ReportedNames& names = system.reported();
  for (const std::string& name : request.trusted_positions) add_position(names, name);
  for (const std::string& name : request.trusted_velocities)
    velocities_.push_back({name, index_in(names.velocities, name)});
}

// In space a position moves by a velocity, and the four parts of a quaternion, of which the real one comes first, turn
// by the three of omega. A single part stands for the turn about one axis; the real one does not say which.
void TrustedDirections::add_position(const ReportedNames& names, const std::string& name) {
  const Eigen::Index position = index_in(names.positions, name);
  const auto part = name.find(".quaternion.");
  if (part == std::string::npos) {
    const auto place = name.find(".position.");
    const std::string rate =
        place == std::string::npos ? name : name.substr(0, place) + ".velocity." + name.substr(place + 10);
    positions_.push_back({name, index_in(names.velocities, rate), position});
    return;
  }
  const std::string body = name.substr(0, part);
  const Eigen::Index first = index_in(names.positions, body + ".quaternion.w");
  for (const Row& row : positions_)
    if (row.quaternion == first) return;
  for (int c = 0; c < 3; ++c) {
    if (name.back() != 'w' && name.back() != "xyz"[c]) continue;
    const std::string rate = body + ".omega." + "xyz"[c];
    positions_.push_back({body + ".rotation", index_in(names.velocities, rate), -1, first, c});
  }
}

State TrustedDirections::reported(double t, const Vector& q, const Vector& v) const {
  State state = State::of_size(system_.coordinates(), system_.rows()), shown;
  state.t = t;
  state.q = q;
  state.v = v;
  system_.report_motion(state, shown);
  return shown;
}

Vector TrustedDirections::position_errors(double t, const Vector& q) const {
  Vector errors(static_cast<Eigen::Index>(positions_.size()));
  if (errors.size() == 0) return errors;
  const Vector shown = reported(t, q, Vector::Zero(q.size())).q;
  Eigen::Index i = 0;
  for (const Row& row : positions_) {
    if (row.position >= 0) {
      errors[i++] = shown[row.position] - q_[row.position];
      continue;
    }
    const Eigen::Quaterniond off = rotation_at(shown, row.quaternion) * rotation_at(q_, row.quaternion).conjugate();
    errors[i++] = 2.0 * std::copysign(1.0, off.w()) * off.vec()[row.component];
  }
  return errors;
}

Vector TrustedDirections::velocity_errors(double t, const Vector& q, const Vector& v) const {
  Vector errors(static_cast<Eigen::Index>(velocities_.size()));
  if (errors.size() == 0) return errors;
  const Vector shown = reported(t, q, v).v;
  Eigen::Index i = 0;
  for (const Row& row : velocities_) errors[i++] = shown[row.rate] - v_[row.rate];
  return errors;
}

Vector TrustedDirections::step(const std::vector<Row>& rows, const Vector& errors, double t, const Vector& q,
                               const Matrix& free) const {
  if (errors.size() == 0 || free.cols() == 0) return Vector::Zero(q.size());
  const Vector rest = reported(t, q, Vector::Zero(q.size())).v;
  Matrix T(errors.size(), free.cols());
  for (Eigen::Index k = 0; k < free.cols(); ++k) {
    const Vector rates = reported(t, q, free.col(k)).v - rest;
    for (std::size_t i = 0; i < rows.size(); ++i) T(static_cast<Eigen::Index>(i), k) = rates[rows[i].rate];
  }
  return -(free * solve_least(T, errors));
}

Vector TrustedDirections::position_step(double t, const Vector& q, const Matrix& free) const {
  return step(positions_, position_errors(t, q), t, q, free);
}

Vector TrustedDirections::velocity_step(double t, const Vector& q, const Vector& v, const Matrix& free) const {
  return step(velocities_, velocity_errors(t, q, v), t, q, free);
}

TrustedDirections::Miss TrustedDirections::miss(const std::vector<Row>& rows, const Vector& errors) const {
  Miss worst;
  const std::vector<std::string>& units = system_.reported().velocity_units;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool length = !units.empty() && units[static_cast<std::size_t>(rows[i].rate)].starts_with("m");
    const double off = std::abs(errors[static_cast<Eigen::Index>(i)]) / (length ? system_.description().length : 1.0);
    if (off > worst.size) worst = {off, rows[i].name};
  }
  return worst;
}

TrustedDirections::Miss TrustedDirections::position_miss(double t, const Vector& q) const {
  return miss(positions_, position_errors(t, q));
}

TrustedDirections::Miss TrustedDirections::velocity_miss(double t, const Vector& q, const Vector& v) const {
  return miss(velocities_, velocity_errors(t, q, v));
}

}  // namespace raak
