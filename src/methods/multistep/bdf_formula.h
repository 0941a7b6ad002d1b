// Backward differentiation formulas of order 1 to 5 with fixed leading coefficient for variable steps, in modified
// divided differences: prediction, error estimates, choice of order and step, interpolation. K. Brenan, S. Campbell and
// L. Petzold, Numerical Solution of Initial-Value Problems in Differential-Algebraic Equations, SIAM 1996, section 5.2.
// The formula knows nothing of the equations: the caller solves y' = y'_predicted + (y - y_predicted) / w for y.
#pragma once
#include <array>
#include <functional>

#include "base/linear/linear.h"
#include "methods/resumable.h"

namespace raak {

class BdfFormula {
 public:
  static constexpr int highest_order = 5;
  // Size of an error vector in units of the tolerance.
  using Norm = std::function<double(const Vector&)>;

  BdfFormula(Eigen::Index dimension, Norm norm);

  // Begins at order 1 from y with y' = slope.
  void begin(const Vector& y, const Vector& slope);
  // Sets the coefficients for a step h and predicts y and y'; the history stays as it is.
  void predict(double h, Vector& y, Vector& slope);
  double w() const { return w_; }  // s: h over the leading coefficient
  // Error of the step in units of the tolerance, from the difference between the solution and the prediction.
  double error(const Vector& difference);
  // Takes the step into the history; returns the next step.
  double accept();
  // The history stays; returns a smaller step. `by_error`: the last error() was too large; otherwise there was none.
  double reject(bool by_error);

  // Chooses no higher order than this.
  void limit_order(int highest) { limit_ = highest; }

  // y at s seconds from the last accepted point.
  void interpolate(double s, Vector& y) const;

  int order() const { return k_; }

  void visit_state(Archive& archive) {
    archive(k_, next_k_, done_k_, limit_, same_, failures_, since_failure_, starting_, h_, done_h_, w_);
    archive(error_constant_, estimate_, term_, term_below_, error_below_, psi_, new_psi_, alpha_, beta_, sigma_);
    archive(gamma_, phi_, phi_star_, difference_);
    scratch(norm_, work_);
  }

 private:
  void choose_order();
  void keep_limit();

  Norm norm_;
  int k_ = 1;
  int next_k_ = 1;
  int done_k_ = 0;  // order of the last accepted step
  int limit_ = highest_order;
  int same_ = 0;                          // accepted steps in a row with the present order and step
  int failures_ = 0, since_failure_ = 0;  // of this step; steps since the last one that failed
  bool starting_ = true;                  // order and step are raised at every step
  double h_ = 0.0, done_h_ = 0.0, w_ = 0.0;
  double error_constant_ = 0.0, estimate_ = 0.0;
  double term_ = 0.0, term_below_ = 0.0, error_below_ = 0.0;  // k + 1 times the error of order k; the same one below
  // Index i holds the quantity of index i + 1 in the book.
  std::array<double, highest_order + 2> psi_{}, new_psi_{}, alpha_{}, beta_{}, sigma_{}, gamma_{};
  Matrix phi_;       // modified divided differences at the last accepted point
  Matrix phi_star_;  // the same in terms of the new step
  Vector difference_, work_;
};

}  // namespace raak
