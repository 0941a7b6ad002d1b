#include "base/parameters.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/expression.h"
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

// Where in the text it is wrong, counted from 1, and what.
[[noreturn]] void refuse_formula(const Parameter& parameter, std::string_view text, std::size_t offset,
                                 const std::string& why) {
  throw Error(ErrorKind::request, "parameter \"" + parameter.name + "\" (" + parameter.meaning +
                                      ") expects a formula of " + join(parameter.names) + ", found \"" +
                                      std::string(text) + "\": at character " + std::to_string(offset + 1) + ": " +
                                      why + "; its default is " + parameter.value);
}

void check_formula(const Parameter& parameter, std::string_view text) {
  try {
    const Expression formula = Expression::parse(text);
    for (const Expression::Name& name : formula.names())
      if (!holds(parameter.names, name.text))
        refuse_formula(parameter, text, name.offset, unknown_name("quantity", name.text, parameter.names));
  } catch (const ExpressionError& error) {
    refuse_formula(parameter, text, error.offset(), error.what());
  }
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

Parameter Parameters::formula(std::string name, std::string value, std::vector<std::string> names, std::string unit,
                              std::string meaning) {
  return {std::move(name), std::move(meaning), std::move(unit), std::move(value), {}, Range::any, std::move(names)};
}

const Parameter& Parameters::find(std::string_view name) const {
  if (const auto found = place_.find(name); found != place_.end()) return declared_[found->second];
  std::vector<std::string> names;
  for (const Parameter& p : declared_) names.push_back(p.name);
  throw Error(ErrorKind::request, unknown_name("parameter", name, names));
}

void Parameters::set(std::string_view name, std::string_view value) {
  auto& parameter = const_cast<Parameter&>(find(name));  // NOLINT: the list is ours and not const
  if (!parameter.names.empty()) {
    check_formula(parameter, value);
    parameter.value = std::string(value);
    return;
  }
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

Expression Parameters::formula(std::string_view name) const {
  return Expression::parse(find(name).value);
}

bool Parameters::operator==(const Parameters& other) const {
  return std::equal(declared_.begin(), declared_.end(), other.declared_.begin(), other.declared_.end(),
                    [](const Parameter& a, const Parameter& b) { return a.name == b.name && a.value == b.value; });
}

}  // namespace raak
