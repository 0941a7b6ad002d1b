// The names of bodies, points and axes in a model file: what "OF.F" refers to, and what to say of one that refers to
// nothing.
#pragma once
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "mechanism/mechanism.h"

namespace raak {

// Of bodies that stay where they are.
class BodyNames {
 public:
  explicit BodyNames(const std::vector<BodySpec>& bodies);
  // Each refuses a name that there is not, with the nearest one.
  int body_at(const std::string& name, const Place& place) const;
  PointRef point_at(const std::string& text, const Place& place) const;
  // In the plane bodies have no axis z, unless they name one of their own so.
  AxisRef axis_at(const std::string& text, const Place& place, bool planar) const;

 private:
  std::vector<std::string> names() const;
  int find_body(const std::string& name) const;
  std::pair<int, std::string> member_of_body(const std::string& text, const Place& place, const char* what) const;
  bool has_point(int body, const std::string& name) const;

  const std::vector<BodySpec>& bodies_;
  std::unordered_map<std::string, int> of_name_;
  std::unordered_set<std::string> points_of_ground_;
};

}  // namespace raak
