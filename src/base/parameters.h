// Named settings of a model: numbers, choices and formulas, declared with a default, a unit and a meaning, set from
// text.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace raak {

class Expression;

// What a number may be: a mass is positive, a stiffness not negative.
enum class Range { any, positive, not_negative };

struct Parameter {
  std::string name;
  std::string meaning;
  std::string unit;                  // empty for a choice or a pure number
  std::string value;                 // as text: a number, one of the choices, or a formula
  std::vector<std::string> choices;  // empty: a number or a formula
  Range range = Range::any;
  std::vector<std::string> names = {};  // that a formula may have; empty: it is none

  bool is_number() const { return choices.empty() && names.empty(); }
};

// Copies share one list until a value is set: a file may have a million of them.
class Parameters {
 public:
  Parameters() : Parameters(std::vector<Parameter>()) {}
  explicit Parameters(std::vector<Parameter> declared);

  static Parameter number(std::string name, double value, std::string unit, std::string meaning,
                          Range range = Range::any);
  static Parameter choice(std::string name, std::vector<std::string> choices, std::string meaning);
  static Parameter formula(std::string name, std::string value, std::vector<std::string> names, std::string unit,
                           std::string meaning);

  // Refuses an unknown name, a value that is no finite number or out of its range, a word that is no choice, or a text
  // that is no formula of its names, and says what would do.
  void set(std::string_view name, std::string_view value);

  // The number that set() would make of a value; refuses what it refuses.
  double number_of(std::string_view name, std::string_view value) const;
  const Parameter& named(std::string_view name) const { return all()[find(name)]; }

  double number(std::string_view name) const;
  const std::string& choice(std::string_view name) const;
  Expression formula(std::string_view name) const;

  const std::vector<Parameter>& all() const { return list_->declared; }
  bool operator==(const Parameters& other) const;

 private:
  struct List {
    explicit List(std::vector<Parameter> all);
    List(const List& other) : List(other.declared) {}
    List& operator=(const List&) = delete;

    std::vector<Parameter> declared;
    std::unordered_map<std::string_view, std::size_t> place;  // of each name
  };

  std::size_t find(std::string_view name) const;
  const std::string& value_of(std::string_view name) const { return all()[find(name)].value; }
  std::shared_ptr<List> list_;
};

}  // namespace raak
