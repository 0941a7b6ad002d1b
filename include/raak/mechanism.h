// A mechanism built in code: the words of a model file, and the same reader behind them, so that every joint and force
// of the catalogue is at hand (`raak list joints`, `raak list forces`, docs/model-file.md).
#pragma once
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "raak/export.h"
#include "raak/model.h"

namespace raak_v0 {

struct Field;
struct ForceFunction;

// A number, a truth value, a text (an expression, a name), a list or a table.
class RAAK_API Value {
 public:
  // NOLINTBEGIN(google-explicit-constructor): values are written down as they are
  Value(double number);
  Value(int number) : Value(static_cast<double>(number)) {}
  Value(bool truth);
  Value(const char* text);
  Value(const std::string& text);
  Value(std::initializer_list<Value> list);
  Value(const std::vector<double>& list);
  Value(const std::vector<std::string>& list);
  // NOLINTEND(google-explicit-constructor)
  static Value list(const std::vector<Value>& values);
  static Value table(std::initializer_list<Field> fields);
  static Value table(const std::vector<Field>& fields);

  const std::string& toml() const { return toml_; }

 private:
  Value() = default;
  std::string toml_;
};

struct Field {
  std::string name;
  Value value;
};
using Fields = std::vector<Field>;

// Each call adds an element and returns the mechanism; what is wrong is said by build(), which names the element.
class RAAK_API Mechanism {
 public:
  // space: "planar" or "spatial".
  explicit Mechanism(const std::string& space = "planar", const std::string& title = {});
  Mechanism(const Mechanism&);
  Mechanism& operator=(const Mechanism&);
  ~Mechanism();

  Mechanism& gravity(const Value& acceleration);
  Mechanism& parameter(const std::string& name, const Value& value);
  Mechanism& ground_point(const std::string& name, const Value& position);
  Mechanism& ground_axis(const std::string& name, const Value& direction);
  // {{"mass", 1.0}, {"inertia", 0.1}, {"com", {0.5, 0.0}}, {"points", Value::table({{"A", {0.0, 0.0}}})}}
  Mechanism& body(const std::string& name, const Fields& fields);
  // joint("O", "revolute", {{"pins", {"ground.O", "OF.O"}}})
  Mechanism& joint(const std::string& name, const std::string& type, const Fields& fields);
  // force("spring", "spring", {{"between", {"ground.C", "EBD.D"}}, {"stiffness", "k"}, {"length", 0.07785}})
  Mechanism& force(const std::string& name, const std::string& type, const Fields& fields);
  // A function in place of a formula: see callbacks.h. Such a mechanism has no text and cannot be a file.
  Mechanism& force(const std::string& name, const ForceFunction& function);
  // driver("crank", {{"coordinate", "OF.angle"}, {"motion", "Omega*t"}})
  Mechanism& driver(const std::string& name, const Fields& fields);
  // = 0, an expression of coordinates, points and t.
  Mechanism& constraint(const std::string& name, const std::string& equation);
  Mechanism& event(const std::string& name, const Fields& fields);
  Mechanism& output(const std::string& name, const Value& expression);
  // A start value that is known and held, and one that selects the branch only.
  Mechanism& trust(const std::string& coordinate, const Value& value);
  Mechanism& guess(const std::string& coordinate, const Value& value);
  Mechanism& smooth_start();
  Mechanism& run(const std::string& name, const Fields& fields);

  // The same as a model file.
  std::string toml() const;
  // Throws ModelError; its text begins with the element: `joint "O": ..`.
  Model build() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace raak_v0
