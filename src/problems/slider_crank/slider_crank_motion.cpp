#include "problems/slider_crank/slider_crank_motion.h"

#include <numbers>

#include "system/recorded/recorded_system.h"

namespace raak {
namespace {

using Kind = EnergyAccount::Kind;

// The equations of the problem with another drive.
class DrivenCrank final : public Formulas {
 public:
  DrivenCrank(const SliderCrank& problem, CrankMotion motion) : equations_(problem), motion_(std::move(motion)) {}

  void mass(const Recorded& t, const Reals& q, SymmetricEntries& M) const override { equations_.mass(t, q, M); }
  void force(const Recorded& t, const Reals& q, const Reals& v, Reals& f) const override {
    equations_.force(t, q, v, f);
  }
  void constraint(const Recorded& t, const Reals& q, Reals& g) const override {
    equations_.constraint(t, q, g);
    g.back() = q[0] - motion_.at(t);
  }
  Recorded potential(const Recorded& t, const Reals& q) const override { return problem().potential(t, column(q)); }
  Recorded power(const Recorded& t, const Reals& q, const Reals& v) const override {
    return problem().power(t, column(q), column(v));
  }
  std::vector<EnergyTerm> energy_terms(const Recorded& t, const Reals& q, const Reals& v) const override {
    const EnergyNames names = problem().energy_names();
    std::vector<EnergyTerm> terms;
    std::size_t i = 0;
    for (const Recorded& part : problem().potentials(t, column(q)))
      terms.push_back({{Kind::potential, names.potentials[i++]}, part});
    terms.push_back({{Kind::dissipation, names.forces}, power(t, q, v)});
    return terms;
  }

 private:
  using Column7 = Column<Recorded, SliderCrank::coordinates>;
  const SliderCrank& problem() const { return equations_.terms().problem; }
  static Column7 column(const Reals& x) {
    Column7 all;
    std::copy(x.begin(), x.end(), all.begin());
    return all;
  }

  EquationFormulas<SliderCrank> equations_;
  CrankMotion motion_;
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
  return std::make_shared<RecordedSystem>(std::make_shared<DrivenCrank>(problem, motion), SliderCrank::coordinates,
                                          SliderCrank::constraints, 0, problem.description());
}

}  // namespace raak
