#include "problems/slider_crank/slider_crank_motion.h"

#include <numbers>

namespace raak {
namespace {

// The equations of the problem with another drive.
struct DrivenCrank : SliderCrank {
  CrankMotion motion;

  void constraint(const auto& t, const auto& q, auto& g) const {
    SliderCrank::constraint(t, q, g);
    g[2] = q[0] - motion.at(t);
  }
};

}  // namespace

CrankMotion::CrankMotion(const Parameters& parameters) : formula_(parameters.formula("motion")) {
  for (const Parameter& p : parameters.all())
    if (p.is_number()) constants_.emplace_back(p.name, parameters.number(p.name));
  constants_.emplace_back("pi", std::numbers::pi);
}

template <class Real>
Real CrankMotion::value(const Real& t) const {
  return formula_.evaluate<Real>([&](const Expression::Name& name) {
    for (const auto& [constant, number] : constants_)
      if (constant == name.text) return Real(number);
    return t;  // the one name that is left: parameters refuse others
  });
}

double CrankMotion::at(double t) const {
  return value(t);
}

Recorded CrankMotion::at(const Recorded& t) const {
  return value(t);
}

std::shared_ptr<const ConstrainedSystem> make_driven_system(const SliderCrank& problem, const CrankMotion& motion) {
  return make_system(DrivenCrank{problem, motion});
}

}  // namespace raak
