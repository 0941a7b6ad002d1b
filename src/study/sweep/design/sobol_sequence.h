// The sequence of Sobol' in the order of Gray's code (Antonov and Saleev 1979) with the direction numbers of Joe and
// Kuo, Constructing Sobol sequences with better two-dimensional projections, SIAM J. Sci. Comput. 30 (2008) 2635: each
// point by its number.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

namespace raak {

class SobolSequence {
 public:
  static constexpr int most_dimensions = 128;  // in joe_kuo.csv
  static constexpr int bits = 32;              // of the number of a point

  explicit SobolSequence(int dimensions);
  // The coordinate as a binary fraction of 64 bits.
  std::uint64_t at(std::uint64_t point, int dimension) const;

 private:
  std::vector<std::array<std::uint64_t, bits>> directions_;
};

}  // namespace raak
