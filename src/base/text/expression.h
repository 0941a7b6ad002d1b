// Formulas as users write them: numbers, names with dots, + - * / ^ and functions, over double and over the recording
// scalar, so that they are differentiated exactly. Precedence climbing after Norvell, Parsing Expressions by Recursive
// Descent, 1999; ^ binds tighter than the sign and groups to the right.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/tape/live.h"

namespace raak {

// Where in the text, counted from 0, and what is wrong there.
class ExpressionError : public std::exception {
 public:
  ExpressionError(std::size_t offset, std::string message) : offset_(offset), message_(std::move(message)) {}
  std::size_t offset() const { return offset_; }
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  std::size_t offset_;
  std::string message_;
};

class Expression {
 public:
  struct Name {
    std::string text;  // "OF.F.x"
    std::size_t offset;
    bool in_exponent = false;  // in what another value is raised to
  };
  template <class Real>
  using Lookup = std::function<Real(const Name&)>;

  Expression() : Expression(0.0) {}
  explicit Expression(double value) : steps_{{Step::Kind::number, value, 0}} {}
  // Throws ExpressionError. Names begin with letters, digits and _ up to the first dot, or with one of `hyphenated`,
  // the longest that fits: in "small-end.force.x" the minus sign belongs to the name if "small-end" is known.
  static Expression parse(std::string_view text, const std::vector<std::string>& hyphenated = {});
  static const std::vector<std::string>& functions();

  template <class Real>
  Real evaluate(const Lookup<Real>& lookup) const;
  const std::vector<Name>& names() const { return names_; }

 private:
  // In the order of evaluation on a stack.
  struct Step {
    enum class Kind { number, name, negate, add, subtract, multiply, divide, power, call };
    Kind kind;
    double number;
    std::size_t index;  // of the name or the function
  };
  friend class ExpressionParser;
  std::vector<Step> steps_;
  std::vector<Name> names_;
};

extern template double Expression::evaluate(const Lookup<double>&) const;
extern template Live Expression::evaluate(const Lookup<Live>&) const;
extern template Recorded Expression::evaluate(const Lookup<Recorded>&) const;

}  // namespace raak
