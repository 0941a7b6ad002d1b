// A force at a point, in ground axes or in the axes of its body.
#include "mechanism/forces/catalogue.h"

namespace raak {
namespace {

void apply_point_force(const ElementScene& force, ForceSink& sink) {
  Vector3 value;
  for (std::size_t i = 0; i < force.count("value"); ++i)
    value[static_cast<int>(i)] = force.formula("value", Scene::Level::velocities, i);
  if (force.word("axes", "ground") == "body") value = force.frame("at", 0).R * value;
  sink.add_at(force.point("at", 0), value);
}

}  // namespace

ForceInfo point_force() {
  ForceInfo info;
  info.name = "force";
  info.summary = "force at a point";
  info.example = R"x(push = { type = "force", at = "bar.F", value = [1.0, "sin(t)"], axes = "ground" })x";
  info.arguments = {{"at", ArgumentKind::points, "where it acts", 1, 1},
                    {"value", ArgumentKind::vector, "its components, N"},
                    {"axes", ArgumentKind::word, "in which axes", 1, 1, true, "ground", {"ground", "body"}}};
  info.apply = apply_point_force;
  info.first_pulled_point = 0;
  return info;
}

}  // namespace raak
