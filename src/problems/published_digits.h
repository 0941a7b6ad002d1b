// How many digits of a model's published reference agree with its trusted one: a known property of each document.
#pragma once
#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "kinematics/model.h"

namespace raak {

inline const Reference& reference_of(const Model& model, Reference::Kind kind, std::optional<Form> form) {
  for (const Reference& reference : model.references)
    if (reference.kind == kind && reference.form == form) return reference;
  throw std::runtime_error("the model has no reference of this kind and form");
}

struct Digits {
  double scd, mescd;
};

// At the last time that is printed. `form` of the trusted reference; mescd with atol = rtol.
inline Digits published_digits(const Model& model, std::optional<Form> form) {
  const Reference& published = reference_of(model, Reference::Kind::published, {});
  const auto& [t, printed] = *published.values.rbegin();
  const auto& exact = reference_of(model, Reference::Kind::trusted, form).values.at(t);
  double relative = 0.0, mixed = 0.0;
  for (const std::string& name : published.scored)
    relative = std::max(relative, std::abs(printed.at(name) - exact.at(name)) / std::abs(exact.at(name)));
  for (const std::string& name : published.measured)
    mixed = std::max(mixed, std::abs(printed.at(name) - exact.at(name)) / (1.0 + std::abs(exact.at(name))));
  return {-std::log10(relative), -std::log10(mixed)};
}

}  // namespace raak
