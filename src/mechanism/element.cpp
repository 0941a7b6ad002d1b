#include "mechanism/element.h"

#include <algorithm>
#include <cmath>

#include "mechanism/bodies/catalogue.h"

namespace raak {

std::size_t ElementScene::count(const std::string& key) const {
  if (!has(key)) return 0;
  const Argument& argument = element_.at(key);
  return std::max({argument.points.size(), argument.axes.size(), argument.bodies.size(), argument.numbers.size()});
}

Vector3 ElementScene::axis(const std::string& key, std::size_t i) const {
  return scene_.axis(element_.at(key).axes[i]);
}

Vec3n ElementScene::body_axis(const std::string& key, std::size_t i) const {
  const AxisRef& ref = element_.at(key).axes[i];
  return scene_.frame(ref.body).body->axes.at(ref.axis);
}

const Frame& ElementScene::frame(const std::string& key, std::size_t i) const {
  const Argument& argument = element_.at(key);
  if (!argument.bodies.empty()) return scene_.frame(argument.bodies[i]);
  if (!argument.axes.empty()) return scene_.frame(argument.axes[i].body);
  return scene_.frame(argument.points[i].body);
}

Number ElementScene::number(const std::string& key, double fallback) const {
  return Number(has(key) ? scene_.instance().number(element_.at(key).numbers.front()) : Live(fallback));
}

Real ElementScene::formula(const std::string& key, Scene::Level level, std::size_t i) const {
  return has(key) ? scene_.evaluate(element_.at(key).numbers[i], level) : Real(0.0);
}

Real ElementScene::centre() const {
  const auto counter = scene_.instance().turn_counter(element_.name);
  return counter ? scene_.frame(counter->body).at[counter->component] : Real(0.0);
}

Real ElementScene::turned_from_centre(const Real& angle) const {
  const Real off = angle - centre();
  return atan2(sin(off), cos(off));
}

Real ElementScene::counted(const Real& angle) const {
  return centre() + turned_from_centre(angle);
}

std::string ElementScene::word(const std::string& key, const std::string& fallback) const {
  return has(key) ? element_.at(key).word : fallback;
}

void ForceSink::add_torque(const Scene& scene, int body, const Vector3& torque, bool damping) {
  const Frame& f = scene.frame(body);
  const Reals forces = f.body->kind->forces_of_torque(f, torque);
  const int orientation = f.body->kind->dimensions();
  for (std::size_t i = 0; i < forces.size(); ++i)
    direct.push_back({body, orientation + static_cast<int>(i), forces[i], damping});
}

}  // namespace raak
