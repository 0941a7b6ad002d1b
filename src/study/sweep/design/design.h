// The cases of a sweep: the numbers of case i depend on the plan and i alone, whoever asks for them and when.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "study/sweep/design/case_table.h"
#include "study/sweep/design/sobol_sequence.h"
#include "study/sweep/sweep_plan.h"

namespace raak {

class Design {
 public:
  // Reads the table of cases, if there is one.
  explicit Design(const SweepPlan& plan, const FileReader& read = read_text);

  std::uint64_t cases() const { return cases_; }
  // What varies, in the order of the numbers of a case.
  const std::vector<Factor>& factors() const { return factors_; }
  void numbers(std::uint64_t i, std::span<double> values) const;

  // Where Sobol indices are wanted, the cases come in groups: A, one with factor k from B for each k, B.
  std::uint64_t group() const { return indices_ ? factors_.size() + 2 : 1; }
  // Of the table of cases; 0: there is none.
  std::uint64_t table_hash() const { return table_ ? table_->hash() : 0; }

 private:
  double unit(std::uint64_t point, std::uint32_t dimension) const;

  DesignKind kind_;
  std::uint64_t samples_, seed_, cases_ = 0;
  bool indices_;
  std::vector<Factor> factors_;
  std::optional<CaseTable> table_;
  std::optional<SobolSequence> sequence_;
  std::vector<std::uint64_t> shift_;  // of the sequence, by the seed: Cranley and Patterson's idea in base 2
};

// The place of i in a permutation of 0 .. count - 1 that the seed chooses: a network of Feistel whose rounds are
// Philox, walked until it is inside (Black and Rogaway 2002, cycle-walking).
std::uint64_t permuted(std::uint64_t i, std::uint64_t count, std::uint64_t seed, std::uint32_t dimension);

}  // namespace raak
