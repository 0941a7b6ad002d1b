// Kernels that all elements with the same formulas share, and the record of such an element in an evaluation: the
// entries of its Jacobian G that vary, then its front (block_elimination.h) of S = G M^-1 G'.
// Where an element meets one or two bodies its kernels read their records in place; where it meets more, the records
// are gathered one behind the other.
#pragma once
#include <array>
#include <memory>
#include <vector>

#include "base/linear/block_elimination.h"
#include "base/tape/kernel.h"
#include "mechanism/large/element_formulas.h"

namespace raak {

// What is solved for: the accelerations, or corrections of coordinates or rates.
enum class Solve { accelerations, positions, velocities };
// A kernel for each of them; null: nothing is to be done.
using KernelsBySolve = std::array<const Kernel*, 3>;

class RowKernels {
 public:
  explicit RowKernels(const ElementFormulas& formulas);

  const ElementFormulas& formulas() const { return formulas_; }
  int rows() const { return static_cast<int>(formulas_.position.size() + formulas_.velocity.size()); }
  int position_rows() const { return static_cast<int>(formulas_.position.size()); }
  bool gathers() const { return formulas_.kinds.size() > 2; }
  // Of the record.
  int stored() const { return stored_; }
  int right_side() const { return stored_ + rows() * (rows() + 1) / 2 + rows(); }
  int size() const { return stored_ + front_size(rows()); }

  // Inputs: time, parameters, bodies; output: the record with right-hand side G a0 - bias, g or [g'; c].
  std::unique_ptr<Kernel> accelerations, positions, velocities;
  // The same, but the right-hand side alone.
  std::unique_ptr<Kernel> gaps, rates;
  // Inputs: the record with multipliers, (none), bodies; outputs: x of each body less M^-1 G' lambda.
  std::unique_ptr<Kernel> apply;
  // Inputs: time, parameters, bodies gathered, multipliers; output: the power of each of moving_rows(). Null: none.
  std::unique_ptr<Kernel> power;
  // The rows that do work since they move in time.
  const std::vector<int>& moving_rows() const { return moving_rows_; }
  // Inputs: time, parameters, bodies gathered; output: the switching functions of its formulas. Null: none.
  std::unique_ptr<Kernel> switches;
  // By what is solved for.
  const KernelsBySolve& solve() const { return solve_; }
  const KernelsBySolve& back() const { return back_; }  // apply

  // One entry of G: row, body, coordinate, and its value if that never changes, else its place in the record.
  struct Entry {
    int row, body, coordinate, stored;
    double value;
  };
  const std::vector<Entry>& entries() const { return entries_; }

 private:
  std::unique_ptr<Kernel> record_solve(Solve what);
  std::unique_ptr<Kernel> record_right_side(bool rates) const;
  std::unique_ptr<Kernel> record_apply() const;
  std::unique_ptr<Kernel> record_power();

  ElementFormulas formulas_;
  std::vector<Entry> entries_;
  std::vector<int> moving_rows_;
  int stored_ = 0;
  KernelsBySolve solve_{}, back_{};
};

// What a force stores, in J, and the rates at which it works, in W. The work of a potential that changes in time is
// that of whoever moves its supports.
struct ForceEnergy {
  double potential = 0.0, moved = 0.0, input = 0.0, dissipation = 0.0;

  double power() const { return moved + input + dissipation; }
};

class ForceKernels {
 public:
  explicit ForceKernels(const ElementFormulas& formulas);

  const ElementFormulas& formulas() const { return formulas_; }
  bool gathers() const { return formulas_.kinds.size() > 2; }
  // Inputs: time, parameters, bodies; outputs: x of each body plus the force.
  std::unique_ptr<Kernel> apply;
  // Inputs: time, parameters, bodies gathered; output: the numbers of a ForceEnergy.
  std::unique_ptr<Kernel> energy;
  // As those of rows.
  std::unique_ptr<Kernel> switches;
  // Parts that are not zero by their formulas.
  bool stores = false, is_moved = false, puts_in = false, dissipates = false;
  bool has_power() const { return is_moved || puts_in || dissipates; }
  const KernelsBySolve& solve() const { return solve_; }

 private:
  ElementFormulas formulas_;
  KernelsBySolve solve_{};
};

// The block of S between two elements that share bodies: numbers of each shared body in both of them. Inputs: records
// of the row's and of the column's element, then the shared bodies (one or two in place, more gathered).
struct SharedBody {
  int in_row, in_column;
  // NOLINTNEXTLINE(modernize-use-nullptr): the linter takes the comparison for a pointer
  auto operator<=>(const SharedBody&) const = default;
};
std::unique_ptr<Kernel> record_pair(const RowKernels& row, const RowKernels& column,
                                    const std::vector<SharedBody>& shared, bool positions_only);

}  // namespace raak
