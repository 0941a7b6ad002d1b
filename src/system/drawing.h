// How a mechanism is drawn: elements that refer to points by index, and where those points are in a given state. A
// model declares it once; the report animates it. Nothing here affects the computation.
#pragma once
#include <functional>
#include <initializer_list>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "system/state.h"

namespace raak {

struct DrawingElement {
  enum class Kind {
    bar,     // rigid link along two or more points
    plate,   // rigid body with the points as corners
    beam,    // flexible link: n points where it would be if it were rigid, then the n points where it is
    disc,    // centre, a point of the rim (in space: two, a quarter turn apart)
    block,   // slider: centre, a second point that gives its direction; `size` is its length in m
    mass,    // point mass; `size` is its radius in m
    pin,     // joint at a point
    ground,  // joint between a point and the ground, with hatching
    wall,    // fixed line of two points, hatched on the right of the direction from the first to the second
    rail,    // guide line through two points
    spring,  // between two points
    damper,  // between two points
    trace    // the path of a point
  };
  Kind kind = Kind::bar;
  std::vector<int> points;
  std::string name;   // what a person calls it; may be empty
  double size = 0.0;  // m; 0: a size that suits the picture
};

// The word for a kind in files: "bar", "plate", ...
const std::string& kind_name(DrawingElement::Kind kind);

struct Drawing {
  int dimension = 2;                     // 2 or 3: numbers per point; y is up, in space see `up`
  int up = 3;                            // in space: the axis that is drawn upwards, 1 to 3; below 0: against it
  std::vector<std::string> points = {};  // their names, empty where a point is only a help for drawing
  std::vector<DrawingElement> elements = {};
  // Writes the coordinates of all points, point by point, in m, for a state as the system reports it.
  std::function<void(const State& state, std::span<double> coordinates)> place = {};

  bool empty() const { return elements.empty() || !place; }
  std::size_t numbers() const { return points.size() * static_cast<std::size_t>(dimension); }

  // Declares points by name and returns the index of the first.
  int add_points(std::initializer_list<std::string> names) {
    const int first = static_cast<int>(points.size());
    points.insert(points.end(), names);
    return first;
  }
  void add(DrawingElement::Kind kind, std::vector<int> indices, std::string name = {}, double size = 0.0) {
    elements.push_back({kind, std::move(indices), std::move(name), size});
  }
};

}  // namespace raak
