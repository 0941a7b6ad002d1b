// What every kind of body promises: its formulas agree with each other and with its plain numbers.
#include "mechanism/bodies/catalogue.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "base/tape/derivative.h"
#include "base/tape/kernel.h"

namespace raak {
namespace {

class AnyBody : public testing::TestWithParam<const BodyKind*> {
 protected:
  AnyBody() : size_(kind_.size()) {
    body_.kind = &kind_;
    body_.mass = 1.7;
    body_.inertia = {0.5, 0.6, 0.7, 0.01, 0.02, 0.03};
    body_.size = size_;
    q_ = Eigen::VectorXd::LinSpaced(size_, 0.3, 1.1);
    if (kind_.normalized != nullptr) q_.tail(size_ - kind_.dimensions()).normalize();
    // Rates that belong to an angular velocity.
    v_ = Eigen::VectorXd::LinSpaced(size_, -0.4, 0.9);
    for (int i = 3 - kind_.turning; i < 3; ++i) omega_[i] = 0.5 + i;
    kind_.set_turning(q_.data(), omega_, v_.data());
    for (const Live& number : kind_.numbers(body_)) numbers_.push_back(number.now());
  }

  // The values of what is recorded over q, v and the numbers of the body.
  template <class Record>
  Eigen::VectorXd values(Record&& record) const {
    Tape tape;
    const Tape::Recording recording(tape);
    Frame frame{{}, Rotation<Real>::identity(), Real(0.0), {Real(1.0), Real(0.0), Real(0.0), Real(0.0)}, &body_};
    Reals q, v, numbers;
    for (int i = 0; i < size_; ++i) q.push_back(tape.new_input(0));
    for (int i = 0; i < size_; ++i) v.push_back(tape.new_input(1));
    for (std::size_t i = 0; i < numbers_.size(); ++i) numbers.push_back(tape.new_input(2));
    frame.q = q.data();
    frame.v = v.data();
    kind_.orient(frame);
    const Reals found = record(frame, numbers);
    for (const Real& value : found) tape.add_output(0, value);
    Eigen::VectorXd result(static_cast<Eigen::Index>(found.size()));
    const double* const in[4] = {q_.data(), v_.data(), numbers_.data(), nullptr};
    double* const out[3] = {result.data(), nullptr, nullptr};
    Kernel(tape).run_one(in, out);
    return result;
  }
  Eigen::MatrixXd mass() const {
    const Eigen::VectorXd entries = values([&](const Frame& frame, const Reals& numbers) {
      SymmetricEntries M(size_);
      kind_.mass(numbers, frame.q, 0, M);
      Reals all;
      for (int i = 0; i < size_; ++i)
        for (int j = 0; j < size_; ++j) all.push_back(M.at(i, j));
      return all;
    });
    return Eigen::Map<const Eigen::MatrixXd>(entries.data(), size_, size_);
  }

  const BodyKind& kind_ = *GetParam();
  int size_;
  Body body_;
  Eigen::VectorXd q_, v_;
  Vec3d omega_;
  std::vector<double> numbers_;
};

TEST_P(AnyBody, ReportsAsManyValuesAsItNames) {
  EXPECT_EQ(kind_.positions.size(), kind_.coordinates.size());
  EXPECT_EQ(static_cast<int>(kind_.velocities.size()), kind_.dimensions() + kind_.turning);
  EXPECT_EQ(static_cast<int>(numbers_.size()), kind_.numbers_size);
  EXPECT_EQ(&find_body_kind(kind_.type, kind_.planar), &kind_);
}

TEST_P(AnyBody, TurnsAsItsRatesSay) {
  const Vec3d found = kind_.angular_velocity(q_.data(), v_.data());
  const Eigen::VectorXd recorded = values([&](const Frame& frame, const Reals&) {
    const Vector3 omega = kind_.angular_velocity(frame);
    return Reals{omega.x, omega.y, omega.z};
  });
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(found[i], omega_[i], 1e-15);
    EXPECT_NEAR(recorded[i], omega_[i], 1e-15);
  }
  // d(R e)/dt = omega x R e.
  const Vec3d arm{0.3, -0.2, kind_.planar ? 0.0 : 0.5};
  const Vec3d rate = cross(omega_, kind_.rotation(q_.data()) * arm);
  const Eigen::VectorXd derived = values([&](const Frame& frame, const Reals&) {
    const Vector3 at = frame.R * lifted(constant(arm));
    return derivative_along({at.x, at.y, at.z}, Reals(frame.q, frame.q + size_), Reals(frame.v, frame.v + size_));
  });
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(derived[i], kind_.turning > 0 ? rate[i] : 0.0, 1e-15);
}

TEST_P(AnyBody, DoesTheWorkOfATorque) {
  const Vec3d torque{0.3, 0.4, 0.5};
  const Eigen::VectorXd forces =
      values([&](const Frame& frame, const Reals&) { return kind_.forces_of_torque(frame, lifted(constant(torque))); });
  ASSERT_EQ(forces.size(), size_ - kind_.dimensions());
  EXPECT_NEAR(forces.dot(v_.tail(forces.size())), dot(torque, omega_), 1e-15);
  const Eigen::VectorXd again = values([&](const Frame& frame, const Reals&) {
    const Vector3 found = kind_.torque_of_forces(frame, kind_.forces_of_torque(frame, lifted(constant(torque))).data());
    return Reals{found.x, found.y, found.z};
  });
  for (int i = 3 - kind_.turning; i < 3; ++i) EXPECT_NEAR(again[i], torque[i], 1e-15);
}

TEST_P(AnyBody, HasOneMass) {
  const Eigen::MatrixXd M = mass();
  Eigen::VectorXd diagonal(size_);
  kind_.mass_diagonal(body_, q_.data(), diagonal.data());
  EXPECT_LT((diagonal - M.diagonal()).norm(), 1e-15);
  EXPECT_NEAR(kind_.twice_kinetic_energy(body_, q_.data(), v_.data()), v_.dot(M * v_), 1e-15 * size_);
  const auto d = kind_.dimensions();
  const Eigen::MatrixXd free = body_.mass.now() * Eigen::MatrixXd::Identity(d, size_);
  EXPECT_EQ(kind_.falls_freely, (M.topRows(d) - free).norm() < 1e-15);
  const Eigen::VectorXd y = M * v_;
  const Eigen::VectorXd divided = values([&](const Frame& frame, const Reals& numbers) {
    const Reals packed = kind_.inverse_mass(numbers, frame.q);
    EXPECT_EQ(static_cast<int>(packed.size()), kind_.inverse_mass_size);
    return kind_.times_inverse_mass(packed, Reals(y.begin(), y.end()));
  });
  EXPECT_LT((divided - v_).norm(), 1e-14);
}

// Lagrange: M v' = -M'v + grad(v' M v) / 2, along every direction in which the body may turn.
TEST_P(AnyBody, HasTheInertiaForcesOfItsMass) {
  const Eigen::VectorXd found = values([&](const Frame& frame, const Reals& numbers) {
    SymmetricEntries M(size_);
    kind_.mass(numbers, frame.q, 0, M);
    const Reals q(frame.q, frame.q + size_), v(frame.v, frame.v + size_);
    const Reals momentum = M.times(v);
    Real twice(0.0);
    for (std::size_t i = 0; i < v.size(); ++i) twice += momentum[i] * v[i];
    Reals off = derivative_along(momentum, q, v);
    const Gradient slopes = gradients({twice}, q).front();
    for (const auto& [i, slope] : slopes) off[static_cast<std::size_t>(i)] -= 0.5 * slope;
    const Reals own = kind_.gyroscopic(numbers, frame.q, frame.v);
    for (std::size_t i = 0; i < own.size(); ++i) off[off.size() - own.size() + i] += own[i];
    return off;
  });
  for (int k = 3 - kind_.turning; k < 3; ++k) {
    Vec3d about;
    about[k] = 1.0;
    Eigen::VectorXd direction = Eigen::VectorXd::Zero(size_);
    kind_.set_turning(q_.data(), about, direction.data());
    EXPECT_NEAR(direction.dot(found), 0.0, 1e-14);
  }
}

TEST_P(AnyBody, TurnsStepsThereAndBack) {
  Eigen::VectorXd step = Eigen::VectorXd::LinSpaced(size_, 0.2, 0.8);
  const Eigen::VectorXd before = step;
  kind_.turn_step(q_.data(), true, step.data());
  kind_.turn_step(q_.data(), false, step.data());
  EXPECT_LT((step - before).norm(), 1e-14);
}

std::vector<const BodyKind*> all_kinds() {
  std::vector<const BodyKind*> kinds;
  for (const auto& kind : body_catalogue()) kinds.push_back(kind.get());
  return kinds;
}

INSTANTIATE_TEST_SUITE_P(Kinds, AnyBody, testing::ValuesIn(all_kinds()), [](const auto& kind) {
  return kind.param->type + (kind.param->planar ? "_in_the_plane" : "_in_space");
});

}  // namespace
}  // namespace raak
