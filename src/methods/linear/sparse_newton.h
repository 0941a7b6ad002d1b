// The simplified Newton correction of newton_lanes.h for mechanisms of many bodies: the matrix
//   [ M + h nu D + (h nu)^2 K   G' ]
//   [ G                         0  ]
// is kept by its nonzero entries, the pairs of eigenvalues in lanes, and its factors are computed in an order that is
// found once (pattern_elimination.h). Of a chain of 100 rods they take 1/2000 of the operations of dense ones.
#pragma once
#include <memory>
#include <vector>

#include "methods/collocation/newton_lanes.h"
#include "methods/linear/pattern_elimination.h"

namespace raak {

// Where the entries of a linearization go.
class SaddlePattern {
 public:
  explicit SaddlePattern(const StateLinearization& system);

  const PatternElimination& elimination() const { return *elimination_; }
  int coordinates() const { return n_; }

  // Of the entries of each matrix in the order in which they are stored.
  std::vector<std::size_t> M, inertia, f_q, f_v, G, G_transposed;

 private:
  int n_;
  std::unique_ptr<PatternElimination> elimination_;
};

template <int s>
class SparseNewton final : public StageCorrection<s> {
 public:
  explicit SparseNewton(const CollocationSpectrum& spectrum) : StageCorrection<s>(spectrum) {}

  bool factor(const StateLinearization& system, double h) override;
  double correct(const double* residual, double* a, const double* weight, const int* component) override;
  double departure(const double* weight, const int* component) const override;
  double factor_cost() const override;
  double correction_cost() const override;
  void visit_state(Archive& archive, const std::shared_ptr<const SaddlePattern>& pattern) override {
    bool factored = pattern_ != nullptr;
    archive(factored, M_, G_, values_, x_, right_, scratch_, departure_);
    if (archive.is_loading()) pattern_ = factored ? pattern : nullptr;
  }

 private:
  using StageCorrection<s>::groups;
  using StageCorrection<s>::nu_;

  // x of the unknowns from the residual at the coordinates, which x holds at first; the multipliers come last.
  void solve(std::size_t g, ComplexPack* x) const;

  std::shared_ptr<const SaddlePattern> pattern_;
  SparseMatrix M_, G_;  // as they were linearized
  std::vector<ComplexPack> values_;
  mutable std::vector<ComplexPack> x_, right_, scratch_;
  mutable double departure_ = -1.0;  // negative: not known yet
};

extern template class SparseNewton<4>;
extern template class SparseNewton<8>;
extern template class SparseNewton<16>;

}  // namespace raak
