// The energy of a recorded system part by part: the terms of its formulas, and the power lambda' [g_t; c - A v] of each
// row that moves in time.
#pragma once
#include <memory>

#include "base/tape/kernel.h"
#include "system/constrained_system.h"
#include "system/energy_accounts.h"
#include "system/recorded/formulas.h"

namespace raak {

class RecordedAccounts final : public EnergyAccounts {
 public:
  RecordedAccounts(const Formulas& formulas, const ConstrainedSystem& system);

  void potential_energies(double t, const Vector& q, Vector& energies) const override;
  void work_rates(const State& state, Vector& rates) const override;

 private:
  void evaluate(double t, const double* q, const double* v, const double* lambda, double* energies,
                double* rates) const;

  std::unique_ptr<Kernel> kernel_;
  Vector still_;  // zeros for what potentials do not depend on
};

}  // namespace raak
