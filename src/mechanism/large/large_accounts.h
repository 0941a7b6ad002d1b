// The energy of a mechanism of many bodies part by part, evaluated element by element: gravity, what each spring
// stores, the work of each force, damper and driver. The same accounts, in the same order, as those of a mechanism that
// is recorded as a whole (system/recorded/recorded_accounts.h).
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "mechanism/large/evaluation.h"
#include "system/energy_accounts.h"

namespace raak {

class LargeAccounts final : public EnergyAccounts {
 public:
  // `rows`: the names of the constraints, by multiplier.
  LargeAccounts(std::shared_ptr<const LargeEvaluation> evaluation, const std::vector<Row>& rows);

  void potential_energies(double t, const Vector& q, Vector& energies) const override;
  void work_rates(const State& state, Vector& rates) const override;
  // Of all of them, J.
  double potential(double t, const Vector& q) const;

 private:
  double gravity(const Vector& q) const;

  // A part of what one of the force elements reports.
  struct Part {
    std::size_t element;
    double ForceEnergy::*value;
  };
  std::shared_ptr<const LargeEvaluation> evaluation_;
  bool falls_ = false;  // there is gravity, whose account is the first
  std::vector<Part> stored_, worked_;
};

}  // namespace raak
