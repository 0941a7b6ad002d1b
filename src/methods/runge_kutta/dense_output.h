// The dense output of a Runge-Kutta pair by its table, refined to the order of the step itself (refined_step.h):
// Hairer, Norsett and Wanner, Solving Ordinary Differential Equations I, section II.6.
#pragma once
#include <array>
#include <functional>

#include "methods/runge_kutta/refined_step.h"

namespace raak {

template <std::size_t size>
auto weights(const std::array<double, size>& row, int count) {
  return Eigen::Map<const Vector>(row.data(), count);
}

template <class Table>
class DenseOutput {
 public:
  DenseOutput(const ConstrainedSystem& system, const Tolerances& tolerances) : refined_(system, tolerances) {
    q_ = v_ = Matrix::Zero(system.coordinates(), 4 + static_cast<Eigen::Index>(Table::dense.size()));
  }

  // Of a step between two states, from the derivatives of q and v at its stages, one column each.
  void set_step(const State& from, const State& to, const Matrix& kq, const Matrix& kv) {
    find_terms(kq, from.q, to.q, to.t - from.t, q_);
    find_terms(kv, from.v, to.v, to.t - from.t, v_);
    refined_.forget();
  }
  void interpolate(const State& from, const State& to, double t, Vector& q, Vector& v) {
    const auto own = [&](double at, Vector& q_at, Vector& v_at) {
      const double s = (at - from.t) / (to.t - from.t);
      sum_terms(q_, s, q_at);
      sum_terms(v_, s, v_at);
    };
    refined_.interpolate(from, to, t, std::cref(own), q, v);
  }

  void visit_state(Archive& archive) { archive(q_, v_, refined_); }

 private:
  static void find_terms(const Matrix& k, const Vector& from, const Vector& to, double h, Matrix& y) {
    y.col(0) = from;
    y.col(1) = to - from;
    y.col(2) = h * k.col(0) - y.col(1);
    y.col(3) = y.col(1) - h * k.col(Table::end) - y.col(2);
    Eigen::Index column = 4;
    for (const auto& row : Table::dense) {
      y.col(column).noalias() = k * weights(row, Table::stages);
      y.col(column++) *= h;
    }
  }
  // At the part s of the step.
  static void sum_terms(const Matrix& y, double s, Vector& x) {
    Eigen::Index i = y.cols() - 1;
    x = y.col(i);
    while (--i >= 0) x = y.col(i) + (i % 2 == 0 ? s : 1.0 - s) * x;
  }

  Matrix q_, v_;  // the terms, one column each
  RefinedStep refined_;
};

}  // namespace raak
