// The equations of a problem written once over a scalar type, as formulas over the recording scalar.
#pragma once
#include <utility>

#include "system/equations/equation_terms.h"
#include "system/recorded/formulas.h"

namespace raak {

template <class Problem>
class EquationFormulas final : public Formulas {
  using Terms = EquationTerms<Problem>;
  static constexpr int n = Terms::n;
  static constexpr int mp = Terms::mp;
  static constexpr int mv = Terms::mv;
  using Q = Column<Recorded, n>;

 public:
  explicit EquationFormulas(Problem problem) : terms_{std::move(problem)} {}
  const Terms& terms() const { return terms_; }

  void mass(const Recorded& t, const Reals& q, SymmetricEntries& M) const override {
    const Symmetric<Recorded, n> all = terms_.template mass<Recorded>(t, column(q));
    for (int i = 0; i < n; ++i)
      for (int j = 0; j <= i; ++j)
        if (!all(i, j).is_zero()) M(i, j) = all(i, j);
  }
  void force(const Recorded& t, const Reals& q, const Reals& v, Reals& f) const override {
    const Q all = terms_.template force<Recorded>(t, column(q), column(v));
    f.assign(all.begin(), all.end());
  }
  void constraint(const Recorded& t, const Reals& q, Reals& g) const override {
    const Column<Recorded, mp> rows = terms_.template constraint<Recorded>(t, column(q));
    g.insert(g.end(), rows.begin(), rows.end());
  }
  void velocity_constraint(const Recorded& t, const Reals& q, const Reals& v, Reals& c) const override {
    if constexpr (mv > 0) {
      Column<Recorded, mv> rows{};
      terms_.problem.velocity_constraint(t, column(q), column(v), rows);
      c.insert(c.end(), rows.begin(), rows.end());
    }
  }

 private:
  static Q column(const Reals& x) {
    Q all;
    for (std::size_t i = 0; i < n; ++i) all[i] = x[i];
    return all;
  }

  Terms terms_;
};

}  // namespace raak
