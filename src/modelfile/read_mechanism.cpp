#include "modelfile/read_mechanism.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "base/text.h"
#include "mechanism/drivers.h"
#include "mechanism/forces/catalogue.h"
#include "mechanism/joints/catalogue.h"
#include "modelfile/read_start.h"

namespace raak {
namespace {

const std::vector<std::string> sections{"format", "title",   "space",  "gravity", "include",   "parameters",
                                        "ground", "bodies",  "joints", "forces",  "drivers",   "constraints",
                                        "start",  "outputs", "events", "runs",    "references"};
const std::set<std::string> coordinate_names{"x",  "y",     "z",        "angle",    "vx",       "vy",
                                             "vz", "omega", "position", "velocity", "rotation", "quaternion"};

class Reader {
 public:
  Reader(const toml::table& document, const std::string& path) : document_(document) {
    m_.place = {path};
    m_.name = path;
    m_.title = std::filesystem::path(path).stem().string();
  }

  Mechanism read() {
    known_members(document_, "a model file", sections);
    read_head();
    if (const toml::node* node = document_.get("parameters")) read_parameters(as_table(*node, "parameters"));
    m_.bodies.push_back({});
    m_.bodies.front().name = "ground";
    if (const toml::node* node = document_.get("ground")) {
      for (const Member& member : known_members(as_table(*node, "ground"), "ground", {"points", "axes"}))
        read_places(member, m_.bodies.front());
    }
    if (const toml::node* node = document_.get("bodies"))
      for (const Member& member : members_of(as_table(*node, "bodies"))) read_body(member);
    for (std::size_t i = 0; i < m_.bodies.size(); ++i) body_of_name_.emplace(m_.bodies[i].name, static_cast<int>(i));
    read_elements();
    read_formulas("constraints", m_.constraints, "equation");
    if (const toml::node* node = document_.get("start")) m_.start = read_start(*node);
    read_formulas("outputs", m_.outputs, nullptr);
    read_events();
    return std::move(m_);
  }

 private:
  std::size_t dimensions() const { return m_.planar ? 2 : 3; }

  void read_head() {
    const toml::node* format = document_.get("format");
    if (format == nullptr) refuse_at(m_.place, "expected format = \"raak/1\" at the top, found none");
    as_choice(*format, "format", {"raak/1"});
    if (const toml::node* node = document_.get("title")) m_.title = as_text(*node, "title");
    if (const toml::node* node = document_.get("space"))
      m_.planar = as_choice(*node, "space", {"planar", "spatial"}) == "planar";
    if (const toml::node* node = document_.get("gravity")) m_.gravity = as_quantities(*node, "gravity", dimensions());
  }

  void read_parameters(const toml::table& table) {
    for (const Member& member : members_of(table)) {
      check_name(member.name, member.place, "parameter", false);
      if (member.name == "t" || member.name == "pi")
        refuse_at(member.place, fmt::format("\"{}\" has a meaning of its own and cannot be a parameter", member.name));
      m_.parameters.push_back({member.name, as_quantity(*member.value, "a parameter")});
    }
  }

  void read_places(const Member& member, BodySpec& body) {
    const bool points = member.name == "points";
    const std::string what = points ? "point" : "axis";
    for (const Member& entry : members_of(as_table(*member.value, member.name))) {
      check_name(entry.name, entry.place, what, false);
      if (points && coordinate_names.contains(entry.name))
        refuse_at(entry.place,
                  fmt::format("no point may be called \"{}\", which is the name of a coordinate", entry.name));
      auto parts = as_quantities(*entry.value, fmt::format("{} \"{}\"", what, entry.name), dimensions());
      (points ? body.points : body.axes).emplace_back(entry.name, std::move(parts));
    }
  }

  void read_body(const Member& member) {
    check_name(member.name, member.place, "body", false);
    const bool taken = member.name == "ground" || member.name == "t" || member.name == "pi" ||
                       std::any_of(m_.parameters.begin(), m_.parameters.end(),
                                   [&](const NamedQuantity& p) { return p.name == member.name; });
    if (taken)
      refuse_at(member.place,
                fmt::format("the name \"{}\" is taken: bodies, parameters, t and pi share one namespace", member.name));
    BodySpec body;
    body.name = member.name;
    body.place = member.place;
    const std::string what = "body \"" + member.name + "\"";
    bool has_mass = false;
    for (const Member& entry :
         known_members(as_table(*member.value, what), what, {"type", "mass", "inertia", "com", "points", "axes"})) {
      if (entry.name == "type") body.point = as_choice(*entry.value, "type of body", {"rigid", "point"}) == "point";
      if (entry.name == "mass") body.mass = as_quantity(*entry.value, "mass"), has_mass = true;
      if (entry.name == "com") body.com = as_quantities(*entry.value, "com", dimensions());
      if (entry.name == "points" || entry.name == "axes") read_places(entry, body);
      if (entry.name == "inertia") {
        body.inertia = as_quantities(*entry.value, "inertia", 0, m_.planar);
        const std::size_t n = body.inertia.size();
        if (m_.planar ? n != 1 : n != 3 && n != 6)
          refuse_type(*entry.value, m_.planar ? "one number for inertia" : "3 or 6 numbers for inertia");
      }
    }
    if (!has_mass) refuse_at(member.place, what + " has no mass");
    if (body.point && (!body.inertia.empty() || !body.com.empty() || !body.points.empty()))
      refuse_at(member.place, what + " is a point: it has a mass only");
    if (!body.point && body.inertia.empty())
      refuse_at(member.place, what + " has no inertia; give one, or make it a point with type = \"point\"");
    m_.bodies.push_back(std::move(body));
  }

  // --- references to bodies, points and axes ---
  std::vector<std::string> body_names() const {
    std::vector<std::string> names;
    for (const BodySpec& body : m_.bodies) names.push_back(body.name);
    return names;
  }
  int find_body(const std::string& name) const {
    const auto found = body_of_name_.find(name);
    return found == body_of_name_.end() ? -1 : found->second;
  }
  int body_at(const std::string& name, const Place& place) const {
    const int body = find_body(name);
    if (body < 0) refuse_at(place, unknown_name("body", name, body_names()));
    return body;
  }
  std::pair<int, std::string> member_of_body(const std::string& text, const Place& place, const char* what) const {
    const std::size_t dot = text.find('.');
    if (dot == std::string::npos) {
      const int body = find_body(text);
      if (body > 0 && m_.bodies[static_cast<std::size_t>(body)].point) return {body, text};
      refuse_at(place, fmt::format("expected BODY.{}, found \"{}\"", what, text));
    }
    return {body_at(text.substr(0, dot), place), text.substr(dot + 1)};
  }
  PointRef point_at(const std::string& text, const Place& place) const {
    const auto [body, name] = member_of_body(text, place, "POINT");
    const BodySpec& spec = m_.bodies[static_cast<std::size_t>(body)];
    if ((spec.point && name == spec.name) || has_point(body, name)) return {body, name};
    std::vector<std::string> names;
    if (spec.point) names.push_back(spec.name);
    for (const auto& [point, where] : spec.points) names.push_back(point);
    refuse_at(place, names.empty() ? fmt::format("\"{}\" has no points", spec.name)
                                   : unknown_name("point of \"" + spec.name + "\"", name, names));
  }
  // The ground may have as many points as there are bodies.
  bool has_point(int body, const std::string& name) const {
    const auto& points = m_.bodies[static_cast<std::size_t>(body)].points;
    if (body > 0) return std::any_of(points.begin(), points.end(), [&](const auto& p) { return p.first == name; });
    if (points_of_ground_.empty())
      for (const auto& [point, where] : points) points_of_ground_.insert(point);
    return points_of_ground_.contains(name);
  }
  AxisRef axis_at(const std::string& text, const Place& place) const {
    const auto [body, name] = member_of_body(text, place, "AXIS");
    std::vector<std::string> names{"x", "y", "z"};
    for (const auto& [axis, where] : m_.bodies[static_cast<std::size_t>(body)].axes) names.push_back(axis);
    if (std::find(names.begin(), names.end(), name) == names.end())
      refuse_at(place, unknown_name("axis of \"" + m_.bodies[static_cast<std::size_t>(body)].name + "\"", name, names));
    return {body, name};
  }

  // --- joints, forces, drivers ---
  template <class Info>
  void read_catalogued(const char* section, const std::vector<Info>& catalogue, std::vector<Element>& to) {
    const toml::node* const node = document_.get(section);
    if (node == nullptr) return;
    const std::string kind = std::string(section, std::string_view(section).size() - 1);
    std::vector<std::string> types;
    for (const Info& info : catalogue)
      if (m_.planar ? info.planar : info.spatial) types.push_back(info.name);
    for (const Member& member : members_of(as_table(*node, section))) {
      check_name(member.name, member.place, kind, true);
      const std::string what = kind + " \"" + member.name + "\"";
      const toml::table& table = as_table(*member.value, what);
      const toml::node* const type = table.get("type");
      if (type == nullptr) refuse_at(member.place, fmt::format("{} has no type; there are: {}", what, join(types)));
      if (type->is_string()) {
        const std::string& asked = type->as_string()->get();
        for (const Info& info : catalogue)
          if (info.name == asked && !(m_.planar ? info.planar : info.spatial))
            refuse_at(place_of(*type), fmt::format("the {} type \"{}\" exists for {} models only; here there are: {}",
                                                   kind, asked, m_.planar ? "spatial" : "planar", join(types)));
      }
      const std::string name = as_choice(*type, kind + " type", types);
      for (const Info& info : catalogue)
        if (info.name == name) to.push_back(read_element(member, table, what, info, true));
    }
  }
  Element read_element(const Member& member, const toml::table& table, const std::string& what, const ElementInfo& info,
                       bool typed) {
    Element element{member.name, info.name, member.place, {}};
    std::vector<std::string> keys;
    if (typed) keys.emplace_back("type");
    for (const ArgumentInfo& argument : info.arguments) keys.push_back(argument.key);
    for (const Member& entry : known_members(table, what, keys))
      for (const ArgumentInfo& argument : info.arguments)
        if (argument.key == entry.name) element.arguments[entry.name] = read_argument(entry, what, argument);
    for (const ArgumentInfo& argument : info.arguments)
      if (!argument.optional && !element.has(argument.key))
        refuse_at(member.place, fmt::format("{} has no \"{}\" ({})", what, argument.key, argument.meaning));
    return element;
  }
  Argument read_argument(const Member& entry, const std::string& what, const ArgumentInfo& info) {
    Argument argument;
    argument.place = place_of(*entry.value);
    const std::string of = "\"" + info.key + "\" of " + what;
    switch (info.kind) {
      case ArgumentKind::points:
        for (const auto& [text, place] : as_texts(*entry.value, of)) argument.points.push_back(point_at(text, place));
        check_count(*entry.value, argument.points.size(), info, "points", of);
        break;
      case ArgumentKind::axes:
        for (const auto& [text, place] : as_texts(*entry.value, of)) argument.axes.push_back(axis_at(text, place));
        check_count(*entry.value, argument.axes.size(), info, "axes", of);
        break;
      case ArgumentKind::bodies:
        for (const auto& [text, place] : as_texts(*entry.value, of)) argument.bodies.push_back(body_at(text, place));
        check_count(*entry.value, argument.bodies.size(), info, "bodies", of);
        break;
      case ArgumentKind::number:
      case ArgumentKind::formula:
        argument.numbers = {as_quantity(*entry.value, of)};
        break;
      case ArgumentKind::vector: {
        const bool torque = info.meaning.starts_with("N m");
        argument.numbers = as_quantities(*entry.value, of, 0, m_.planar && torque);
        const std::size_t expected = m_.planar && torque ? 1 : dimensions();
        if (argument.numbers.size() != expected)
          refuse_type(*entry.value, fmt::format("{} number{} for {}", expected, expected == 1 ? "" : "s", of));
        break;
      }
      case ArgumentKind::word:
        argument.word = info.words.empty() ? as_text(*entry.value, of) : as_choice(*entry.value, of, info.words);
        break;
    }
    return argument;
  }
  static void check_count(const toml::node& node, std::size_t count, const ArgumentInfo& info, const char* what,
                          const std::string& of) {
    const auto n = static_cast<int>(count);
    if (n >= info.least && n <= info.most) return;
    const std::string expected = info.least == info.most ? std::to_string(info.least)
                                 : n < info.least        ? fmt::format("at least {}", info.least)
                                                         : fmt::format("at most {}", info.most);
    refuse_at(place_of(node), fmt::format("expected {} {} for {}, found {}", expected, what, of, n));
  }
  void read_elements() {
    read_catalogued("joints", joint_catalogue(), m_.joints);
    read_catalogued("forces", force_catalogue(), m_.forces);
    for (const Element& joint : m_.joints) {
      joint_names_.insert(joint.name);
      check_joint(joint);
    }
    for (const Element& force : m_.forces)
      if (force.has("joint")) check_joint_name(force.at("joint"));
    const toml::node* const node = document_.get("drivers");
    if (node == nullptr) return;
    for (const Member& member : members_of(as_table(*node, "drivers"))) {
      check_name(member.name, member.place, "driver", true);
      const std::string what = "driver \"" + member.name + "\"";
      // Both have a reaction, which is asked for by this name.
      if (joint_names_.contains(member.name))
        refuse_at(member.place, fmt::format("the name \"{0}\" is taken by a joint: \"{0}.force\" would mean both. Call "
                                            "the driver otherwise",
                                            member.name));
      Element driver = read_element(member, as_table(*member.value, what), what, driver_info(), false);
      const int given =
          (driver.has("coordinate") ? 1 : 0) + (driver.has("distance") ? 1 : 0) + (driver.has("displacement") ? 1 : 0);
      if (given != 1)
        refuse_at(member.place,
                  fmt::format("{} expects one of coordinate, distance and displacement, found {}", what, given));
      if (driver.has("displacement")) check_joint_name(driver.at("displacement"));
      m_.drivers.push_back(std::move(driver));
    }
  }
  void check_joint_name(const Argument& asked) const {
    if (joint_names_.contains(asked.word)) return;
    std::vector<std::string> names;
    for (const Element& joint : m_.joints) names.push_back(joint.name);
    refuse_at(asked.place, unknown_name("joint", asked.word, names));
  }
  void check_joint(const Element& joint) const {
    const auto same_body = [](const auto& parts) {
      return std::all_of(parts.begin(), parts.end(), [&](const auto& part) { return part.body == parts.front().body; });
    };
    for (const char* key : {"pins", "between"})
      if (joint.has(key) && same_body(joint.at(key).points))
        refuse_at(joint.at(key).place, "expected points of different bodies, found points of one");
    if (joint.type == "gear" && joint.at("bodies").bodies[0] == joint.at("bodies").bodies[1])
      refuse_at(joint.at("bodies").place, "expected two different bodies, found one twice");
    if (!m_.planar && joint.type == "gear" && !joint.has("axes"))
      refuse_at(joint.place, fmt::format("in space the joint \"{}\" needs axes, one for each gear", joint.name));
    if (!m_.planar && joint.type == "knife-edge" && joint.at("axes").axes.size() != 2)
      refuse_at(joint.at("axes").place,
                "in space a knife edge needs two axes: the blade and the normal of the surface");
    if (m_.planar || joint.type == "knife-edge" || !joint.has("pins") || find_joint(joint.type)->arguments.size() < 2)
      return;
    if (joint.type == "revolute" && !joint.has("axes"))
      refuse_at(joint.place, fmt::format("in space the joint \"{}\" needs axes, one for each pin", joint.name));
    if (!joint.has("axes")) return;
    const auto& pins = joint.at("pins").points;
    const auto& axes = joint.at("axes").axes;
    if (joint.type == "revolute" && pins.size() != axes.size())
      refuse_at(joint.at("axes").place,
                fmt::format("expected an axis for each of the {} pins, found {}", pins.size(), axes.size()));
    for (std::size_t i = 0; i < std::min(pins.size(), axes.size()); ++i)
      if (pins[i].body != axes[i].body)
        refuse_at(joint.at("axes").place, "expected each axis in the body of its pin, in the same order");
  }

  // Of what has a force: the hyphen is not a minus sign there.
  std::vector<std::string> hyphenated_names() const {
    std::vector<std::string> names;
    for (const auto* elements : {&m_.joints, &m_.drivers})
      for (const Element& element : *elements)
        if (element.name.find('-') != std::string::npos) names.push_back(element.name);
    return names;
  }

  void read_formulas(const char* section, std::vector<NamedQuantity>& to, const char* key) {
    const toml::node* const node = document_.get(section);
    if (node == nullptr) return;
    for (const Member& member : members_of(as_table(*node, section))) {
      const std::string what = fmt::format("\"{}\" of {}", member.name, section);
      const toml::node* value = member.value;
      if (key == nullptr) check_output_name(member.name, member.place);
      if (key != nullptr) {
        check_name(member.name, member.place, "constraint", true);
        const toml::table& table = as_table(*member.value, what);
        known_members(table, what, {key});
        value = table.get(key);
        if (value == nullptr) refuse_at(member.place, fmt::format("{} has no \"{}\"", what, key));
      }
      to.push_back({member.name, as_quantity(*value, what, hyphenated_names())});
    }
  }

  void read_events() {
    const toml::node* const node = document_.get("events");
    if (node == nullptr) return;
    for (const Member& member : members_of(as_table(*node, "events"))) {
      check_name(member.name, member.place, "event", true);
      EventSpec event;
      event.name = member.name;
      const std::string what = "event \"" + member.name + "\"";
      bool has_when = false;
      for (const Member& entry : known_members(as_table(*member.value, what), what, {"when", "direction", "action"})) {
        if (entry.name == "when") event.when = as_quantity(*entry.value, "when", hyphenated_names()), has_when = true;
        if (entry.name == "direction") event.direction = as_choice(*entry.value, "direction", {"up", "down", "any"});
        if (entry.name == "action") event.action = as_choice(*entry.value, "action", {"record", "stop"});
      }
      if (!has_when) refuse_at(member.place, what + " has no \"when\"");
      m_.events.push_back(std::move(event));
    }
  }

  const toml::table& document_;
  Mechanism m_;
  std::unordered_map<std::string, int> body_of_name_;
  mutable std::unordered_set<std::string> points_of_ground_;
  std::unordered_set<std::string> joint_names_;
};

}  // namespace

Mechanism read_mechanism(const toml::table& document, const std::string& path) {
  return Reader(document, path).read();
}

}  // namespace raak
