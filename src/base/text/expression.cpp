#include "base/text/expression.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

#include "base/text/expression_functions.h"
#include "base/text/text.h"

namespace raak {
class ExpressionParser {
 public:
  ExpressionParser(std::string_view text, const std::vector<std::string>& hyphenated)
      : text_(text), hyphenated_(hyphenated) {
    result_.steps_.clear();
  }

  Expression parse() {
    sum();
    skip_space();
    if (at_ < text_.size()) {
      const bool compares = std::string_view("=<>").find(text_[at_]) != std::string_view::npos;
      const bool has_unit = at_ > 0 && std::isalpha(static_cast<unsigned char>(text_[at_])) != 0;
      fail("expected an operator or the end, found \"" + rest() + "\"" +
           (compares   ? "; comparisons are not supported: write an equation as the difference of its sides"
            : has_unit ? "; numbers are in SI units and radians, without units"
                       : ""));
    }
    return std::move(result_);
  }

 private:
  using Kind = Expression::Step::Kind;
  static constexpr int deepest = 200;

  [[noreturn]] void fail(const std::string& message) const { throw ExpressionError(at_, message); }
  std::string rest() const { return std::string(text_.substr(at_, 20)); }
  void skip_space() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  bool take(char c) {
    skip_space();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void push(Kind kind, double number = 0.0, std::size_t index = 0) { result_.steps_.push_back({kind, number, index}); }

  void sum() {
    if (++depth_ > deepest) fail("the expression is nested too deeply");
    product();
    for (;;) {
      if (take('+')) product(), push(Kind::add);
      else if (take('-')) product(), push(Kind::subtract);
      else break;
    }
    --depth_;
  }
  void product() {
    factor();
    for (;;) {
      if (take('*')) factor(), push(Kind::multiply);
      else if (take('/')) factor(), push(Kind::divide);
      else return;
    }
  }
  void factor() {
    if (++depth_ > deepest) fail("the expression is nested too deeply");
    if (take('-')) factor(), push(Kind::negate);
    else if (take('+')) factor();
    else {
      primary();
      if (take('^')) exponent([&] { factor(); }), push(Kind::power);
    }
    --depth_;
  }
  // What parse() reads is what another value is raised to.
  template <class Parse>
  void exponent(const Parse& parse) {
    const std::size_t first = result_.names_.size();
    parse();
    for (std::size_t i = first; i < result_.names_.size(); ++i) result_.names_[i].in_exponent = true;
  }
  void primary() {
    skip_space();
    if (at_ >= text_.size())
      fail(text_.empty() ? "the expression is empty" : "the expression ends where a value is expected");
    const char c = text_[at_];
    if (take('(')) {
      sum();
      if (!take(')')) fail("expected \")\"");
    } else if (std::isdigit(static_cast<unsigned char>(c)) || c == '.') {
      number();
    } else if (std::isalpha(static_cast<unsigned char>(c)) || c == '_') {
      name_or_call();
    } else {
      fail("expected a number, a name or \"(\", found \"" + rest() + "\"");
    }
  }
  void number() {
    double value = 0.0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc{} || !std::isfinite(value)) fail("expected a number, found \"" + rest() + "\"");
    at_ = static_cast<std::size_t>(end - text_.data());
    push(Kind::number, value);
  }
  void word() {
    const auto starts = [&] {
      return at_ < text_.size() && (std::isalpha(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_');
    };
    if (!starts()) fail("expected a name");
    while (starts() || (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])))) ++at_;
  }
  // The length of the longest of the hyphenated names that stands here before a dot; 0: none.
  std::size_t hyphenated_name() const {
    std::size_t longest = 0;
    for (const std::string& name : hyphenated_) {
      const std::size_t end = at_ + name.size();
      if (end < text_.size() && text_[end] == '.' && text_.substr(at_, name.size()) == name)
        longest = std::max(longest, name.size());
    }
    return longest;
  }
  void name_or_call() {
    const std::size_t begin = at_;
    if (const std::size_t length = hyphenated_name()) at_ += length;
    else word();
    while (at_ < text_.size() && text_[at_] == '.') ++at_, word();
    const std::string name(text_.substr(begin, at_ - begin));
    if (take('(')) return arguments(name, begin);
    push(Kind::name, 0.0, result_.names_.size());
    result_.names_.push_back({name, begin});
  }
  void arguments(const std::string& name, std::size_t begin) {
    const auto found = std::find_if(functions::table.begin(), functions::table.end(),
                                    [&](const functions::Function& f) { return f.name == name; });
    if (found == functions::table.end())
      throw ExpressionError(begin, unknown_name("function", name, Expression::functions()));
    std::size_t count = 1;
    sum();
    while (take(',')) {
      if (name == "pow") exponent([&] { sum(); });
      else sum();
      ++count;
    }
    if (!take(')')) fail("expected \",\" or \")\"");
    if (count != found->arguments)
      throw ExpressionError(begin, "\"" + name + "\" takes " + std::to_string(found->arguments) + " arguments, found " +
                                       std::to_string(count));
    push(Kind::call, static_cast<double>(count), static_cast<std::size_t>(found - functions::table.begin()));
  }

  std::string_view text_;
  const std::vector<std::string>& hyphenated_;
  std::size_t at_ = 0;
  int depth_ = 0;
  Expression result_;
};

Expression Expression::parse(std::string_view text, const std::vector<std::string>& hyphenated) {
  return ExpressionParser(text, hyphenated).parse();
}

const std::vector<std::string>& Expression::functions() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const functions::Function& f : functions::table) all.emplace_back(f.name);
    return all;
  }();
  return names;
}

template <class Real>
Real Expression::evaluate(const Lookup<Real>& lookup) const {
  std::vector<Real> stack;
  const auto pop = [&] {
    Real top = stack.back();
    stack.pop_back();
    return top;
  };
  for (const Step& step : steps_) {
    using Kind = Step::Kind;
    if (step.kind == Kind::number) {
      stack.push_back(Real(step.number));
      continue;
    }
    if (step.kind == Kind::name) {
      stack.push_back(lookup(names_[step.index]));
      continue;
    }
    const bool two = step.kind != Kind::negate && (step.kind != Kind::call || step.number > 1.0);
    const Real y = two ? pop() : Real(0.0);
    const Real x = pop();
    switch (step.kind) {
      case Kind::negate:
        stack.push_back(-x);
        break;
      case Kind::add:
        stack.push_back(x + y);
        break;
      case Kind::subtract:
        stack.push_back(x - y);
        break;
      case Kind::multiply:
        stack.push_back(x * y);
        break;
      case Kind::divide:
        stack.push_back(x / y);
        break;
      case Kind::power:
        stack.push_back(functions::raise(x, y));
        break;
      case Kind::call:
        stack.push_back(functions::call(step.index, x, y));
        break;
      case Kind::number:
      case Kind::name:
        break;
    }
  }
  return stack.back();
}

template double Expression::evaluate(const Lookup<double>&) const;
template Live Expression::evaluate(const Lookup<Live>&) const;
template Recorded Expression::evaluate(const Lookup<Recorded>&) const;

}  // namespace raak
