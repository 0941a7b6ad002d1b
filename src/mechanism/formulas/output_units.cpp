#include "mechanism/formulas/output_units.h"

#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include "base/linear/svd.h"

namespace raak {
namespace {

// Exponents of m, s, kg and rad; an angle counts as a unit of its own, so that rad/s differs from 1/s.
using Exponents = std::array<int, 4>;

struct KnownUnit {
  const char* name;
  Exponents exponents;
};
constexpr std::array<KnownUnit, 16> known_units{{{"1", {0, 0, 0, 0}},
                                                 {"m", {1, 0, 0, 0}},
                                                 {"rad", {0, 0, 0, 1}},
                                                 {"s", {0, 1, 0, 0}},
                                                 {"m/s", {1, -1, 0, 0}},
                                                 {"rad/s", {0, -1, 0, 1}},
                                                 {"m/s^2", {1, -2, 0, 0}},
                                                 {"rad/s^2", {0, -2, 0, 1}},
                                                 {"N", {1, -2, 1, 0}},
                                                 {"N m", {2, -2, 1, 0}},
                                                 {"W", {2, -3, 1, 0}},
                                                 {"m^2", {2, 0, 0, 0}},
                                                 {"1/s", {0, -1, 0, 0}},
                                                 {"kg", {0, 0, 1, 0}},
                                                 {"N s", {1, -1, 1, 0}},
                                                 {"N m s", {2, -1, 1, 0}}}};

const Exponents& exponents_of(std::string_view unit) {
  for (const KnownUnit& entry : known_units)
    if (unit == entry.name) return entry.exponents;
  return known_units.front().exponents;
}

// Of a name as a model file has it; nothing of a parameter.
std::optional<Exponents> exponents_of_name(const std::string& name) {
  if (name == "t") return exponents_of("s");
  if (name.find('.') == std::string::npos) return std::nullopt;
  const auto holds = [&](const char* part) { return name.find(part) != std::string::npos; };
  const std::string last = name.substr(name.rfind('.') + 1);
  if (holds(".force")) return exponents_of("N");
  if (holds(".moment")) return exponents_of("N m");
  if (holds(".omega")) return exponents_of("rad/s");
  if (holds(".velocity.") || last == "vx" || last == "vy" || last == "vz") return exponents_of("m/s");
  if (holds(".quaternion.")) return exponents_of("1");
  if (last == "angle") return exponents_of("rad");
  if (last == "x" || last == "y" || last == "z") return exponents_of("m");
  return std::nullopt;
}

// Values for the names, others at every trial.
double value_of(std::size_t name, int trial) {
  return 0.3 + 0.6 * std::abs(std::sin(3.1 * static_cast<double>(name) + 1.7 * trial + 0.4));
}

// The formula at one set of values, with the elasticities d ln F / d ln x of its names.
struct Elasticities {
  double value = 0.0;
  std::vector<double> times_value;
};

Elasticities elasticities_of(const Expression& formula, int trial) {
  constexpr double reach = 1e-4;
  const std::vector<Expression::Name>& names = formula.names();
  const auto at = [&](std::size_t changed, double by) {
    return formula.evaluate<double>([&](const Expression::Name& name) {
      std::size_t first = 0;  // a name may occur several times
      while (names[first].text != name.text) ++first;
      return value_of(first, trial) * (first == changed ? std::exp(by) : 1.0);
    });
  };
  Elasticities found{at(names.size(), 0.0), {}};
  for (std::size_t i = 0; i < names.size(); ++i) {
    const double once = at(i, reach) - at(i, -reach), twice = at(i, 2.0 * reach) - at(i, -2.0 * reach);
    found.times_value.push_back((8.0 * once - twice) / (12.0 * reach));
  }
  return found;
}

// Euler's theorem on homogeneous functions, sum e_i x_i dF/dx_i = p F, for one unit: the exponents e of the names in it
// are known (nothing: a parameter, whose unit nobody gives), those of the parameters and p are solved for. Nothing is
// found where terms contradict each other, and where p depends on what the parameters are.
std::optional<int> solve_for_power(const std::vector<Elasticities>& trials,
                                   const std::vector<std::optional<double>>& exponents) {
  Eigen::Index unknowns = 1;
  for (const auto& e : exponents) unknowns += e ? 0 : 1;
  Matrix A(static_cast<Eigen::Index>(trials.size()), unknowns);
  Vector b = Vector::Zero(A.rows());
  for (Eigen::Index row = 0; row < A.rows(); ++row) {
    const Elasticities& trial = trials[static_cast<std::size_t>(row)];
    Eigen::Index column = 0;
    A(row, column++) = trial.value;
    for (std::size_t i = 0; i < exponents.size(); ++i) {
      if (exponents[i]) b[row] += *exponents[i] * trial.times_value[i];
      else A(row, column++) = -trial.times_value[i];
    }
  }
  if (!A.allFinite() || !b.allFinite()) return std::nullopt;
  constexpr double small = 1e-7;  // of differences
  Eigen::JacobiSVD<Matrix> svd(A, Eigen::ComputeThinU | Eigen::ComputeFullV);
  svd.setThreshold(small);
  const Vector x = svd.solve(b);
  if ((A * x - b).norm() > small * (1.0 + b.norm())) return std::nullopt;
  const Matrix open = svd.matrixV().rightCols(unknowns - svd.rank());
  if (open.cols() > 0 && open.row(0).norm() > 1e-4) return std::nullopt;
  const double whole = std::round(x[0]);
  if (std::abs(x[0] - whole) > 1e-4) return std::nullopt;
  return static_cast<int>(whole);
}

}  // namespace

std::string unit_of(const Expression& formula) {
  const std::vector<Expression::Name>& names = formula.names();
  constexpr std::size_t most_names = 30;  // the work grows with a power of their number
  if (names.empty() || names.size() > most_names) return "";
  std::vector<Elasticities> trials;
  for (int trial = 0; trial < static_cast<int>(names.size()) + 5; ++trial)
    trials.push_back(elasticities_of(formula, trial));
  // In "crank.angle - pi" the number is an angle, in "2*pi*crank.angle" it is none; in cos(crank.angle) the angle is a
  // number. The first reading that fits holds.
  struct Reading {
    bool pi_is_a_number, angles_are_numbers;
  };
  for (const Reading reading : {Reading{true, false}, Reading{false, false}, Reading{true, true}}) {
    Exponents powers{};
    bool fits = true;
    for (std::size_t unit = 0; unit < powers.size() && fits; ++unit) {
      const bool counts = unit + 1 < powers.size() || !reading.angles_are_numbers;
      std::vector<std::optional<double>> exponents;
      for (const Expression::Name& name : names) {
        const std::optional<Exponents> of_name = exponents_of_name(name.text);
        if (name.text == "pi" && reading.pi_is_a_number) exponents.emplace_back(0.0);
        else if (of_name) exponents.emplace_back(counts ? (*of_name)[unit] : 0.0);
        else exponents.emplace_back(std::nullopt);
      }
      const std::optional<int> power = solve_for_power(trials, exponents);
      fits = power.has_value();
      powers[unit] = power.value_or(0);
    }
    if (!fits) continue;
    for (const KnownUnit& entry : known_units)
      if (entry.exponents == powers) return entry.name;
    return "";
  }
  return "";
}

}  // namespace raak
