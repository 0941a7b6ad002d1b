// The decomposition of the constraints against its definition and against the closed form of the pendulum.
#include "kinematics/rank/constraint_svd.h"

#include <gtest/gtest.h>

#include <cmath>

#include "system/equations/equations.h"

namespace raak {
namespace {

// Starmans (1987), chapter 3.
struct Pendulum {
  static constexpr int coordinates = 3, constraints = 2;
  double l = 0.75;
  void mass(const auto&, const auto&, auto& M) const { M(0, 0) = M(1, 1) = M(2, 2) = 1.0; }
  void force(const auto&, const auto&, const auto&, auto&) const {}
  void constraint(const auto&, const auto& q, auto& g) const {
    g[0] = q[0] - l * sin(q[2]);
    g[1] = q[1] - l * cos(q[2]);
  }
};

// Two motions: x and the turn of a rod on a rail that moves with t.
struct DrivenCart {
  static constexpr int coordinates = 4, constraints = 2;
  void mass(const auto&, const auto&, auto& M) const { M(0, 0) = M(1, 1) = M(2, 2) = M(3, 3) = 1.0; }
  void force(const auto&, const auto&, const auto&, auto&) const {}
  void constraint(const auto& t, const auto& q, auto& g) const {
    g[0] = q[1] - sin(t);
    g[1] = q[2] - q[0] * q[0];
  }
};

Vector pendulum_at(double phi) {
  return Vector{{0.75 * std::sin(phi), 0.75 * std::cos(phi), phi}};
}

TEST(ConstraintSvd, OfThePendulumIsItsClosedForm) {
  const auto system = make_system(Pendulum{});
  for (const double phi : {-0.5236, 0.0, 0.3, 0.5236}) {  // (3.19), (3.20), (3.23), (3.24)
    const ConstraintSvd svd(*system, 0.0, pendulum_at(phi));
    const double s = std::sin(phi), c = std::cos(phi), r = 1.25, l = 0.75;
    EXPECT_LT((svd.sigma - Vector{{r, 1.0}}).norm(), 1e-14);
    EXPECT_LT((svd.U - Matrix{{c, -s}, {s, c}}).norm(), 1e-14);
    EXPECT_LT((svd.VD - Matrix{{c / r, -s / r, -l / r}, {s, c, 0.0}}).norm(), 1e-14);
    EXPECT_LT((svd.VI - Matrix{{l * c / r, -l * s / r, 1.0 / r}}).norm(), 1e-14);
  }
}

TEST(ConstraintSvd, ItsFactorsMakeTheJacobianAgain) {
  const auto system = make_system(DrivenCart{});
  const Vector q{{0.7, 0.2, 0.49, -1.0}};
  Matrix G(2, 4);
  system->jacobian(0.3, q, G);
  const ConstraintSvd svd(*system, 0.3, q);
  Matrix V(4, 4);
  V << svd.VD, svd.VI;
  EXPECT_LT((svd.U.transpose() * svd.diagonal() * V - G).norm(), 1e-14);
  EXPECT_LT((V * V.transpose() - Matrix::Identity(4, 4)).norm(), 1e-14);
}

TEST(ConstraintSvd, TheShareOutsideIsTheSineSquaredOfTheAngle) {
  const auto system = make_system(Pendulum{});
  const ConstraintSvd before(*system, 0.0, pendulum_at(0.2)), now(*system, 0.0, pendulum_at(0.9));
  const Vector v = -1.7 * now.VI.row(0).transpose();
  const double cosine = before.VI.row(0).dot(now.VI.row(0));
  EXPECT_NEAR(now.share_outside(before.VI, v), 1.0 - cosine * cosine, 1e-14);
  EXPECT_EQ(now.share_outside(before.VI, Vector::Zero(3)), 0.0);
  EXPECT_LT(now.share_outside(now.VI, v), 1e-15);
}

TEST(ConstraintSvd, WhatADriverMovesIsOutsideOfNoBasis) {
  const auto system = make_system(DrivenCart{});
  const ConstraintSvd svd(*system, 0.0, Vector{{0.7, 0.0, 0.49, -1.0}});
  // Phi_q v = -Phi_t: the rail moves by cos(0) = 1.
  EXPECT_LT(svd.share_outside(svd.VI, Vector{{0.5, 1.0, 0.7, 2.0}}), 1e-15);
}

TEST(BasisTurn, FindsTheTurnWithinTheSubspace) {
  const auto system = make_system(DrivenCart{});
  const ConstraintSvd svd(*system, 0.0, Vector{{0.7, 0.0, 0.49, -1.0}});
  const double c = std::cos(2.5), s = std::sin(2.5);
  Matrix turned = Matrix{{c, -s}, {s, c}} * svd.VI;
  BasisTurn(2, 4).turn(turned, svd.VI);
  EXPECT_LT((turned - svd.VI).norm(), 1e-14);
  turned.row(1) *= -1.0;  // a reflection
  BasisTurn(2, 4).turn(turned, svd.VI);
  EXPECT_LT((turned - svd.VI).norm(), 1e-14);
}

}  // namespace
}  // namespace raak
