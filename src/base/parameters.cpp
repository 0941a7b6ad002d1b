#include "base/parameters.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/text.h"

namespace raak {
namespace {

bool lies_in(double value, Range range) {
  return range == Range::any || value > 0.0 || (range == Range::not_negative && value == 0.0);
}

const char* words_of(Range range) {
  switch (range) {
    case Range::positive:
      return "a finite number above 0";
    case Range::not_negative:
      return "a finite number from 0 up";
    case Range::any:
      break;
  }
  return "a finite number";
}

}  // namespace

Parameters::Parameters(std::vector<Parameter> declared) : declared_(std::move(declared)) {
  for (std::size_t i = 0; i < declared_.size(); ++i) place_.emplace(declared_[i].name, i);
}

Parameter Parameters::number(std::string name, double value, std::string unit, std::string meaning, Range range) {
  return {std::move(name), std::move(meaning), std::move(unit), exact_text(value), {}, range};
}

Parameter Parameters::choice(std::string name, std::vector<std::string> choices, std::string meaning) {
  std::string first = choices.front();
  return {std::move(name), std::move(meaning), "", std::move(first), std::move(choices), Range::any};
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
    if (!number || !std::isfinite(*number) || !lies_in(*number, parameter.range)) {
      std::string text = "parameter \"" + parameter.name + "\" (" + parameter.meaning + ") expects ";
      text += words_of(parameter.range);
      text += ", found \"" + std::string(value) + "\"; its default is " + parameter.value;
      throw Error(ErrorKind::request, text);
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
