// The physical constants of a problem as settable parameters: one table row per constant, whose default is the member's
// initialiser, so that a number and its name are written once.
#pragma once
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/parameters.h"

namespace raak {

template <class Problem>
struct Constant {
  const char* name;
  double Problem::*member;
  const char* unit;
  const char* meaning;
  Range range = Range::any;
};

template <class Problem>
std::vector<Parameter> declare(std::span<const Constant<Problem>> table) {
  const Problem defaults;
  std::vector<Parameter> declared;
  for (const auto& row : table)
    declared.push_back(Parameters::number(row.name, defaults.*row.member, row.unit, row.meaning, row.range));
  return declared;
}

template <class Problem>
Problem read_constants(std::span<const Constant<Problem>> table, const Parameters& parameters) {
  Problem problem;
  for (const auto& row : table) problem.*row.member = parameters.number(row.name);
  return problem;
}

// The parameters with some of them set: what a run's settings mean.
inline Parameters with_settings(Parameters parameters,
                                const std::vector<std::pair<std::string, std::string>>& settings) {
  for (const auto& [name, value] : settings) parameters.set(name, value);
  return parameters;
}

}  // namespace raak
