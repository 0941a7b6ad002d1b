// Adams-Bashforth-Moulton formulas of order 1 to 12 for variable steps, in the modified divided differences of Krogh:
// prediction, correction, error estimates, choice of order and step, interpolation.
// Shampine and Gordon, Computer Solution of Ordinary Differential Equations, Freeman 1975, chapters 5, 6, 7 and 10.
// The formula knows nothing of the equations: y' = f is evaluated by the caller, in the order P E C E.
#pragma once
#include <array>
#include <functional>

#include "base/linear/linear.h"
#include "methods/resumable.h"

namespace raak {

class AdamsFormula {
 public:
  static constexpr int highest_order = 12;
  // Size of an error vector in units of the tolerance.
  using Norm = std::function<double(const Vector&)>;

  AdamsFormula(Eigen::Index dimension, Norm norm);

  // Begins at order 1 with y' = f0; returns a first step for a span of the given length and sign.
  double begin(const Vector& f0, double span);

  // P: y at t + h. Sets the coefficients for the step; the history stays as it is.
  void predict(double h, const Vector& y, Vector& predicted);
  // Error of the step from the derivative at the prediction, in units of the tolerance.
  double error(const Vector& f_predicted);
  // C: one order higher than the prediction.
  void correct(const Vector& predicted, Vector& y) const;
  // The error that remains after the correction, as a part of the correction.
  double error_share() const;
  // Takes the derivative at the corrected value into the history; returns the next step. `magnification`: how much
  // larger the error is by measures that the norm does not know.
  double accept(const Vector& f, double magnification = 1.0);
  // The history stays; returns a smaller step (and lowers the order after repeated failure).
  double reject();

  // y at s seconds from the last accepted point, where y was y_end.
  void interpolate(double s, const Vector& y_end, Vector& y) const;

  int order() const { return k_; }

  void visit_state(Archive& archive) {
    archive(k_, steps_at_this_size_, failures_, starting_, history_, h_, last_h_, error_k_, error_k_minus_1_);
    archive(error_k_minus_2_, lower_, psi_, new_psi_, alpha_, beta_, sigma_, g_, phi_, phi_star_, sum_, difference_);
    scratch(norm_, work_);
  }

 private:
  void set_coefficients(double h);

  Norm norm_;
  int k_ = 1;
  int steps_at_this_size_ = 0;  // accepted steps in a row with the present h, at most k + 2
  int failures_ = 0;
  bool starting_ = true;  // order and step are raised at every step
  int history_ = 1;       // columns of phi_ in use
  double h_ = 0.0, last_h_ = 0.0;
  double error_k_ = 0.0, error_k_minus_1_ = 0.0, error_k_minus_2_ = 0.0;
  bool lower_ = false;
  // Index i holds the quantity of index i + 1 in the book.
  std::array<double, highest_order + 2> psi_{}, new_psi_{}, alpha_{}, beta_{}, sigma_{}, g_{};
  Matrix phi_;       // modified divided differences at the last accepted point
  Matrix phi_star_;  // the same in terms of the new step
  Vector sum_;       // phi*_1 + ... + phi*_k, the predicted derivative
  Vector difference_, work_;
};

}  // namespace raak
