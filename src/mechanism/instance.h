// A mechanism with its parameters set: every number that does not change during the motion, checked.
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/parameters.h"
#include "mechanism/geometry.h"
#include "mechanism/mechanism.h"

namespace raak {

struct Body {
  std::string name;
  const BodyKind* kind = nullptr;
  bool ground = false;
  bool counter = false;         // none that a user knows: its coordinates are centres of angles (turn_gauge.h)
  Live mass = 0.0;              // kg
  std::array<Live, 6> inertia;  // Ixx, Iyy, Izz, Ixy, Ixz, Iyz about com in body axes, kg m^2; planar: Izz
  Vec3n com;                    // m, in body axes
  Vec3n reference;              // the point whose position its coordinates are: com, or in a spanning tree its pin
  std::map<std::string, Vec3n> points, axes;
  int first = 0;  // its coordinates: position, then those of its orientation
  int size = 0;
};

class Instance {
 public:
  Instance(std::shared_ptr<const Mechanism> mechanism, const Parameters& parameters);

  const Mechanism& mechanism() const { return *mechanism_; }
  bool planar() const { return mechanism_->planar; }
  int dimensions() const { return planar() ? 2 : 3; }
  // Those of the file, then those that hold the centres of angles.
  const std::vector<Body>& bodies() const { return bodies_; }
  int bodies_of_file() const { return static_cast<int>(mechanism_->bodies.size()); }
  // -1: there is none of that name.
  int find_body(const std::string& name) const;
  // Null: there is none of that name.
  const Element* find_joint(const std::string& name) const;
  const Vec3n& gravity() const { return gravity_; }
  int coordinates() const { return coordinates_; }
  int coordinates_of_file() const;
  // What is long in it, m (mechanism_size.h).
  double length() const { return *length_; }
  const std::vector<Live>& lengths_of_elements() const { return lengths_; }

  // Parameters that are plain numbers in the file get other values, and everything that was made of this instance
  // follows (base/tape/live.h). False, and nothing changes: one of them is none of those, or decides on the structure.
  bool set(const std::vector<std::pair<Live, double>>& parameters) const;
  // Null: it is none of these.
  const Live* changeable(const std::string& name) const;
  // How often one of its numbers was pinned (base/tape/live.h).
  long pins() const { return live_->pins(); }
  // Whether masses, inertias and axes are such that bodies can have them, as the constructor demands.
  bool is_sound() const;
  std::optional<double> parameter(const std::string& name) const;

  // What a start has decided about a joint (joint_datum.h); none before it has, or where there is nothing to decide.
  const std::vector<double>& joint_datum(const std::string& joint) const;
  bool has_joint_data() const { return has_joint_data_; }
  Instance with_joint_data(std::map<std::string, std::vector<double>> decided) const;
  // Where the centre of the angle that a force reads is kept; none: it counts no turns.
  struct TurnCounter {
    int body = 0, component = 0;
  };
  std::optional<TurnCounter> turn_counter(const std::string& force) const;
  // The coordinates of each body belong to the point given.
  Instance with_references(const std::vector<Vec3n>& references) const;

  // The value of a parameter, of pi; nothing for another name.
  std::optional<Live> constant(const std::string& name) const;
  // A quantity of the parameters only; refuses other names and values that are not finite.
  Live number(const Quantity& quantity) const;

 private:
  void read_body(const BodySpec& spec);
  void add_turn_counters();
  Vec3n vector(const std::vector<Quantity>& parts) const;

  std::shared_ptr<const Mechanism> mechanism_;
  std::shared_ptr<LiveNumbers> live_;
  std::unordered_map<std::string_view, Live> parameters_;  // names are those of the mechanism
  std::vector<Body> bodies_;
  std::unordered_map<std::string, int> body_of_name_;
  std::unordered_map<std::string, const Element*> joint_of_name_;
  Vec3n gravity_;
  int coordinates_ = 0;
  std::map<std::string, TurnCounter> turn_counters_;                // by force
  std::shared_ptr<double> length_ = std::make_shared<double>(1.0);  // of all copies
  std::vector<Live> lengths_;                                       // that joints and forces name
  std::map<std::string, std::vector<double>> joint_data_;
  bool has_joint_data_ = false;
};

// The place of a name inside a quantity.
Place place_in(const Quantity& quantity, std::size_t offset);

// The parameters of a mechanism with the values of its file; expressions among them are worked out, cycles refused.
Parameters declared_parameters(const Mechanism& mechanism);

}  // namespace raak
