#include "base/parameters.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/text.h"

namespace raak {

Parameters::Parameters(std::vector<Parameter> declared) : declared_(std::move(declared)) {
  for (std::size_t i = 0; i < declared_.size(); ++i) place_.emplace(declared_[i].name, i);
}

Parameter Parameters::number(std::string name, double value, std::string unit, std::string meaning) {
  return {std::move(name), std::move(meaning), std::move(unit), exact_text(value), {}};
}

Parameter Parameters::choice(std::string name, std::vector<std::string> choices, std::string meaning) {
  std::string first = choices.front();
  return {std::move(name), std::move(meaning), "", std::move(first), std::move(choices)};
}

const Parameter& Parameters::find(std::string_view name) const {
  if (const auto found = place_.find(name); found != place_.end()) return declared_[found->second];
  std::vector<std::string> names;
  for (const Parameter& p : declared_) names.push_back(p.name);
  throw Error(ErrorKind::request, unknown_name("parameter", name, names));
}

void Parameters::set(std::string_view name, std::string_view value) {
  auto& parameter = const_cast<Parameter&>(find(name));  // NOLINT: the list is ours and not const
  if (parameter.choices.empty()) {
    const auto number = parse_number(value);
    if (!number || !std::isfinite(*number)) {
      throw Error(ErrorKind::request, "parameter \"" + parameter.name + "\" (" + parameter.meaning +
                                          ") expects a finite number, found \"" + std::string(value) +
                                          "\"; its default is " + parameter.value);
    }
    parameter.value = exact_text(*number);
    return;
  }
  if (std::find(parameter.choices.begin(), parameter.choices.end(), value) == parameter.choices.end()) {
    throw Error(ErrorKind::request, unknown_name("value of \"" + parameter.name + "\"", value, parameter.choices));
  }
  parameter.value = std::string(value);
}

double Parameters::number(std::string_view name) const {
  return *parse_number(find(name).value);
}

const std::string& Parameters::choice(std::string_view name) const {
  return find(name).value;
}

bool Parameters::operator==(const Parameters& other) const {
  return std::equal(declared_.begin(), declared_.end(), other.declared_.begin(), other.declared_.end(),
                    [](const Parameter& a, const Parameter& b) { return a.name == b.name && a.value == b.value; });
}

}  // namespace raak
