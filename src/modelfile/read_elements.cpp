#include "modelfile/read_elements.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_set>

#include "base/text/text.h"
#include "mechanism/drivers/drivers.h"
#include "mechanism/forces/catalogue.h"
#include "mechanism/joints/catalogue.h"
#include "modelfile/body_names.h"

namespace raak {
namespace {

class ElementReader {
 public:
  ElementReader(const toml::table& document, Mechanism& mechanism)
      : document_(document), m_(mechanism), names_(mechanism.bodies) {}

  void read() {
    read_catalogued("joints", joint_catalogue(), m_.joints);
    read_catalogued("forces", force_catalogue(), m_.forces);
    for (const Element& joint : m_.joints) {
      joint_names_.insert(joint.name);
      check_joint(joint);
    }
    for (const Element& force : m_.forces) {
      if (force.has("joint")) check_joint_name(force.at("joint"));
      check_force(force);
      // Messages and outputs speak of elements by their names alone.
      if (joint_names_.contains(force.name))
        refuse_at(force.place, fmt::format("the name \"{0}\" is taken by a joint: \"{0}.force\" is its reaction. "
                                           "Call the force otherwise",
                                           force.name));
    }
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

 private:
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
        for (const auto& [text, place] : as_texts(*entry.value, of))
          argument.points.push_back(names_.point_at(text, place));
        check_count(*entry.value, argument.points.size(), info, {"point", "points"}, of);
        break;
      case ArgumentKind::axes:
        for (const auto& [text, place] : as_texts(*entry.value, of))
          argument.axes.push_back(names_.axis_at(text, place, m_.planar));
        check_count(*entry.value, argument.axes.size(), info, {"axis", "axes"}, of);
        break;
      case ArgumentKind::bodies:
        for (const auto& [text, place] : as_texts(*entry.value, of))
          argument.bodies.push_back(names_.body_at(text, place));
        check_count(*entry.value, argument.bodies.size(), info, {"body", "bodies"}, of);
        break;
      case ArgumentKind::number:
      case ArgumentKind::length:
      case ArgumentKind::formula:
        argument.numbers = {as_quantity(*entry.value, of)};
        break;
      case ArgumentKind::vector:
      case ArgumentKind::torque: {
        const bool one = m_.planar && info.kind == ArgumentKind::torque;
        argument.numbers = as_quantities(*entry.value, of, 0, one);
        const std::size_t expected = one ? 1 : (m_.planar ? 2 : 3);
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
  // `what`: the word for one and for several.
  static void check_count(const toml::node& node, std::size_t count, const ArgumentInfo& info,
                          const std::array<const char*, 2>& what, const std::string& of) {
    const auto n = static_cast<int>(count);
    if (n >= info.least && n <= info.most) return;
    const int limit = n < info.least ? info.least : info.most;
    const std::string bound = info.least == info.most ? "" : n < info.least ? "at least " : "at most ";
    refuse_at(place_of(node),
              fmt::format("expected {}{} {} for {}, found {}", bound, limit, what[limit == 1 ? 0 : 1], of, n));
  }
  void check_joint_name(const Argument& asked) const {
    if (joint_names_.contains(asked.word)) return;
    std::vector<std::string> names;
    for (const Element& joint : m_.joints) names.push_back(joint.name);
    refuse_at(asked.place, unknown_name("joint", asked.word, names));
  }
  // What acts within one body, or on the ground, moves nothing.
  static void check_force(const Element& force) {
    for (const ArgumentInfo& info : info_of_force(force).arguments) {
      if (!force.has(info.key) || (info.optional && info.most == 1)) continue;
      const Argument& given = force.at(info.key);
      std::vector<int> bodies = given.bodies;
      for (const PointRef& point : given.points) bodies.push_back(point.body);
      if (bodies.empty() || bodies.front() != (bodies.size() == 1 ? 0 : bodies.back())) continue;
      refuse_at(given.place,
                fmt::format("force \"{}\" acts on nothing that moves: expected {}", force.name,
                            bodies.size() == 1 ? "a body, found the ground" : "different bodies, found one"));
    }
  }
  void check_joint(const Element& joint) const {
    const auto same_body = [](const auto& parts) {
      return std::all_of(parts.begin(), parts.end(), [&](const auto& part) { return part.body == parts.front().body; });
    };
    for (const char* key : {"pins", "between"})
      if (joint.has(key) && same_body(joint.at(key).points))
        refuse_at(joint.at(key).place, "expected points of different bodies, found points of one");
    const JointInfo& info = info_of_joint(joint);
    if (info.check != nullptr) info.check(joint, m_.planar);
    if (m_.planar || !info.axes_belong_to_pins || !joint.has("pins") || !joint.has("axes")) return;
    const auto& pins = joint.at("pins").points;
    const auto& axes = joint.at("axes").axes;
    for (std::size_t i = 0; i < std::min(pins.size(), axes.size()); ++i)
      if (pins[i].body != axes[i].body)
        refuse_at(joint.at("axes").place, "expected each axis in the body of its pin, in the same order");
  }

  const toml::table& document_;
  Mechanism& m_;
  const BodyNames names_;
  std::unordered_set<std::string> joint_names_;
};

}  // namespace

void read_elements(const toml::table& document, Mechanism& mechanism) {
  ElementReader(document, mechanism).read();
}

}  // namespace raak
