#include "reading.h"

#include <sstream>
#include <stdexcept>

namespace reference {
namespace {

template <class T>
T read(std::istream& in) {
  T value{};
  if (!(in >> value)) throw std::runtime_error("a line is too short");
  return value;
}

double number(std::istream& in) {
  return read<double>(in);
}

Vector3 vector(std::istream& in) {
  const double x = number(in);
  const double y = number(in);
  const double z = number(in);
  return {x, y, z};
}

Body read_body(std::istream& in) {
  Body body;
  body.name = read<std::string>(in);
  body.point = read<int>(in) != 0;
  body.mass = number(in);
  const Vector3 diagonal = vector(in);
  const Vector3 products = vector(in);  // xy, xz, yz: entries of the tensor
  body.inertia << diagonal.x(), products.x(), products.y(), products.x(), diagonal.y(), products.z(), products.y(),
      products.z(), diagonal.z();
  body.centre = vector(in);
  body.position = vector(in);
  const double w = number(in);
  const Vector3 e = vector(in);
  body.rotation = Eigen::Quaterniond(w, e.x(), e.y(), e.z());
  body.angle = number(in);
  body.velocity = vector(in);
  body.omega = vector(in);
  return body;
}

Element read_element(std::istream& in) {
  Element element;
  element.name = read<std::string>(in);
  element.type = read<std::string>(in);
  for (std::vector<Pin>* const list : {&element.pins, &element.axes})
    for (int left = read<int>(in); left > 0; --left) {
      const int body = read<int>(in);
      list->push_back({body, vector(in)});
    }
  for (Pin& axis : element.axes) axis.at.normalize();
  for (int left = read<int>(in); left > 0; --left) element.numbers.push_back(number(in));
  for (int left = read<int>(in); left > 0; --left) {
    Course course;
    for (double* const c : {&course.c0, &course.c1, &course.c2, &course.c3, &course.c4}) *c = number(in);
    element.courses.push_back(course);
  }
  element.body_axes = read<int>(in) != 0;
  element.counted = read<int>(in) != 0 ? 0 : -1;
  return element;
}

}  // namespace

std::optional<Task> read_task(std::istream& in) {
  Task task;
  Mechanism& m = task.mechanism;
  m.bodies.emplace_back().name = "ground";
  std::string line;
  while (std::getline(in, line)) {
    std::istringstream words(line);
    const auto word = read<std::string>(words);
    if (word == "planar" || word == "spatial") m.planar = word == "planar";
    else if (word == "gravity") m.gravity = vector(words);
    else if (word == "body") m.bodies.push_back(read_body(words));
    else if (word == "joint") m.joints.push_back(read_element(words));
    else if (word == "force") m.forces.push_back(read_element(words));
    else if (word == "driver") m.drivers.push_back(read_element(words));
    else if (word == "run") {
      task.tolerance = number(words);
      task.perturbation = number(words);
      for (int left = read<int>(words); left > 0; --left) task.times.push_back(number(words));
      return task;
    } else throw std::runtime_error("no line begins with " + word);
  }
  return std::nullopt;
}

}  // namespace reference
