// The forms of the equations of motion, by the level at which a method imposes the constraints (docs/notation.md).
#pragma once
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace raak {

// index1_plain: the accelerations of index 1 are integrated and nothing brings q and v back to the constraints, so that
// the drift of the positions (about t^2) and of the velocities (about t) can be seen.
enum class Form { index1, index2, index3, ggl, index1_plain };

// As users write them, in the order of the forms.
inline const std::vector<std::string>& form_names() {
  static const std::vector<std::string> names{"index1", "index2", "index3", "ggl", "index1-plain"};
  return names;
}
inline const std::string& name_of(Form form) {
  return form_names()[static_cast<std::size_t>(form)];
}
inline std::vector<std::string> names_of(const std::vector<Form>& forms) {
  std::vector<std::string> names;
  for (const Form form : forms) names.push_back(name_of(form));
  return names;
}
inline std::optional<Form> form_named(const std::string& name) {
  const auto found = std::find(form_names().begin(), form_names().end(), name);
  return found == form_names().end() ? std::nullopt : std::optional(static_cast<Form>(found - form_names().begin()));
}

// Whether the form keeps the constraints themselves, and their rates, to rounding errors.
inline bool holds_positions(Form form) {
  return form != Form::index2 && form != Form::index1_plain;
}
inline bool holds_velocities(Form form) {
  return form != Form::index1_plain;
}

}  // namespace raak
