// Bodies placed one after another along the joints, from the ground and from those whose placement is listed: a first
// guess of the placement, in a line where nothing says otherwise or, where such a loop does not close, along an arc.
#pragma once
#include <memory>
#include <vector>

#include "mechanism/bodies/body_placement.h"
#include "mechanism/instance.h"
#include "system/state.h"

namespace raak {

// How bodies lie that only one joint places: the first of a chain, and each further one against the one before it.
struct Bend {
  double heading = 0.0;  // rad
  double curl = 0.0;     // rad
  int axis = 2;          // of the body before it, about which joints without an axis bend in space
};

class Placement {
 public:
  explicit Placement(const Instance& instance);
  std::vector<BodyPlacement>& places() { return places_; }
  const std::vector<BodyPlacement>& places() const { return places_; }

  // The most bodies between the ground or a listed body and another one.
  int place_all(const Bend* bend = nullptr);
  // Whether a body that is to be placed is not listed with its rotation.
  bool leaves_choice() const;
  // Origins, angles or quaternions of the bodies in file order.
  Vector coordinates() const;

 private:
  struct Pin {
    PointRef here, there;
    const Element* joint;
  };
  std::vector<Pin> pins_of(int body) const;
  Vec3d position(const PointRef& ref) const;
  Vec3d local(const PointRef& ref) const;
  void place(int body, const std::vector<Pin>& pins, const Bend* bend);
  void turn(BodyPlacement& place, const std::vector<Pin>& pins, const Bend* bend) const;
  void align(BodyPlacement& place, const Pin& pin, const BodyPlacement& other) const;
  void bend_about_joint(BodyPlacement& place, const Pin& pin, const BodyPlacement& other, const Bend& bend) const;

  const Instance& instance_;
  std::vector<BodyPlacement> places_;
  std::vector<int> depth_;  // by body: how many were placed before it
  std::shared_ptr<const std::vector<std::vector<const Element*>>> joints_of_;  // by body: those with pins on it
};

}  // namespace raak
