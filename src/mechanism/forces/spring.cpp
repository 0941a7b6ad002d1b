// Spring and damper between two points: V = k (l - l0)^2 / 2, force -d l' along the line.
#include <fmt/format.h>

#include "mechanism/forces/catalogue.h"

namespace raak {
namespace {

void apply_spring(const ElementScene& force, ForceSink& sink) {
  const Vector3 between = force.point("between", 1) - force.point("between", 0);
  const Real length = norm(between);
  const Number rest = force.number("length");
  if (rest.sign() < 0)
    refuse_at(
        force.element().at("length").place,
        fmt::format("the length of a spring at rest is {}, expected a number of m that is not negative", rest.now()));
  // A spring of no length at rest pulls smoothly where its ends pass through each other, and its length has a kink.
  const Real stretch = length - rest;
  const Real square = rest.sign() == 0 ? dot(between, between) : stretch * stretch;
  sink.add_potential(0.5 * force.number("stiffness") * square);
  if (force.number("damping").sign() != 0)
    sink.add_damping(length, -force.number("damping") * force.scene().rate(length));
  // A law of its own, on top: pull as a function of t and the state.
  if (force.has("pull")) sink.add_along(length, -force.formula("pull", Scene::Level::velocities));
}

std::optional<std::string> needs_direction(const Instance& instance, const Element& force) {
  const auto acts = [&](const char* key) {
    return force.has(key) && instance.number(force.at(key).numbers.front()).pinned_sign() != 0;
  };
  if (!(acts("stiffness") && acts("length")) && !acts("damping") && !force.has("pull")) return std::nullopt;
  return "a spring with length = 0 and no damping or pull";
}

}  // namespace

ForceInfo spring_force() {
  ForceInfo info;
  info.name = "spring";
  info.summary = "spring and damper between two points";
  info.example = R"(s = { type = "spring", between = ["ground.C", "bar.D"], stiffness = 4530.0, length = 0.07785 })";
  info.arguments = {{"between", ArgumentKind::points, "its ends", 2, 2},
                    {"stiffness", ArgumentKind::number, "N/m", 1, 1, true, "0"},
                    {"length", ArgumentKind::length, "at rest, m", 1, 1, true, "0"},
                    {"damping", ArgumentKind::number, "N s/m", 1, 1, true, "0"},
                    {"pull", ArgumentKind::formula, "further force that pulls the ends together, N", 1, 1, true}};
  info.apply = apply_spring;
  info.drawn_as = DrawingElement::Kind::spring;
  info.first_pulled_point = 0;
  info.needs_direction = needs_direction;
  return info;
}

}  // namespace raak
