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
  struct Pin {
    std::string body;
    std::array<double, 3> at{};  // m, in the axes of that body
  };
  struct Joint {
    std::string name;
    std::vector<std::string> bodies;  // that it connects
    std::vector<Pin> pins;            // where it is, one for pins that meet; none: not known
  };
  struct Driver {
    std::string name;
    std::string unit;                       // "m", "rad" or empty
    std::function<double(double t)> value;  // that it prescribes
    std::vector<Pin> between;               // whose distance that is
  };
  JointGraph() = default;
  JointGraph(const JointGraph&) = delete;
  JointGraph& operator=(const JointGraph&) = delete;
  virtual ~JointGraph() = default;

  virtual std::vector<Joint> joints() const = 0;
  virtual std::vector<Driver> drivers() const = 0;
};

}  // namespace raak
