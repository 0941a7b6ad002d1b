// The error that a collocation step makes in its stiff modes. Its order is twice its degree where all modes are slow
// beside the step; in those that are not the end of the step is no better than the stages, and the last Legendre
// coefficient c of the accelerations is what they lack. The Newton correction W of the stages is near 1 for slow modes
// and near 0 for those so fast that they follow the others by themselves: W (1 - W)^3 c leaves those in between.
#pragma once
#include <algorithm>
#include <array>

#include "methods/collocation/collocation.h"
#include "methods/collocation/newton_lanes.h"

namespace raak {

template <int s>
class StiffError {
 public:
  StiffError(const Collocation& rule, int coordinates) : residual_(s * coordinates), change_(s * coordinates) {
    for (std::size_t j = 0; j < s; ++j) {
      const double y = 2.0 * rule.c[j] - 1.0;
      double before = 1.0;
      last_[j] = y;
      for (int k = 2; k < s; ++k) {
        const double next = ((2.0 * k - 1.0) * y * last_[j] - (k - 1.0) * before) / k;
        before = last_[j];
        last_[j] = next;
      }
    }
  }

  // The largest of the accelerations, times weight[d]. `series`: s terms for each component; `components`: those of the
  // unknowns.
  double measure(StageCorrection<s>& newton, const double* series, const double* weight, const int* components,
                 int unknowns) {
    constexpr int powers = 3;
    for (int i = 0; i < unknowns; ++i)
      for (int j = 0; j < s; ++j)
        residual_[s * i + j] = series[s * components[i] + s - 1] * last_[static_cast<std::size_t>(j)];
    for (int power = 0; power < powers; ++power) {
      correct(newton, weight, components, unknowns);
      for (int i = 0; i < unknowns; ++i)
        for (int j = 0; j < s; ++j) residual_[s * i + j] -= change_[s * components[i] + j];
    }
    return correct(newton, weight, components, unknowns);
  }

 private:
  double correct(StageCorrection<s>& newton, const double* weight, const int* components, int unknowns) {
    for (int i = 0; i < unknowns; ++i) std::fill_n(change_.data() + s * components[i], s, 0.0);
    return newton.correct(residual_.data(), change_.data(), weight, components);
  }

  std::array<double, s> last_;  // Legendre polynomial of degree s - 1 at the stages
  LaneArray residual_, change_;
};

}  // namespace raak
