// raak::Mechanism: the document of a model file, one element a line, so that the line of an error names the element.
#include <raak/callbacks.h>
#include <raak/errors.h>
#include <raak/mechanism.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "api/mechanism/forced_system.h"
#include "api/model_data.h"
#include "base/text/text.h"
#include "base/text/visible_text.h"
#include "modelfile/load.h"

namespace raak_v0 {
namespace {

std::string quoted(const std::string& text) {
  std::string toml = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') toml += '\\';
    if (c == '\n') toml += "\\n";
    else if (c == '\t') toml += "\\t";
    else if (c == '\r') toml += "\\r";
    else if (static_cast<unsigned char>(c) < 32 || c == 127) toml += core::escaped_for_toml({&c, 1});
    else toml += c;
  }
  return toml + "\"";
}

std::string listed(const std::vector<Value>& values) {
  std::string toml;
  for (const Value& value : values) toml += (toml.empty() ? "" : ", ") + value.toml();
  return "[" + toml + "]";
}

}  // namespace

Value::Value(double number) : toml_(core::exact_text(number)) {
  if (std::isfinite(number) && toml_.find_first_of(".e") == std::string::npos) toml_ += ".0";
}
Value::Value(bool truth) : toml_(truth ? "true" : "false") {}
Value::Value(const char* text) : toml_(quoted(text)) {}
Value::Value(const std::string& text) : toml_(quoted(text)) {}
Value::Value(std::initializer_list<Value> list) : toml_(listed(list)) {}
Value::Value(const std::vector<double>& list) : toml_(listed({list.begin(), list.end()})) {}
Value::Value(const std::vector<std::string>& list) : toml_(listed({list.begin(), list.end()})) {}

Value Value::list(const std::vector<Value>& values) {
  Value list;
  list.toml_ = listed(values);
  return list;
}
Value Value::table(const std::vector<Field>& fields) {
  Value table;
  for (const Field& field : fields)
    table.toml_ += (table.toml_.empty() ? " " : ", ") + quoted(field.name) + " = " + field.value.toml();
  table.toml_ = "{" + table.toml_ + " }";
  return table;
}
Value Value::table(std::initializer_list<Field> fields) {
  return table(std::vector<Field>(fields));
}

class Mechanism::Impl {
 public:
  std::string head = "format = \"raak/1\"\n";
  int head_lines = 1;

  void say(const std::string& key, const Value& value) {
    head += key + " = " + value.toml() + "\n";
    ++head_lines;
    elements_of_head_[head_lines] = key;
  }
  // `kind`: as a message calls it.
  // `key`: how it is called in the file, if not by its name.
  void add(const std::string& section, const std::string& kind, const std::string& name, const Value& value,
           const std::string& key = {}) {
    auto found = std::find_if(sections_.begin(), sections_.end(), [&](const auto& s) { return s.first == section; });
    if (found == sections_.end()) found = sections_.insert(sections_.end(), {section, {}});
    found->second.push_back({kind + " " + quoted(name), quoted(key.empty() ? name : key) + " = " + value.toml()});
  }
  std::string text(std::map<int, std::string>* elements) const {
    std::string toml = head;
    int line = head_lines;
    if (elements != nullptr) *elements = elements_of_head_;
    for (const auto& [section, entries] : sections_) {
      toml += "\n[" + section + "]\n";
      line += 2;
      for (const Entry& entry : entries) {
        toml += entry.line + "\n";
        ++line;
        if (elements != nullptr) (*elements)[line] = entry.element;
      }
    }
    return toml;
  }
  std::string title;
  bool planar = true, smooth = false;
  std::vector<std::pair<std::string, ForceFunction>> functions;

  // As outputs of the mechanism: what the forces are functions of, and the velocities that they act along.
  std::vector<detail::PlacedForce> place_functions() {
    std::vector<detail::PlacedForce> placed;
    Eigen::Index at = 0;
    if (const auto found =
            std::find_if(sections_.begin(), sections_.end(), [](const auto& s) { return s.first == "outputs"; });
        found != sections_.end())
      at = static_cast<Eigen::Index>(found->second.size());
    for (const auto& [name, function] : functions) {
      int number = 0;
      const auto output = [&](const std::string& expression) {
        add("outputs", "force", name, expression, "force " + name + " " + std::to_string(++number));
      };
      for (const std::string& argument : function.of) output(argument);
      std::vector<std::string> along;
      if (!function.at.empty()) along = {function.at + ".vx", function.at + ".vy", function.at + ".vz"};
      else if (planar) along = {function.on + ".omega"};
      else along = {function.on + ".omega.x", function.on + ".omega.y", function.on + ".omega.z"};
      if (!function.at.empty() && planar) along.pop_back();
      for (const std::string& velocity : along) output(velocity);
      detail::PlacedForce& force = placed.emplace_back();
      force.name = name;
      force.value = function.value;
      force.first = at;
      force.arguments = static_cast<Eigen::Index>(function.of.size());
      force.components = static_cast<Eigen::Index>(along.size());
      at += force.arguments + force.components;
    }
    return placed;
  }

 private:
  struct Entry {
    std::string element, line;
  };
  std::map<int, std::string> elements_of_head_;
  std::vector<std::pair<std::string, std::vector<Entry>>> sections_;
};

namespace {

Value with_type(const std::string& type, const Fields& fields) {
  Fields all{{"type", type}};
  all.insert(all.end(), fields.begin(), fields.end());
  return Value::table(all);
}

}  // namespace

Mechanism::Mechanism(const std::string& space, const std::string& title) : impl_(std::make_unique<Impl>()) {
  impl_->title = title;
  impl_->planar = space != "spatial";
  if (!title.empty()) impl_->say("title", title);
  impl_->say("space", space);
}
Mechanism::Mechanism(const Mechanism& other) : impl_(std::make_unique<Impl>(*other.impl_)) {}
Mechanism& Mechanism::operator=(const Mechanism& other) {
  if (this != &other) *impl_ = *other.impl_;
  return *this;
}
Mechanism::~Mechanism() = default;

Mechanism& Mechanism::gravity(const Value& acceleration) {
  impl_->say("gravity", acceleration);
  return *this;
}
Mechanism& Mechanism::parameter(const std::string& name, const Value& value) {
  impl_->add("parameters", "parameter", name, value);
  return *this;
}
Mechanism& Mechanism::ground_point(const std::string& name, const Value& position) {
  impl_->add("ground.points", "point of the ground", name, position);
  return *this;
}
Mechanism& Mechanism::ground_axis(const std::string& name, const Value& direction) {
  impl_->add("ground.axes", "axis of the ground", name, direction);
  return *this;
}
Mechanism& Mechanism::body(const std::string& name, const Fields& fields) {
  impl_->add("bodies", "body", name, Value::table(fields));
  return *this;
}
Mechanism& Mechanism::joint(const std::string& name, const std::string& type, const Fields& fields) {
  impl_->add("joints", "joint", name, with_type(type, fields));
  return *this;
}
Mechanism& Mechanism::force(const std::string& name, const std::string& type, const Fields& fields) {
  impl_->add("forces", "force", name, with_type(type, fields));
  return *this;
}
Mechanism& Mechanism::force(const std::string& name, const ForceFunction& function) {
  if (function.at.empty() == function.on.empty())
    throw RequestError("force \"" + name + "\": a function acts at a point or on a body; give one of both");
  if (!function.value) throw RequestError("force \"" + name + "\": its function is missing");
  impl_->functions.emplace_back(name, function);
  return *this;
}
Mechanism& Mechanism::driver(const std::string& name, const Fields& fields) {
  impl_->add("drivers", "driver", name, Value::table(fields));
  return *this;
}
Mechanism& Mechanism::constraint(const std::string& name, const std::string& equation) {
  impl_->add("constraints", "constraint", name, Value::table({{"equation", equation}}));
  return *this;
}
Mechanism& Mechanism::event(const std::string& name, const Fields& fields) {
  impl_->add("events", "event", name, Value::table(fields));
  return *this;
}
Mechanism& Mechanism::output(const std::string& name, const Value& expression) {
  impl_->add("outputs", "output", name, expression);
  return *this;
}
Mechanism& Mechanism::trust(const std::string& coordinate, const Value& value) {
  impl_->add("start.trust", "trusted value", coordinate, value);
  return *this;
}
Mechanism& Mechanism::guess(const std::string& coordinate, const Value& value) {
  impl_->add("start.guess", "guess", coordinate, value);
  return *this;
}
Mechanism& Mechanism::smooth_start() {
  impl_->add("start", "start", "smooth", true);
  impl_->smooth = true;
  return *this;
}
Mechanism& Mechanism::run(const std::string& name, const Fields& fields) {
  impl_->add("runs", "run", name, Value::table(fields));
  return *this;
}

std::string Mechanism::toml() const {
  if (!impl_->functions.empty())
    throw RequestError("force \"" + impl_->functions.front().first +
                       "\" is a function, which no model file can say; give it as a formula");
  return impl_->text(nullptr);
}

Model Mechanism::build() const {
  auto elements = std::make_shared<std::map<int, std::string>>();
  if (impl_->smooth && !impl_->functions.empty())
    throw ModelError(
        "force \"" + impl_->functions.front().first + "\": a smooth start is found from formulas; a function is none",
        "", 0, 0);
  Impl whole = *impl_;
  const std::vector<detail::PlacedForce> forces = whole.place_functions();
  const std::string text = whole.text(elements.get());
  return detail::guarded(elements, [&] {
    core::ModelSource source = core::parse_model(text, "mechanism");
    if (!impl_->title.empty()) source.name = impl_->title;
    std::shared_ptr<const core::ModelSource> file;
    if (!forces.empty()) {
      file = std::make_shared<const core::ModelSource>(source);
      source.text.clear();
      core::use_body_coordinates(source);
      source.build = [build = source.build, forces](const core::Parameters& parameters, core::Form form) {
        return detail::forced(build(parameters, form), forces);
      };
    }
    return Model(std::make_unique<detail::ModelData>(std::move(source), elements, file));
  });
}

}  // namespace raak_v0
