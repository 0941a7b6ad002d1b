#include "study/sweep/design/distribution.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace raak {
namespace {

template <std::size_t terms>
double polynomial(const std::array<double, terms>& c, double x) {
  double sum = 0.0;
  for (std::size_t i = terms; i-- > 0;) sum = sum * x + c[i];
  return sum;
}

double triangular_quantile(double from, double mode, double to, double u) {
  const double span = to - from, below = (mode - from) / span;
  if (u < below) return from + std::sqrt(u * span * (mode - from));
  return to - std::sqrt((1.0 - u) * span * (to - mode));
}

}  // namespace

double normal_quantile(double p) {
  constexpr std::array near_a{3.3871328727963666080e0, 1.3314166789178437745e2, 1.9715909503065514427e3,
                              1.3731693765509461125e4, 4.5921953931549871457e4, 6.7265770927008700853e4,
                              3.3430575583588128105e4, 2.5090809287301226727e3};
  constexpr std::array near_b{1.0,
                              4.2313330701600911252e1,
                              6.8718700749205790830e2,
                              5.3941960214247511077e3,
                              2.1213794301586595867e4,
                              3.9307895800092710610e4,
                              2.8729085735721942674e4,
                              5.2264952788528545610e3};
  constexpr std::array middle_a{1.42343711074968357734e0,  4.63033784615654529590e0, 5.76949722146069140550e0,
                                3.64784832476320460504e0,  1.27045825245236838258e0, 2.41780725177450611770e-1,
                                2.27238449892691845833e-2, 7.74545014278341407640e-4};
  constexpr std::array middle_b{1.0,
                                2.05319162663775882187e0,
                                1.67638483018380384940e0,
                                6.89767334985100004550e-1,
                                1.48103976427480074590e-1,
                                1.51986665636164571966e-2,
                                5.47593808499534494600e-4,
                                1.05075007164441684324e-9};
  constexpr std::array far_a{6.65790464350110377720e0,  5.46378491116411436990e0,  1.78482653991729133580e0,
                             2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
                             2.71155556874348757815e-5, 2.01033439929228813265e-7};
  constexpr std::array far_b{1.0,
                             5.99832206555887937690e-1,
                             1.36929880922735805310e-1,
                             1.48753612908506148525e-2,
                             7.86869131145613259100e-4,
                             1.84631831751005468180e-5,
                             1.42151175831644588870e-7,
                             2.04426310338993978564e-15};
  const double q = p - 0.5;
  if (std::abs(q) <= 0.425) {
    const double r = 0.180625 - q * q;
    return q * polynomial(near_a, r) / polynomial(near_b, r);
  }
  const double r = std::sqrt(-std::log(q < 0.0 ? p : 1.0 - p));
  const double size = r <= 5.0 ? polynomial(middle_a, r - 1.6) / polynomial(middle_b, r - 1.6)
                               : polynomial(far_a, r - 5.0) / polynomial(far_b, r - 5.0);
  return q < 0.0 ? -size : size;
}

double Distribution::quantile(double u) const {
  switch (kind) {
    case Kind::uniform:
      return numbers[0] + (numbers[1] - numbers[0]) * u;
    case Kind::normal:
      return numbers[0] + numbers[1] * normal_quantile(u);
    case Kind::triangular:
      return triangular_quantile(numbers[0], numbers[1], numbers[2], u);
    case Kind::lognormal:
      return std::exp(numbers[0] + numbers[1] * normal_quantile(u));
    case Kind::list:
      break;
  }
  const auto place = static_cast<std::size_t>(u * static_cast<double>(numbers.size()));
  return numbers[std::min(place, numbers.size() - 1)];
}

double Distribution::level(std::size_t k, std::size_t count) const {
  if (kind == Kind::list) return numbers[k];
  if (k + 1 == count) return numbers[1];  // to the bit
  return numbers[0] + (numbers[1] - numbers[0]) * (static_cast<double>(k) / static_cast<double>(count - 1));
}

std::string name_of(Distribution::Kind kind) {
  constexpr std::array names{"uniform", "normal", "triangular", "lognormal", "list"};
  return names[static_cast<std::size_t>(kind)];
}

std::string flaw_of(const Distribution& distribution) {
  using Kind = Distribution::Kind;
  const std::vector<double>& x = distribution.numbers;
  switch (distribution.kind) {
    case Kind::uniform:
      if (!(x[0] <= x[1]))
        return fmt::format("a uniform distribution goes from a number to a larger one, found {} to {}", x[0], x[1]);
      break;
    case Kind::normal:
    case Kind::lognormal:
      if (!(x[1] >= 0.0))
        return fmt::format("the standard deviation of a {} distribution is not negative, found {}",
                           name_of(distribution.kind), x[1]);
      break;
    case Kind::triangular:
      if (!(x[0] <= x[1] && x[1] <= x[2] && x[0] < x[2]))
        return fmt::format(
            "a triangular distribution is [from, the most frequent, to] in ascending order, found [{}, {}, {}]", x[0],
            x[1], x[2]);
      break;
    case Kind::list:
      if (x.empty()) return "the list of values is empty";
      break;
  }
  return "";
}

}  // namespace raak
