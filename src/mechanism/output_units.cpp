#include "mechanism/output_units.h"

#include <array>
#include <cmath>
#include <map>
#include <optional>

namespace raak {
namespace {

// Exponents of m, s, kg and rad; an angle counts as a unit of its own, so that rad/s is told from 1/s.
using Exponents = std::array<int, 4>;

struct KnownUnit {
  const char* name;
  Exponents exponents;
};
constexpr std::array<KnownUnit, 11> known{{{"1", {0, 0, 0, 0}},
                                           {"m", {1, 0, 0, 0}},
                                           {"rad", {0, 0, 0, 1}},
                                           {"s", {0, 1, 0, 0}},
                                           {"m/s", {1, -1, 0, 0}},
                                           {"rad/s", {0, -1, 0, 1}},
                                           {"m/s^2", {1, -2, 0, 0}},
                                           {"rad/s^2", {0, -2, 0, 1}},
                                           {"N", {1, -2, 1, 0}},
                                           {"N m", {2, -2, 1, 0}},
                                           {"W", {2, -3, 1, 0}}}};

const Exponents& exponents_of(std::string_view unit) {
  for (const KnownUnit& entry : known)
    if (unit == entry.name) return entry.exponents;
  return known.front().exponents;
}

// Of a name as a model file has it; nothing of a parameter.
std::optional<Exponents> exponents_of_name(const std::string& name) {
  if (name == "t") return exponents_of("s");
  if (name == "pi") return exponents_of("1");
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

// A value of its own for each name, the same at every call.
double value_of(const std::string& name, int trial) {
  std::size_t seed = 17;
  for (const char c : name) seed = (31 * seed + static_cast<unsigned char>(c)) % 9973;
  return 0.3 + 0.6 * std::abs(std::sin(static_cast<double>(seed) + 1.7 * trial));
}

}  // namespace

std::string unit_of(const Expression& formula) {
  std::map<std::string, Exponents> units;
  for (const Expression::Name& name : formula.names()) {
    const std::optional<Exponents> found = exponents_of_name(name.text);
    if (!found) return "SI";
    units[name.text] = *found;
  }
  if (units.empty()) return "SI";
  constexpr double factor = 1.37;  // by which one unit after the other is made smaller
  Exponents powers{};
  for (int trial = 0; trial < 3; ++trial) {
    const auto value = [&](std::size_t changed) {
      return formula.evaluate<double>([&](const Expression::Name& name) {
        const double size = value_of(name.text, trial);
        return changed < 4 ? size * std::pow(factor, units.at(name.text)[changed]) : size;
      });
    };
    const double before = value(4);
    for (std::size_t i = 0; i < 4; ++i) {
      const double power = std::log(value(i) / before) / std::log(factor), whole = std::round(power);
      if (!(std::abs(power - whole) < 1e-9) || (trial > 0 && powers[i] != static_cast<int>(whole))) return "SI";
      powers[i] = static_cast<int>(whole);
    }
  }
  for (const KnownUnit& entry : known)
    if (entry.exponents == powers) return entry.name;
  return "SI";
}

}  // namespace raak
