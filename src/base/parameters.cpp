#include "base/parameters.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/text/expression.h"
#include "base/text/text.h"

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

// The text of a value that the parameter may have.
std::string checked(const Parameter& parameter, std::string_view value) {
  if (!parameter.names.empty()) {
    check_formula(parameter, value);
    return std::string(value);
  }
  if (parameter.choices.empty()) {
    const auto number = parse_number(value);
    if (!number || !std::isfinite(*number) || !lies_in(*number, parameter.range)) {
      std::string text = "parameter \"" + parameter.name + "\" (" + parameter.meaning + ") expects ";
      text += words_of(parameter.range);
      text += ", found \"" + std::string(value) + "\"; its default is " + parameter.value;
      throw Error(ErrorKind::request, text);
    }
    return exact_text(*number);
  }
  if (std::find(parameter.choices.begin(), parameter.choices.end(), value) == parameter.choices.end()) {
    throw Error(ErrorKind::request, unknown_name("value of \"" + parameter.name + "\"", value, parameter.choices));
  }
  return std::string(value);
}

}  // namespace

Parameters::List::List(std::vector<Parameter> all) : declared(std::move(all)) {
  place.reserve(declared.size());
  for (std::size_t i = 0; i < declared.size(); ++i) place.emplace(declared[i].name, i);
}

Parameters::Parameters(std::vector<Parameter> declared) : list_(std::make_shared<List>(std::move(declared))) {}

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

std::size_t Parameters::find(std::string_view name) const {
  if (const auto found = list_->place.find(name); found != list_->place.end()) return found->second;
  std::vector<std::string> names;
  for (const Parameter& p : all()) names.push_back(p.name);
  throw Error(ErrorKind::request, unknown_name("parameter", name, names));
}

void Parameters::set(std::string_view name, std::string_view value) {
  const std::size_t place = find(name);
  std::string text = checked(all()[place], value);
  if (list_.use_count() > 1) list_ = std::make_shared<List>(*list_);
  list_->declared[place].value = std::move(text);
}

double Parameters::number_of(std::string_view name, std::string_view value) const {
  return *parse_number(checked(named(name), value));
}

double Parameters::number(std::string_view name) const {
  return *parse_number(value_of(name));
}

const std::string& Parameters::choice(std::string_view name) const {
  return value_of(name);
}

Expression Parameters::formula(std::string_view name) const {
  return Expression::parse(value_of(name));
}

bool Parameters::operator==(const Parameters& other) const {
  return list_ == other.list_ ||
         std::equal(all().begin(), all().end(), other.all().begin(), other.all().end(),
                    [](const Parameter& a, const Parameter& b) { return a.name == b.name && a.value == b.value; });
}

}  // namespace raak
