// What a joint, force or driver declares about itself, and what it sees when its formulas are recorded: points, axes
// and numbers by the keys of the model file, never the bodies' coordinates.
#pragma once
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "mechanism/formulas/scene.h"
#include "system/drawing.h"
#include "system/row.h"

namespace raak {

// A length is a number in m; a torque is a vector of which a planar model has one component.
enum class ArgumentKind { points, axes, bodies, number, length, formula, vector, torque, word };

struct ArgumentInfo {
  std::string key;
  ArgumentKind kind = ArgumentKind::number;
  std::string meaning;  // with the unit
  int least = 1;        // how many points, axes or bodies
  int most = 1;
  bool optional = false;
  std::string fallback = {};            // of a number or word that is left out
  std::vector<std::string> words = {};  // the choices of a word
};

struct ElementInfo {
  std::string name, summary, example;
  bool planar = true, spatial = true;
  std::vector<ArgumentInfo> arguments;
  // Bars and springs are drawn between the points of "between", discs round the second of "pins" with "radius".
  std::optional<DrawingElement::Kind> drawn_as = {};
  // From this one on, it pulls at its points and turns nothing about them.
  std::size_t first_pulled_point = std::numeric_limits<std::size_t>::max();
};

// A number of the file: known, so that it may be compared, and a parameter in formulas.
class Number : public Recorded {
 public:
  explicit Number(const Live& value) : Recorded(value.recorded()), value_(value) {}
  // Where it decides on what is recorded, or its sign alone does.
  double value() const { return value_.value(); }
  int sign() const { return value_.pinned_sign(); }
  // In messages.
  double now() const { return value_.now(); }

 private:
  Live value_;
};

class ElementScene {
 public:
  ElementScene(const Scene& scene, const Element& element) : scene_(scene), element_(element) {}

  const Scene& scene() const { return scene_; }
  const Element& element() const { return element_; }
  bool planar() const { return scene_.planar(); }

  std::size_t count(const std::string& key) const;
  bool has(const std::string& key) const { return element_.has(key); }
  Vector3 point(const std::string& key, std::size_t i) const { return scene_.point(element_.at(key).points[i]); }
  Vector3 axis(const std::string& key, std::size_t i) const;
  // The axis of the i-th body that the other one names, perpendicular directions of it included.
  const Frame& frame(const std::string& key, std::size_t i) const;
  // A body axis in its own body's coordinates.
  Vec3n body_axis(const std::string& key, std::size_t i) const;
  Number number(const std::string& key, double fallback = 0.0) const;
  // A formula of t (and, at the level given, of the state).
  Real formula(const std::string& key, Scene::Level level, std::size_t i = 0) const;
  std::string word(const std::string& key, const std::string& fallback) const;
  // The angle nearest to the centre that is kept for this force (turn_gauge.h), of those that differ by whole turns.
  Real counted(const Real& angle) const;
  // How far it is from that centre.
  Real turned_from_centre(const Real& angle) const;
  // What the start has decided about it; empty before it has.
  const std::vector<double>& datum() const { return scene_.instance().joint_datum(element_.name); }

 private:
  Real centre() const;

  const Scene& scene_;
  const Element& element_;
};

// Rows of the constraints with the names that messages use. Rows that are the components of one vector, as the gap
// between two points, may be taken in several sets of directions: those of the ground, or some that move with a body.
// All sets constrain the same motions. Where rows are left out as redundant, it matters which set it is: in directions
// that move with the bodies the rows left are as independent after the whole has turned as they were before.
class Rows {
 public:
  explicit Rows(std::string owner) : owner_(std::move(owner)) {}
  // Those from place `first` on among all rows, with the set of directions chosen for each of all rows.
  Rows(std::string owner, std::size_t first, const std::vector<int>& directions)
      : owner_(std::move(owner)), first_(first), directions_(&directions) {}

  // In m, or in the unit given.
  void add(const std::string& what, const Real& value, const char* unit = "m", GapReading reading = {}) {
    rows.emplace_back(owner_, what, unit);
    rows.back().reading = reading;
    values.push_back(value);
    components.push_back(left_in_group_ > 0 ? Component{group_size_ - left_in_group_--, group_size_, sets_}
                                            : Component{});
  }
  // Both components of a difference in the plane, or all three.
  void add_vector(bool planar, const std::string& what, const Vector3& value) {
    for (int i = 0; i < (planar ? 2 : 3); ++i) add(what + std::string(1, static_cast<char>('x' + i)), value[i]);
  }

  // The next `size` rows are components of one vector; returns which of the sets of directions they take.
  int begin_components(int size, int sets) {
    left_in_group_ = group_size_ = size;
    sets_ = sets;
    return directions_ == nullptr ? 0 : (*directions_)[first_ + values.size()];
  }
  // What the components just added have to do with those of set 0: the directions of both sets, orthonormal each.
  // Multipliers of set 0 are cosines times theirs.
  void turn_back(const std::vector<Vector3>& chosen, const std::vector<Vector3>& of_set_0) {
    Turn turn{first_ + values.size() - chosen.size(), chosen.size(), {}};
    for (const Vector3& to : of_set_0)
      for (const Vector3& from : chosen) turn.cosines.push_back(dot(to, from));
    turns.push_back(std::move(turn));
  }

  // The place of a row among the components of a vector; of a row that is none: sets = 1.
  struct Component {
    int place = 0, size = 1, sets = 1;
  };
  struct Turn {
    std::size_t row, size;  // its first row among all rows
    Reals cosines;          // row by row
  };
  std::vector<Row> rows;
  std::vector<Component> components;
  std::vector<Turn> turns;  // of those that are not in set 0
  Reals values;

 private:
  std::string owner_;
  std::size_t first_ = 0;
  const std::vector<int>* directions_ = nullptr;
  int left_in_group_ = 0, group_size_ = 1, sets_ = 1;
};

// What forces do: a potential, or a force F along a measure s of the configuration (generalised force F ds/dq, power F
// s').
class ForceSink {
 public:
  void add_potential(const Real& V) { potential += V; }
  void add_along(const Real& measure, const Real& force) {
    measures.push_back(measure);
    along.push_back(force);
  }
  // A force that only takes energy.
  void add_damping(const Real& measure, const Real& force) {
    add_along(measure, force);
    damping_.resize(measures.size(), false);
    damping_.back() = true;
  }
  bool is_damping(std::size_t i) const { return i < damping_.size() && damping_[i]; }
  void add_at(const Vector3& point, const Vector3& force) {
    for (int i = 0; i < 3; ++i) add_along(point[i], force[i]);
  }
  // A torque in ground axes on a body; of a damper, one that only takes energy.
  void add_torque(const Scene& scene, int body, const Vector3& torque, bool damping = false);

  // A force on one coordinate of a body.
  struct Direct {
    int body, coordinate;
    Real force;
    bool damping = false;
  };
  Real potential{0.0};  // J
  Reals measures, along;
  std::vector<Direct> direct;

 private:
  std::vector<bool> damping_;  // by measure, as far as there are any
};

}  // namespace raak
