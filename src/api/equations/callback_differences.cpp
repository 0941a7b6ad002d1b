#include "api/equations/callback_differences.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace raak_v0::detail {
namespace {

using core::Matrix;
using core::Vector;
using ConstVector = CallbackDifferences::ConstVector;
using Index = Eigen::Index;

constexpr double first_step = 6e-6;
// Along the motion, in units of the larger of 1 and the fastest coordinate: between the truncation, h^6, and the
// rounding, eps/h^2. No simple number: that of turns in one step might be whole, and nothing would seem to move.
constexpr double line_step = 3.8297461e-3;

// Formulas of the orders 6 and 4 from values at h, 2 h and 3 h on both sides.
struct Formula {
  std::array<double, 3> sixth, fourth;
  bool second;  // derivative
};
constexpr Formula first_derivative{{0.75, -0.15, 1.0 / 60.0}, {2.0 / 3.0, -1.0 / 12.0, 0.0}, false};
constexpr Formula second_derivative{{1.5, -0.15, 1.0 / 90.0}, {4.0 / 3.0, -1.0 / 12.0, 0.0}, true};

double line_step_of(const ConstVector& v) {
  return line_step / std::max(1.0, v.size() > 0 ? v.cwiseAbs().maxCoeff() : 0.0);
}

double size_of(const ConstVector& x) {
  return x.size() > 0 ? x.cwiseAbs().maxCoeff() : 0.0;
}

// The derivative at s = 0 of `rows` numbers; value(s, out). What is faster than the first step expects shows in the two
// orders: the step becomes shorter until they agree, or until rounding alone drives them apart.
template <class Value>
Vector along(const Formula& formula, Index rows, double h, double size, const Value& value) {
  constexpr double agreeing = 1e-7;
  constexpr double rounding = 100.0 * std::numeric_limits<double>::epsilon();
  constexpr int most = 12;
  Vector at(rows), ahead(rows), behind(rows), derivative(rows), other(rows), best(rows);
  if (formula.second) value(0.0, at);
  double least = std::numeric_limits<double>::infinity(), before = least;
  for (int i = 0, grown = 0; i < most && grown < 2; ++i, h *= 0.25) {
    derivative.setZero();
    other.setZero();
    const double unit = formula.second ? h * h : h;
    for (std::size_t k = 0; k < 3; ++k) {
      const double s = static_cast<double>(k + 1) * h;
      value(s, ahead);
      value(-s, behind);
      if (k == 0 && !formula.second && ahead == behind) return derivative;  // nothing depends on s
      if (formula.second) ahead = (ahead - at) + (behind - at);
      else ahead -= behind;
      derivative += formula.sixth[k] / unit * ahead;
      other += formula.fourth[k] / unit * ahead;
    }
    const double apart = size_of(derivative - other);
    if (!std::isfinite(apart)) return derivative;
    if (apart < least) {
      least = apart;
      best = derivative;
    }
    grown = apart > before ? grown + 1 : 0;
    before = apart;
    if (apart <= agreeing * size_of(derivative) + rounding * std::max(1.0, size) / unit) break;
  }
  return best;
}

}  // namespace

double CallbackDifferences::step_of(double x) {
  const double h = first_step * std::max(1.0, std::abs(x));
  return (x + h) - x;
}

void CallbackDifferences::position_jacobian(double t, const ConstVector& q, Rows G) const {
  Vector moved = q, ahead(G.rows()), behind(G.rows());
  for (Index i = 0; i < q.size(); ++i) {
    const double h = step_of(q[i]);
    moved[i] = q[i] + h;
    own_.constraint(t, moved.data(), nullptr, ahead.data());
    moved[i] = q[i] - h;
    own_.constraint(t, moved.data(), nullptr, behind.data());
    moved[i] = q[i];
    G.col(i) = (ahead - behind) / (2.0 * h);
  }
}

void CallbackDifferences::velocity_jacobian(double t, const ConstVector& q, Rows C) const {
  Vector v = Vector::Zero(q.size()), at_rest(C.rows()), moving(C.rows());
  own_.velocity_constraint(t, q.data(), v.data(), at_rest.data());
  for (Index i = 0; i < q.size(); ++i) {
    v[i] = 1.0;
    own_.velocity_constraint(t, q.data(), v.data(), moving.data());
    v[i] = 0.0;
    C.col(i) = moving - at_rest;
  }
}

void CallbackDifferences::add_time_rate(double t, const ConstVector& q, Eigen::Ref<Vector> rate) const {
  rate += along(first_derivative, rate.size(), line_step, size_of(q),
                [&](double s, Vector& g) { own_.constraint(t + s, q.data(), nullptr, g.data()); });
}

void CallbackDifferences::rate(double t, const ConstVector& q, const ConstVector& v, Eigen::Ref<Vector> rate) const {
  Vector moved(q.size());
  rate = along(first_derivative, rate.size(), line_step_of(v), size_of(q), [&](double s, Vector& g) {
    moved = q + s * v;
    own_.constraint(t + s, moved.data(), nullptr, g.data());
  });
}

void CallbackDifferences::bias(double t, const ConstVector& q, const ConstVector& v, Eigen::Ref<Vector> bias) const {
  const double h = line_step_of(v);
  Vector moved(q.size());
  if (own_.position_rows > 0)
    bias.head(own_.position_rows) =
        -along(second_derivative, own_.position_rows, h, size_of(q), [&](double s, Vector& g) {
          moved = q + s * v;
          own_.constraint(t + s, moved.data(), nullptr, g.data());
        });
  if (own_.velocity_rows > 0)
    bias.tail(own_.velocity_rows) =
        -along(first_derivative, own_.velocity_rows, h, size_of(v), [&](double s, Vector& c) {
          moved = q + s * v;
          own_.velocity_constraint(t + s, moved.data(), v.data(), c.data());
        });
}

void CallbackDifferences::force_derivatives(double t, const Vector& q, const Vector& v, Matrix& f_q,
                                            Matrix& f_v) const {
  const Index n = q.size();
  f_q.resize(n, n);
  f_v.resize(n, n);
  Vector x = q, w = v, ahead(n), behind(n);
  const auto column = [&](Vector& moved, Index i, Matrix& derivative) {
    const double at = moved[i], h = step_of(at);
    moved[i] = at + h;
    own_.force(t, x.data(), w.data(), ahead.data());
    moved[i] = at - h;
    own_.force(t, x.data(), w.data(), behind.data());
    moved[i] = at;
    derivative.col(i) = (ahead - behind) / (2.0 * h);
  };
  for (Index i = 0; i < n; ++i) {
    column(x, i, f_q);
    column(w, i, f_v);
  }
}

}  // namespace raak_v0::detail
