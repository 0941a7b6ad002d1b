// The slider crank driven by a formula of t. The document drives the crank at constant speed, phi1 = Omega t, and says
// that other functions could be prescribed: the drive's row becomes 0 = phi1 - motion(t).
#pragma once
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/parameters.h"
#include "base/text/expression.h"
#include "problems/slider_crank/slider_crank_equations.h"
#include "system/constrained_system.h"

namespace raak {

// The formula "motion" of the parameters, over time and the constants of the problem.
class CrankMotion {
 public:
  explicit CrankMotion(const Parameters& parameters);

  double at(double t) const;  // rad
  Recorded at(const Recorded& t) const;

 private:
  template <class Real>
  Real value(const Real& t) const;

  Expression formula_;
  std::vector<std::pair<std::string, double>> constants_;
};

std::shared_ptr<const ConstrainedSystem> make_driven_system(const SliderCrank& problem, const CrankMotion& motion);

}  // namespace raak
