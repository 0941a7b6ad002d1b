#include "mechanism/instance.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/text/some_of.h"
#include "base/text/text.h"
#include "mechanism/bodies/catalogue.h"
#include "mechanism/bodies/mechanism_size.h"
#include "mechanism/bodies/thin_rods.h"
#include "mechanism/forces/catalogue.h"

namespace raak {
namespace {

// The time and quantities of the motion, where a constant is expected.
void refuse_what_changes(const Quantity& quantity, const Expression::Name& name) {
  if (name.text != "t" && name.text.find('.') == std::string::npos) return;
  refuse_at(place_in(quantity, name.offset),
            fmt::format("expected a constant, an expression of parameters only, found \"{}\", which varies with time. "
                        "Laws of t and of the motion: raak list forces shows which keys take them, as pull of a "
                        "spring and value of a force",
                        name.text));
}

// Parameters may refer to each other in any order. Those that one refers to are worked out first, on a list of our own
// instead of the stack, which a chain of many thousands would exceed.
class ParameterSolver {
 public:
  // `live`: those that are plain numbers may change afterwards, and the others follow them; null: none of them may.
  explicit ParameterSolver(const std::vector<NamedQuantity>& parameters, LiveNumbers* live = nullptr)
      : parameters_(parameters), live_(live), found_(parameters.size()) {}

  Live value(std::size_t asked) {
    std::vector<std::size_t> chain;
    if (found_[asked].state == State::unknown) open(asked, chain);
    while (!chain.empty()) {
      const std::size_t last = chain.back();
      const std::optional<std::size_t> missing = first_unknown(parameters_[last]);
      if (missing) {
        open(*missing, chain);
        continue;
      }
      found_[last] = {State::known, evaluated(parameters_[last])};
      chain.pop_back();
    }
    return found_[asked].value;
  }

 private:
  enum class State { unknown, open, known };
  struct Found {
    State state = State::unknown;
    Live value;
  };

  std::optional<std::size_t> place_of(const std::string& name) {
    if (places_.empty()) {
      places_.reserve(parameters_.size());
      for (std::size_t i = 0; i < parameters_.size(); ++i) places_.emplace(parameters_[i].name, i);
    }
    const auto found = places_.find(name);
    return found == places_.end() ? std::nullopt : std::optional(found->second);
  }
  void open(std::size_t place, std::vector<std::size_t>& chain) {
    if (found_[place].state == State::open) refuse_circle(chain, place);
    found_[place].state = State::open;
    chain.push_back(place);
  }
  std::optional<std::size_t> first_unknown(const NamedQuantity& parameter) {
    for (const Expression::Name& name : parameter.value.value.names()) {
      if (name.text == "pi") continue;
      const auto place = place_of(name.text);
      if (place && found_[*place].state == State::known) continue;
      if (place) return place;
      refuse_what_changes(parameter.value, name);
      std::vector<std::string> names{"pi"};
      for (const NamedQuantity& other : parameters_) names.push_back(other.name);
      refuse_at(place_in(parameter.value, name.offset), unknown_name("parameter", name.text, names));
    }
    return std::nullopt;
  }
  [[noreturn]] void refuse_circle(const std::vector<std::size_t>& chain, std::size_t again) const {
    std::vector<std::string> names;
    for (auto p = std::find(chain.begin(), chain.end(), again); p != chain.end(); ++p)
      names.push_back(parameters_[*p].name);
    names.push_back(parameters_[again].name);
    refuse_at(parameters_[again].value.place,
              "parameters refer to each other in a circle: " + some_of_chain(names, " -> "));
  }
  Live evaluated(const NamedQuantity& parameter) const {
    const Live result = parameter.value.value.evaluate<Live>([&](const Expression::Name& name) {
      return name.text == "pi" ? Live(std::numbers::pi) : found_[places_.at(name.text)].value;
    });
    if (!std::isfinite(result.now()))
      refuse_at(parameter.value.place,
                fmt::format("parameter \"{}\" is {}, expected a finite number", parameter.name, result.now()));
    return live_ != nullptr && !result.may_change() ? live_->new_parameter(result.now()) : result;
  }

  const std::vector<NamedQuantity>& parameters_;
  LiveNumbers* live_;
  std::vector<Found> found_;
  std::unordered_map<std::string_view, std::size_t> places_;  // made when the first name is looked for
};

}  // namespace

Place place_in(const Quantity& quantity, std::size_t offset) {
  Place place = quantity.place;
  if (quantity.is_text) place.column += 1 + static_cast<int>(offset);
  return place;
}

Parameters declared_parameters(const Mechanism& mechanism) {
  ParameterSolver solver(mechanism.parameters);
  std::vector<Parameter> all;
  all.reserve(mechanism.parameters.size());
  for (std::size_t i = 0; i < mechanism.parameters.size(); ++i)
    all.push_back(Parameters::number(mechanism.parameters[i].name, solver.value(i).now(), "", "parameter of the file"));
  return Parameters(std::move(all));
}

Instance::Instance(std::shared_ptr<const Mechanism> mechanism, const Parameters& parameters)
    : mechanism_(std::move(mechanism)), live_(std::make_shared<LiveNumbers>()) {
  // A parameter that was set holds; those defined by others follow them.
  const std::vector<NamedQuantity>& in_file = mechanism_->parameters;
  ParameterSolver declared(in_file);
  std::vector<NamedQuantity> with_settings;  // none where none is set
  parameters_.reserve(in_file.size());
  for (std::size_t i = 0; i < in_file.size(); ++i) {
    const double value = parameters.number(in_file[i].name);
    if (value == declared.value(i).now()) continue;
    if (with_settings.empty()) with_settings = in_file;
    with_settings[i].value.value = Expression(value);
  }
  ParameterSolver solver(with_settings.empty() ? in_file : with_settings, live_.get());
  for (std::size_t i = 0; i < in_file.size(); ++i) parameters_.emplace(in_file[i].name, solver.value(i));
  gravity_ = vector(mechanism_->gravity);
  for (const BodySpec& spec : mechanism_->bodies) {
    body_of_name_.emplace(spec.name, static_cast<int>(bodies_.size()));
    read_body(spec);
  }
  for (const Element& joint : mechanism_->joints) joint_of_name_.emplace(joint.name, &joint);
  complete_thin_rods(*this, bodies_);
  if (!planar()) add_turn_counters();
  lengths_ = named_lengths(*this);
  *length_ = typical_length(*this);
}

// Three angles share a point: it has three coordinates.
void Instance::add_turn_counters() {
  for (const Element& force : mechanism_->forces) {
    const ForceInfo* const info = find_force(force.type);
    if (info == nullptr || info->counts_turns == nullptr || !info->counts_turns(*this, force)) continue;
    const auto component = static_cast<int>(turn_counters_.size() % 3);
    if (component == 0) {
      Body counter;
      counter.name = "turns";
      counter.kind = &find_body_kind("point", planar());
      counter.counter = true;
      counter.inertia.fill(0.0);
      counter.mass = 1.0;
      counter.first = coordinates_;
      counter.size = counter.kind->size();
      coordinates_ += counter.size;
      bodies_.push_back(std::move(counter));
    }
    turn_counters_[force.name] = {static_cast<int>(bodies_.size()) - 1, component};
  }
}

std::optional<Instance::TurnCounter> Instance::turn_counter(const std::string& force) const {
  const auto found = turn_counters_.find(force);
  if (found == turn_counters_.end()) return std::nullopt;
  return found->second;
}

int Instance::coordinates_of_file() const {
  return coordinates_ - dimensions() * (static_cast<int>(bodies_.size()) - bodies_of_file());
}

const Element* Instance::find_joint(const std::string& name) const {
  const auto found = joint_of_name_.find(name);
  return found == joint_of_name_.end() ? nullptr : found->second;
}

int Instance::find_body(const std::string& name) const {
  const auto found = body_of_name_.find(name);
  return found == body_of_name_.end() ? -1 : found->second;
}

std::optional<Live> Instance::constant(const std::string& name) const {
  if (name == "pi") return Live(std::numbers::pi);
  const auto found = parameters_.find(name);
  if (found == parameters_.end()) return std::nullopt;
  return found->second;
}

Live Instance::number(const Quantity& quantity) const {
  const Live value = quantity.value.evaluate<Live>([&](const Expression::Name& name) {
    const auto known = constant(name.text);
    if (known) return *known;
    refuse_what_changes(quantity, name);
    std::vector<std::string> names{"pi"};
    for (const NamedQuantity& parameter : mechanism_->parameters) names.push_back(parameter.name);
    std::sort(names.begin() + 1, names.end());
    refuse_at(place_in(quantity, name.offset), unknown_name("parameter", name.text, names));
  });
  if (!std::isfinite(value.now()))
    refuse_at(quantity.place, "expected a finite number, found " + exact_text(value.now()));
  return value;
}

const Live* Instance::changeable(const std::string& name) const {
  const auto found = parameters_.find(name);
  return found == parameters_.end() || !found->second.is_parameter() ? nullptr : &found->second;
}

bool Instance::set(const std::vector<std::pair<Live, double>>& parameters) const {
  if (!live_->set(parameters)) return false;
  *length_ = typical_length(*this);
  return true;
}

bool Instance::is_sound() const {
  return std::all_of(bodies_.begin() + 1, bodies_.end(), [](const Body& body) {
    const auto is_unit = [](const auto& axis) { return std::isfinite(norm(now(axis.second))); };
    return body.mass.now() > 0.0 && body.kind->has_inertia(body) &&
           std::all_of(body.axes.begin(), body.axes.end(), is_unit);
  });
}

std::optional<double> Instance::parameter(const std::string& name) const {
  const auto found = parameters_.find(name);
  if (found == parameters_.end()) return std::nullopt;
  return found->second.now();
}

Vec3n Instance::vector(const std::vector<Quantity>& parts) const {
  Vec3n result;
  for (std::size_t i = 0; i < parts.size() && i < 3; ++i) result[static_cast<int>(i)] = number(parts[i]);
  return result;
}

const std::vector<double>& Instance::joint_datum(const std::string& joint) const {
  static const std::vector<double> nothing;
  const auto found = joint_data_.find(joint);
  return found == joint_data_.end() ? nothing : found->second;
}

Instance Instance::with_joint_data(std::map<std::string, std::vector<double>> decided) const {
  Instance copy = *this;
  copy.joint_data_ = std::move(decided);
  copy.has_joint_data_ = true;
  return copy;
}

Instance Instance::with_references(const std::vector<Vec3n>& references) const {
  Instance copy = *this;
  for (std::size_t b = 0; b < references.size(); ++b) copy.bodies_[b].reference = references[b];
  return copy;
}

void Instance::read_body(const BodySpec& spec) {
  Body body;
  body.name = spec.name;
  body.ground = bodies_.empty();
  body.kind = spec.kind;
  body.inertia.fill(0.0);
  body.com = vector(spec.com);
  body.reference = body.com;
  for (const auto& [name, parts] : spec.points) body.points[name] = vector(parts);
  if (body.kind->point) body.points[spec.name] = {};
  body.axes = {{"x", {1.0, 0.0, 0.0}}, {"y", {0.0, 1.0, 0.0}}, {"z", {0.0, 0.0, 1.0}}};
  for (const auto& [name, parts] : spec.axes) {
    const Vec3n axis = vector(parts);
    const Live length = norm(axis);
    if (!(length.now() > 0.0)) refuse_at(parts.front().place, fmt::format("axis \"{}\" has no length", name));
    body.axes[name] = (1.0 / length) * axis;
  }
  if (!body.ground) {
    body.mass = number(spec.mass);
    if (!(body.mass.now() > 0.0))
      refuse_at(spec.mass.place,
                fmt::format("the mass of \"{}\" is {}, expected a positive number of kg", spec.name, body.mass.now()));
    body.kind->read_inertia(*this, spec, body);
    body.first = coordinates_;
    body.size = body.kind->size();
    coordinates_ += body.size;
  }
  bodies_.push_back(std::move(body));
}

}  // namespace raak
