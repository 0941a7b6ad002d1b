// A mechanism falls into parts that share no joint, driver or equation, the ground aside: each can be assembled on its
// own, which takes the time of the sum of them instead of that of its cube. Found by union of the bodies that an
// element ties (Cormen et al., Introduction to Algorithms, 3rd ed., chapter 21).
#pragma once
#include <memory>
#include <vector>

#include "kinematics/start/consistent_start.h"
#include "mechanism/instance.h"

namespace raak {

struct Part {
  std::vector<int> bodies;  // ascending, without the ground
  std::vector<const Element*> joints, drivers;
  std::vector<const NamedQuantity*> equations;
};

// Bodies that nothing ties, each a part of its own, included.
std::vector<Part> independent_parts(const Instance& instance);

// The part as a mechanism of its own, without forces, outputs and events, which say nothing of configurations.
std::shared_ptr<const Instance> instance_of(const Part& part, const Instance& whole);

// What is asked of the part in a start of the whole; both go by reported coordinates in file order.
StartRequest request_of(const Part& part, const Instance& whole, const StartRequest& start);

}  // namespace raak
