// What the rows of a sweep come to: moments, quantiles, histograms, Sobol indices, and where cases failed. Sums follow
// a tree that depends on the number of cases alone, so that every run of a sweep has the same summary to the bit.
#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "output/formats/json.h"
#include "study/sweep/store/sweep_results.h"

namespace raak {

// f(0) + .. + f(count - 1), halves first: the rounding errors grow with the logarithm of the count (Higham 1993).
template <class Term>
double tree_sum(std::size_t first, std::size_t count, const Term& f) {
  constexpr std::size_t leaf = 8;
  if (count <= leaf) {
    double sum = 0.0;
    for (std::size_t i = first; i < first + count; ++i) sum += f(i);
    return sum;
  }
  const std::size_t half = count / 2;
  return tree_sum(first, half, f) + tree_sum(first + half, count - half, f);
}

struct Moments {
  std::size_t count = 0;  // of the numbers that are finite
  double mean, deviation, min, max;
};
Moments moments_of(std::span<const double> finite);

// Of numbers in ascending order, linear between them: definition 7 of Hyndman and Fan (1996).
double quantile_of(std::span<const double> ascending, double p);

// Shares of the variance that each factor accounts for alone, and with all that it takes part in: Saltelli et al.,
// Computer Physics Communications 181 (2010) 259, table 2 (b) and, after Jansen (1999), (f).
struct SobolIndices {
  std::vector<double> first, total;
  std::size_t groups = 0;  // without a failed case
};
// `values`: case by case, in groups of A, one with each factor from B, B.
SobolIndices sobol_indices(std::span<const double> values, std::size_t factors);

// The document of summary.json.
Json summary_document(const SweepResults& results);

}  // namespace raak
