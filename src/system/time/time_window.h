// A short span of time with the nodes of a polynomial: values at the nodes are differentiated and integrated by the
// polynomial through them. The nodes are those of Chebyshev and Lobatto, the first at the beginning of the span;
// derivatives by barycentric weights (Berrut and Trefethen, Barycentric Lagrange interpolation, SIAM Review 46, 2004,
// 9.3).
#pragma once
#include "base/linear/linear.h"

namespace raak {

class TimeWindow {
 public:
  TimeWindow(double start, double length, Eigen::Index nodes);

  Eigen::Index nodes() const { return t_.size(); }
  double length() const { return length_; }
  double t(Eigen::Index node) const { return t_[node]; }

  // A row for each node, a column for each component.
  Matrix derivative(const Matrix& values) const { return D_ * values; }
  // Of each component, the part of the highest polynomial of Chebyshev in it: small where the polynomial follows what
  // the values are of.
  Vector highest_part(const Matrix& values) const;
  // From the beginning of the span.
  Matrix integral(const Matrix& values) const { return I_ * values; }

 private:
  double length_;
  Vector t_;
  Matrix D_, I_;
};

}  // namespace raak
