#include "modelfile/read_mechanism.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/text/text.h"
#include "mechanism/bodies/catalogue.h"
#include "modelfile/read_elements.h"
#include "modelfile/read_start.h"

namespace raak {
namespace {

const std::vector<std::string> sections_of_model{"format", "title",   "space",  "gravity", "include",   "parameters",
                                                 "ground", "bodies",  "joints", "forces",  "drivers",   "constraints",
                                                 "start",  "outputs", "events", "runs",    "references"};
const std::set<std::string> coordinate_names{"x",  "y",     "z",        "angle",    "vx",       "vy",
                                             "vz", "omega", "position", "velocity", "rotation", "quaternion"};

class MechanismReader {
 public:
  MechanismReader(const toml::table& document, const std::string& path) : document_(document) {
    m_.place = {path, 1, 1};
    m_.name = path;
    m_.title = std::filesystem::path(path).stem().string();
  }

  Mechanism read() {
    known_members(document_, "a model file", sections_of_model);
    read_head();
    if (const toml::node* node = document_.get("parameters")) read_parameters(as_table(*node, "parameters"));
    m_.bodies.push_back({});
    m_.bodies.front().name = "ground";
    m_.bodies.front().kind = &ground_kind(m_.planar);
    if (const toml::node* node = document_.get("ground")) {
      for (const Member& member : known_members(as_table(*node, "ground"), "ground", {"points", "axes"}))
        read_places(member, m_.bodies.front());
    }
    if (const toml::node* node = document_.get("bodies"))
      for (const Member& member : members_of(as_table(*node, "bodies"))) read_body(member);
    read_elements(document_, m_);
    read_formulas("constraints", m_.constraints, "equation");
    if (const toml::node* node = document_.get("start")) {
      m_.start = read_start(*node);
      m_.smooth = read_smooth(*node);
    }
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

  bool is_parameter(const std::string& name) const {
    const toml::node* const parameters = document_.get("parameters");
    return parameters != nullptr && parameters->as_table()->contains(name);
  }

  void read_parameters(const toml::table& table) {
    const std::vector<Member> members = members_of(table);
    m_.parameters.reserve(members.size());
    for (const Member& member : members) {
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
    const bool taken =
        member.name == "ground" || member.name == "t" || member.name == "pi" || is_parameter(member.name);
    if (taken)
      refuse_at(member.place,
                fmt::format("the name \"{}\" is taken: bodies, parameters, t and pi share one namespace", member.name));
    BodySpec body;
    body.name = member.name;
    body.place = member.place;
    const std::vector<std::string> types = body_types(m_.planar);
    body.kind = &find_body_kind(types.front(), m_.planar);
    const std::string what = "body \"" + member.name + "\"";
    bool has_mass = false;
    for (const Member& entry :
         known_members(as_table(*member.value, what), what, {"type", "mass", "inertia", "com", "points", "axes"})) {
      if (entry.name == "type") body.kind = &find_body_kind(as_choice(*entry.value, "type of body", types), m_.planar);
      if (entry.name == "mass") body.mass = as_quantity(*entry.value, "mass"), has_mass = true;
      if (entry.name == "com") body.com = as_quantities(*entry.value, "com", dimensions());
      if (entry.name == "points" || entry.name == "axes") read_places(entry, body);
      if (entry.name == "inertia") {
        const char* expected =
            m_.planar ? "one number for inertia" : "inertia = [xx, yy, zz] or [xx, yy, zz, xy, xz, yz]";
        if (const toml::array* rows = entry.value->as_array();
            rows != nullptr && !rows->empty() && (*rows)[0].is_array())
          refuse_type(*entry.value, expected);
        body.inertia = as_quantities(*entry.value, "inertia", 0, m_.planar);
        const std::size_t n = body.inertia.size();
        if (m_.planar ? n != 1 : n != 3 && n != 6) refuse_type(*entry.value, expected);
      }
    }
    if (!has_mass) refuse_at(member.place, what + " has no mass");
    if (body.kind->point && (!body.inertia.empty() || !body.com.empty() || !body.points.empty()))
      refuse_at(member.place, what + " is a point: it has a mass only");
    if (!body.kind->point && body.inertia.empty())
      refuse_at(member.place, what + " has no inertia; give one, or make it a point with type = \"point\"");
    m_.bodies.push_back(std::move(body));
  }

  // Of what has a force: the hyphen is not a minus sign there.
  std::vector<std::string> hyphenated_names() const {
    std::vector<std::string> names;
    for (const auto* elements : {&m_.joints, &m_.drivers})
      for (const Element& element : *elements)
        if (element.name.find('-') != std::string::npos) names.push_back(element.name);
    for (const NamedQuantity& equation : m_.constraints)
      if (equation.name.find('-') != std::string::npos) names.push_back(equation.name);
    return names;
  }

  void read_formulas(const char* section, std::vector<NamedQuantity>& to, const char* key) {
    const toml::node* const node = document_.get(section);
    if (node == nullptr) return;
    std::set<std::string> reacting;
    for (const auto* elements : {&m_.joints, &m_.drivers})
      for (const Element& element : *elements) reacting.insert(element.name);
    const std::vector<std::string> hyphenated = hyphenated_names();
    for (const Member& member : members_of(as_table(*node, section))) {
      const std::string what = fmt::format("\"{}\" of {}", member.name, section);
      const toml::node* value = member.value;
      if (key == nullptr) check_output_name(member.name, member.place);
      if (key != nullptr) {
        check_name(member.name, member.place, "constraint", true);
        if (reacting.contains(member.name))
          refuse_at(member.place,
                    fmt::format("the name \"{}\" is taken by a joint or driver, whose reactions are asked "
                                "for by it. Call the constraint otherwise",
                                member.name));
        const toml::table& table = as_table(*member.value, what);
        known_members(table, what, {key});
        value = table.get(key);
        if (value == nullptr) refuse_at(member.place, fmt::format("{} has no \"{}\"", what, key));
      }
      to.push_back({member.name, as_quantity(*value, what, hyphenated)});
    }
  }

  void read_events() {
    const toml::node* const node = document_.get("events");
    if (node == nullptr) return;
    const std::vector<std::string> hyphenated = hyphenated_names();
    for (const Member& member : members_of(as_table(*node, "events"))) {
      check_name(member.name, member.place, "event", true);
      EventSpec event;
      event.name = member.name;
      const std::string what = "event \"" + member.name + "\"";
      bool has_when = false;
      for (const Member& entry : known_members(as_table(*member.value, what), what, {"when", "direction", "action"})) {
        if (entry.name == "when") event.when = as_quantity(*entry.value, "when", hyphenated), has_when = true;
        if (entry.name == "direction") event.direction = as_choice(*entry.value, "direction", {"up", "down", "any"});
        if (entry.name == "action") event.action = as_choice(*entry.value, "action", {"record", "stop"});
      }
      if (!has_when) refuse_at(member.place, what + " has no \"when\"");
      m_.events.push_back(std::move(event));
    }
  }

  const toml::table& document_;
  Mechanism m_;
};

}  // namespace

Mechanism read_mechanism(const toml::table& document, const std::string& path) {
  return MechanismReader(document, path).read();
}

}  // namespace raak
