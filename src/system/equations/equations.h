// Turns equations written once as a struct into a ConstrainedSystem:
//
//   struct Pendulum {
//     static constexpr int coordinates = 2, constraints = 1;
//     void mass(const auto& t, const auto& q, auto& M) const;                       // M(i,j), starts at zero
//     void force(const auto& t, const auto& q, const auto& v, auto& f) const;       // f[i], starts at zero
//     void constraint(const auto& t, const auto& q, auto& g) const;                 // g[i]
//   };
//
// and, if it has them: `velocity_constraints` and velocity_constraint(t, q, v, c) for non-holonomic rows; potential(t,
// q), power(t, q, v) of forces that are not in the potential, input_energy(t, q) where that work is known in closed
// form, energy_unit() if the equations are scaled, potentials(t, q), an array, and energy_names() to name the parts of
// the energy; output(state, values); description(). The functions are called with numbers that record what is computed
// with them (tape.h); everything else is derived from the recording, as for a mechanism (recorded_system.h). Formulas
// may call sin, cos, tan, atan2, exp, log, sqrt, tanh, abs, min, max and pow(x, number), unqualified.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "system/recorded/recorded_system.h"

namespace raak {

struct EnergyNames {
  std::vector<std::string> potentials = {"potential"};
  std::string forces = "forces";  // of power() or input_energy()
  bool dissipative = false;       // they only take energy
};

template <class Problem>
constexpr int velocity_rows_of() {
  if constexpr (requires { Problem::velocity_constraints; }) return Problem::velocity_constraints;
  else return 0;
}

template <class Problem>
class EquationFormulas final : public Formulas {
  using Kind = EnergyAccount::Kind;

 public:
  explicit EquationFormulas(Problem problem) : problem_(std::move(problem)) {}

  void mass(const Recorded& t, const Reals& q, SymmetricEntries& M) const override {
    SymmetricEntries written(M.size());
    problem_.mass(t, q, written);
    for (const auto& [at, entry] : written.all())
      if (!entry.is_zero()) M(at.first, at.second) = entry;
  }
  void force(const Recorded& t, const Reals& q, const Reals& v, Reals& f) const override { problem_.force(t, q, v, f); }
  void constraint(const Recorded& t, const Reals& q, Reals& g) const override {
    if constexpr (Problem::constraints > 0)
      append(Problem::constraints, g, [&](Reals& rows) { problem_.constraint(t, q, rows); });
  }
  void velocity_constraint(const Recorded& t, const Reals& q, const Reals& v, Reals& c) const override {
    if constexpr (velocity_rows_of<Problem>() > 0)
      append(velocity_rows_of<Problem>(), c, [&](Reals& rows) { problem_.velocity_constraint(t, q, v, rows); });
  }

  Recorded potential(const Recorded& t, const Reals& q) const override {
    Recorded sum(0.0);
    for (const Recorded& part : potentials(t, q)) sum += part;
    return sum;
  }
  Recorded power(const Recorded& t, const Reals& q, const Reals& v) const override {
    if constexpr (requires { problem_.power(t, q, v); }) return problem_.power(t, q, v);
    else return {0.0};
  }
  std::optional<Recorded> input_energy(const Recorded& t, const Reals& q) const override {
    if constexpr (requires { problem_.input_energy(t, q); }) return problem_.input_energy(t, q);
    else return std::nullopt;
  }
  Live energy_unit() const override {
    if constexpr (requires { problem_.energy_unit(); }) return problem_.energy_unit();
    else return 1.0;
  }
  bool accounts_for_energy() const override {
    return requires(Recorded t, Reals q) {
      problem_.potential(t, q);
    }
    || requires(Recorded t, Reals q) {
      problem_.potentials(t, q);
    }
    || requires(Recorded t, Reals q) {
      problem_.input_energy(t, q);
    }
    || requires(Recorded t, Reals q) {
      problem_.power(t, q, q);
    };
  }
  std::vector<EnergyTerm> energy_terms(const Recorded& t, const Reals& q, const Reals& v) const override {
    EnergyNames names;
    if constexpr (requires { problem_.energy_names(); }) names = problem_.energy_names();
    std::vector<EnergyTerm> terms;
    std::size_t i = 0;
    for (const Recorded& part : potentials(t, q)) terms.push_back({{Kind::potential, names.potentials.at(i++)}, part});
    terms.push_back({{names.dissipative ? Kind::dissipation : Kind::input, names.forces}, power(t, q, v)});
    return terms;
  }
  void outputs(const RecordedState& state, Reals& values) const override {
    if constexpr (requires { problem_.output(state, values); })
      append(static_cast<int>(description().outputs.size()), values,
             [&](Reals& rows) { problem_.output(state, rows); });
  }

  Description description() const {
    if constexpr (requires { problem_.description(); }) return problem_.description();
    else return {};
  }

 private:
  template <class Write>
  static void append(int rows, Reals& to, const Write& write) {
    Reals values(static_cast<std::size_t>(rows), Recorded(0.0));
    write(values);
    to.insert(to.end(), values.begin(), values.end());
  }
  Reals potentials(const Recorded& t, const Reals& q) const {
    Reals parts;
    if constexpr (requires { problem_.potentials(t, q); }) {
      for (const Recorded& part : problem_.potentials(t, q)) parts.push_back(part);
    } else if constexpr (requires { problem_.potential(t, q); }) {
      parts.push_back(problem_.potential(t, q));
    }
    return parts;
  }
  Problem problem_;
};

template <class Problem>
class Equations final : public RecordedSystem {
 public:
  explicit Equations(Problem problem) : Equations(std::make_shared<EquationFormulas<Problem>>(std::move(problem))) {}
  // Results show the coordinates that the equations are written in.
  void report(const State& state, State& shown) const override { shown = state; }

 private:
  explicit Equations(const std::shared_ptr<const EquationFormulas<Problem>>& formulas)
      : RecordedSystem(formulas, Problem::coordinates, Problem::constraints, velocity_rows_of<Problem>(),
                       formulas->description()) {}
};

template <class Problem>
std::shared_ptr<const ConstrainedSystem> make_system(Problem problem) {
  return std::make_shared<Equations<Problem>>(std::move(problem));
}

}  // namespace raak
