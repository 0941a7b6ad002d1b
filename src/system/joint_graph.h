// Which bodies the joints of a mechanism connect and what its drivers prescribe, for messages that name them. A system
// that knows implements it beside ConstrainedSystem; equations written by hand do not.
#pragma once
#include <array>
#include <functional>
#include <string>
#include <vector>

namespace raak {

class JointGraph {
 public:
  struct Joint {
    std::string name;
    std::vector<std::string> bodies;  // that it connects; the first one has the pin
    bool has_pin = false;
    std::array<double, 3> pin{};  // m, in the axes of that body
  };
  struct Driver {
    std::string name;
    std::string unit;                       // "m", "rad" or empty
    std::function<double(double t)> value;  // that it prescribes
  };
  JointGraph() = default;
  JointGraph(const JointGraph&) = delete;
  JointGraph& operator=(const JointGraph&) = delete;
  virtual ~JointGraph() = default;

  virtual std::vector<Joint> joints() const = 0;
  virtual std::vector<Driver> drivers() const = 0;
};

}  // namespace raak
