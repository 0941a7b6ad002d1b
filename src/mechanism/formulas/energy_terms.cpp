// The energy of a mechanism force by force: what each stores, what each puts in, what each damper takes.
#include "base/tape/derivative.h"
#include "mechanism/forces/catalogue.h"
#include "mechanism/formulas/maximal.h"

namespace raak {

std::vector<EnergyTerm> MaximalFormulas::energy_terms(const Recorded& t, const Reals& q, const Reals& v) const {
  using Kind = EnergyAccount::Kind;
  const RecordedState state{t, q, v, {}, {}};
  const Scene scene(*instance_, state);
  std::vector<EnergyTerm> terms;
  const auto add = [&](Kind kind, const std::string& name, const Real& value) {
    if (!value.is_zero()) terms.push_back({{kind, name}, value});
  };
  add(Kind::potential, "gravity", gravity_potential(scene));
  for (const Element& force : instance_->mechanism().forces) {
    ForceSink sink;
    info_of_force(force).apply(ElementScene(scene, force), sink);
    add(Kind::potential, force.name, sink.potential);
    const Reals rates = derivative_along(sink.measures, q, v);
    Real put_in(0.0), taken(0.0);
    for (std::size_t i = 0; i < rates.size(); ++i) (sink.is_damping(i) ? taken : put_in) += sink.along[i] * rates[i];
    for (const ForceSink::Direct& direct : sink.direct)
      (direct.damping ? taken : put_in) += direct.force * v[coordinate_of(direct)];
    add(Kind::input, force.name, put_in);
    add(Kind::dissipation, force.name, taken);
  }
  return terms;
}

}  // namespace raak
