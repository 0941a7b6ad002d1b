// With velocities scaled by the root of the mass matrix, x = L'u, rows become A = J L^-T; the least change of x that
// meets A x = b is A^+ b (Gauss's principle), and the multipliers are those of least norm. A^+ by complete orthogonal
// decomposition (Golub and Van Loan, Matrix Computations, 5.4.7).
#include "dynamics.h"

#include <cmath>
#include <stdexcept>

#include "forces.h"

namespace reference {
namespace {

constexpr double zero_pivot = 1e-7;  // of the largest
constexpr Eigen::Index per_body = 8;

Eigen::Index at(std::size_t body) {
  return per_body * Eigen::Index(body - 1);
}

Eigen::Quaterniond turned(const Eigen::Quaterniond& q, const Vector3& by) {
  const double angle = by.norm();
  if (angle == 0.0) return q;
  return Eigen::Quaterniond(Eigen::AngleAxisd(angle, by / angle)) * q;
}

}  // namespace

struct Dynamics::Factored {
  RowOfJoints system;
  Matrix rows;                // A
  std::vector<Matrix> roots;  // L of each body, over the velocities it has
  Eigen::CompleteOrthogonalDecomposition<Matrix> inverse;

  // L^-1 f or L^-T x, body by body
  Vector scaled(const Vector& f, const std::vector<Eigen::Index>& first, bool transposed) const {
    Vector x = f;
    for (std::size_t i = 1; i < roots.size(); ++i) {
      auto part = x.segment(first[i], roots[i].rows());
      if (transposed) roots[i].triangularView<Eigen::Lower>().transpose().solveInPlace(part);
      else roots[i].triangularView<Eigen::Lower>().solveInPlace(part);
    }
    return x;
  }
};

Dynamics::Dynamics(const Mechanism& mechanism) : mechanism_(mechanism) {
  columns_.resize(mechanism.bodies.size());
  first_.resize(mechanism.bodies.size());
  for (std::size_t i = 1; i < mechanism.bodies.size(); ++i) {
    const bool point = mechanism.bodies[i].point;
    if (mechanism.planar) columns_[i] = point ? std::vector<int>{0, 1} : std::vector<int>{0, 1, 5};
    else columns_[i] = point ? std::vector<int>{0, 1, 2} : std::vector<int>{0, 1, 2, 3, 4, 5};
    first_[i] = velocities_;
    velocities_ += Eigen::Index(columns_[i].size());
  }
  positions_ = at(mechanism.bodies.size()) + Eigen::Index(mechanism.counting.size());
}

Vector Dynamics::start() const {
  Vector state(positions_ + velocities_);
  for (std::size_t i = 1; i < mechanism_.bodies.size(); ++i) {
    const Body& body = mechanism_.bodies[i];
    const Eigen::Quaterniond q = mechanism_.planar ? Eigen::Quaterniond(Eigen::AngleAxisd(body.angle, Vector3::UnitZ()))
                                                   : body.rotation.normalized();
    const Vector3 arm = q * body.centre;
    state.segment<3>(at(i)) = body.position + arm;
    state.segment<4>(at(i) + 3) << q.w(), q.x(), q.y(), q.z();
    state[at(i) + 7] = body.angle;
    Vector6 all;
    all << body.velocity + body.omega.cross(arm), body.omega;
    for (std::size_t k = 0; k < columns_[i].size(); ++k)
      state[positions_ + first_[i] + Eigen::Index(k)] = all[columns_[i][k]];
  }
  for (std::size_t k = 0; k < mechanism_.counting.size(); ++k)
    state[at(mechanism_.bodies.size()) + Eigen::Index(k)] = mechanism_.counting[k]->numbers.back();
  return state;
}

Motion Dynamics::motion(double t, const Vector& state) const {
  Motion motion;
  motion.t = t;
  motion.bodies.resize(mechanism_.bodies.size());
  Placed& ground = motion.bodies[0];
  ground.centre = ground.velocity = ground.omega = Vector3::Zero();
  ground.rotation.setIdentity();
  ground.quaternion.setIdentity();
  for (std::size_t i = 1; i < motion.bodies.size(); ++i) {
    Placed& body = motion.bodies[i];
    body.centre = state.segment<3>(at(i));
    body.angle = state[at(i) + 7];
    body.quaternion = mechanism_.planar
                          ? Eigen::Quaterniond(Eigen::AngleAxisd(body.angle, Vector3::UnitZ()))
                          : Eigen::Quaterniond(state[at(i) + 3], state[at(i) + 4], state[at(i) + 5], state[at(i) + 6]);
    body.quaternion.normalize();
    body.rotation = body.quaternion.toRotationMatrix();
    Vector6 all = Vector6::Zero();
    for (std::size_t k = 0; k < columns_[i].size(); ++k)
      all[columns_[i][k]] = state[positions_ + first_[i] + Eigen::Index(k)];
    body.velocity = all.head<3>();
    body.omega = all.tail<3>();
  }
  for (std::size_t k = 0; k < mechanism_.counting.size(); ++k)
    motion.counted.push_back(state[at(mechanism_.bodies.size()) + Eigen::Index(k)]);
  return motion;
}

RowOfJoints Dynamics::rows(const Motion& motion) const {
  RowOfJoints all;
  for (const Element& joint : mechanism_.joints) {
    all.first.push_back(all.rows.size());
    for (Row& row : joint_rows(mechanism_, motion, joint)) all.rows.push_back(std::move(row));
  }
  for (const Element& driver : mechanism_.drivers) {
    all.first.push_back(all.rows.size());
    all.rows.push_back(driver_row(mechanism_, motion, driver));
  }
  all.first.push_back(all.rows.size());
  return all;
}

Dynamics::Factored Dynamics::linearised(const Motion& motion) const {
  Factored f;
  f.system = rows(motion);
  f.roots.resize(mechanism_.bodies.size());
  for (std::size_t i = 1; i < mechanism_.bodies.size(); ++i) {
    const Body& body = mechanism_.bodies[i];
    Eigen::Matrix<double, 6, 6> mass = Eigen::Matrix<double, 6, 6>::Zero();
    mass.topLeftCorner<3, 3>().diagonal().setConstant(body.mass);
    mass.bottomRightCorner<3, 3>() = motion.bodies[i].rotation * body.inertia * motion.bodies[i].rotation.transpose();
    const Matrix own = mass(columns_[i], columns_[i]);
    f.roots[i] = own.llt().matrixL();
  }
  f.rows = Matrix::Zero(Eigen::Index(f.system.rows.size()), velocities_);
  for (std::size_t r = 0; r < f.system.rows.size(); ++r)
    for (const Row::Part& part : f.system.rows[r].parts) {
      const auto body = std::size_t(part.body);
      Vector own = part.slope(columns_[body]);
      f.roots[body].triangularView<Eigen::Lower>().solveInPlace(own);
      f.rows.row(Eigen::Index(r)).segment(first_[body], own.size()) += own.transpose();
    }
  return f;
}

Dynamics::Factored Dynamics::factor(const Motion& motion) const {
  Factored f = linearised(motion);
  if (f.rows.rows() == 0) return f;
  f.inverse.setThreshold(zero_pivot);
  f.inverse.compute(f.rows);
  const auto pivots = f.inverse.matrixQTZ().diagonal().cwiseAbs();
  const Eigen::Index rank = f.inverse.rank();
  const double largest = f.inverse.maxPivot();
  if (rank_ < 0) rank_ = rank;
  if (rank != rank_) throw std::runtime_error("rank changes");
  if (rank > 0 && largest > 0.0) weakest_ = std::min(weakest_, pivots.head(rank).minCoeff() / largest);
  return f;
}

void Dynamics::choose_rows(double t, const Vector& state) const {
  const Factored f = linearised(motion(t, state));
  chosen_.clear();
  if (f.rows.rows() == 0) return;
  Eigen::ColPivHouseholderQR<Matrix> pivoted;
  pivoted.setThreshold(zero_pivot);
  pivoted.compute(Matrix(f.rows.transpose()));
  for (Eigen::Index k = 0; k < pivoted.rank(); ++k) chosen_.push_back(pivoted.colsPermutation().indices()[k]);
}

// Without rows, scaled.
Vector Dynamics::free_motion(const Factored& f, const Motion& motion) const {
  const Vector loads = applied(mechanism_, motion);
  Vector force(velocities_);
  for (std::size_t i = 1; i < mechanism_.bodies.size(); ++i)
    for (std::size_t k = 0; k < columns_[i].size(); ++k)
      force[first_[i] + Eigen::Index(k)] = loads[Eigen::Index(6 * i) + columns_[i][k]];
  return f.scaled(force, first_, false);
}

// By the chosen rows, a smooth function of the state.
Vector Dynamics::accelerations(const Motion& motion) const {
  const Factored f = linearised(motion);
  Vector free = free_motion(f, motion);
  if (!chosen_.empty()) {
    const auto r = Eigen::Index(chosen_.size());
    const Matrix rows = f.rows(chosen_, Eigen::all);
    Vector off(r);
    for (Eigen::Index k = 0; k < r; ++k) off[k] = -f.system.rows[std::size_t(chosen_[std::size_t(k)])].bias;
    off -= rows * free;
    const Eigen::HouseholderQR<Matrix> qr(rows.transpose());
    qr.matrixQR().topRows(r).triangularView<Eigen::Upper>().transpose().solveInPlace(off);
    Vector change = Vector::Zero(velocities_);
    change.head(r) = off;
    change.applyOnTheLeft(qr.householderQ());
    free += change;
  }
  return f.scaled(free, first_, true);
}

Vector Dynamics::allowed(double t, const Vector& state, const Vector& velocities) const {
  const Factored f = factor(motion(t, state));
  if (f.rows.rows() == 0) return velocities;
  return f.scaled(Vector(velocities - f.inverse.solve(Vector(f.rows * velocities))), first_, true);
}

Solution Dynamics::solve(const Motion& motion) const {
  const Factored f = factor(motion);
  const Vector free = free_motion(f, motion);
  Solution solution;
  const Eigen::Index m = f.rows.rows();
  if (m == 0) {
    solution.accelerations = f.scaled(free, first_, true);
    return solution;
  }
  Vector bias(m);
  for (Eigen::Index r = 0; r < m; ++r) bias[r] = f.system.rows[std::size_t(r)].bias;
  const Vector change = f.inverse.solve(Vector(-bias - f.rows * free));
  solution.accelerations = f.scaled(Vector(free + change), first_, true);
  Eigen::CompleteOrthogonalDecomposition<Matrix> transposed;
  transposed.setThreshold(zero_pivot);
  transposed.compute(Matrix(f.rows.transpose()));
  solution.multipliers = transposed.solve(Vector(-change));
  const Matrix orthogonal = f.inverse.householderQ();
  solution.loose = orthogonal.rightCols(m - f.inverse.rank());
  return solution;
}

Vector Dynamics::derivative(double t, const Vector& state) const {
  const Motion now = motion(t, state);
  Vector slope = Vector::Zero(state.size());
  for (std::size_t i = 1; i < now.bodies.size(); ++i) {
    const Placed& body = now.bodies[i];
    slope.segment<3>(at(i)) = body.velocity;
    if (mechanism_.planar) slope[at(i) + 7] = body.omega.z();
    else if (!mechanism_.bodies[i].point) {
      const Eigen::Quaterniond spin =
          Eigen::Quaterniond(0.0, body.omega.x(), body.omega.y(), body.omega.z()) *
          Eigen::Quaterniond(state[at(i) + 3], state[at(i) + 4], state[at(i) + 5], state[at(i) + 6]);
      slope.segment<4>(at(i) + 3) << 0.5 * spin.w(), 0.5 * spin.x(), 0.5 * spin.y(), 0.5 * spin.z();
    }
  }
  for (std::size_t k = 0; k < mechanism_.counting.size(); ++k)
    slope[at(mechanism_.bodies.size()) + Eigen::Index(k)] = counted_rate(now, *mechanism_.counting[k]);
  slope.tail(velocities_) = accelerations(now);
  return slope;
}

bool Dynamics::project(double t, Vector& state) const {
  for (int iteration = 0;; ++iteration) {
    const Motion now = motion(t, state);
    const Factored f = factor(now);
    const Eigen::Index m = f.rows.rows();
    if (m == 0) return true;
    Vector gap(m);
    for (Eigen::Index r = 0; r < m; ++r) {
      const Row& row = f.system.rows[std::size_t(r)];
      gap[r] = row.holonomic ? row.residual : 0.0;
    }
    const bool closed = gap.cwiseAbs().maxCoeff() < 1e-14;
    if (!closed && iteration < 12) {
      const Vector step = f.scaled(f.inverse.solve(Vector(-gap)), first_, true);
      for (std::size_t i = 1; i < now.bodies.size(); ++i) {
        Vector6 all = Vector6::Zero();
        for (std::size_t k = 0; k < columns_[i].size(); ++k) all[columns_[i][k]] = step[first_[i] + Eigen::Index(k)];
        const Eigen::Quaterniond q = turned(now.bodies[i].quaternion, all.tail<3>());
        state.segment<3>(at(i)) += all.head<3>();
        state.segment<4>(at(i) + 3) << q.w(), q.x(), q.y(), q.z();
        state[at(i) + 7] += all[5];
      }
      continue;
    }
    if (gap.cwiseAbs().maxCoeff() > 1e-11) return false;
    const auto off = [&](const Vector& u) {
      Vector rate(m);
      for (Eigen::Index r = 0; r < m; ++r) rate[r] = f.system.rows[std::size_t(r)].rate;
      Vector x = u;
      for (std::size_t i = 1; i < now.bodies.size(); ++i) {
        auto part = x.segment(first_[i], f.roots[i].rows());
        part = Vector(f.roots[i].triangularView<Eigen::Lower>().transpose() * part);
      }
      return Vector(rate + f.rows * x);
    };
    Vector u = state.tail(velocities_);
    u += f.scaled(f.inverse.solve(Vector(-off(u))), first_, true);
    if (off(u).cwiseAbs().maxCoeff() > 1e-9) return false;
    state.tail(velocities_) = u;
    return true;
  }
}

double Dynamics::kinetic(const Motion& motion) const {
  double twice = 0.0;
  for (std::size_t i = 1; i < motion.bodies.size(); ++i) {
    const Placed& body = motion.bodies[i];
    const Vector3 own = body.rotation.transpose() * body.omega;
    twice += mechanism_.bodies[i].mass * body.velocity.squaredNorm() + own.dot(mechanism_.bodies[i].inertia * own);
  }
  return 0.5 * twice;
}

}  // namespace reference
