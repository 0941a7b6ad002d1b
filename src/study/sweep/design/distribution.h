// How a varied number is distributed. A design gives u between 0 and 1, and the number is the quantile at u.
#pragma once
#include <string>
#include <vector>

namespace raak {

struct Distribution {
  enum class Kind {
    uniform,     // from, to
    normal,      // mean, standard deviation
    triangular,  // from, the most frequent, to
    lognormal,   // mean and standard deviation of the logarithm
    list         // each value as often as the others
  };
  Kind kind = Kind::uniform;
  std::vector<double> numbers;

  double quantile(double u) const;
  // Level k of `count`, evenly spaced from end to end; of a list its entries.
  double level(std::size_t k, std::size_t count) const;

  friend bool operator==(const Distribution&, const Distribution&) = default;
};

std::string name_of(Distribution::Kind kind);
// Why such numbers are none of this kind; empty: they are.
std::string flaw_of(const Distribution& distribution);

// Of the standard normal distribution, to 16 digits: Wichura, Algorithm AS 241, Appl. Statist. 37 (1988) 477, PPND16.
double normal_quantile(double p);

}  // namespace raak
