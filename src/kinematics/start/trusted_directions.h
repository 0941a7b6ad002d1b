// The trusted values of a start as rows on the coordinates of the system: what has to be added to a step, or to a
// velocity, so that they hold. A system is solved in coordinates of its own and trusted by reported names; the rates it
// reports are linear in v, and show how each reported value changes along a direction.
#pragma once
#include <string>
#include <vector>

#include "kinematics/start/consistent_start.h"
#include "system/constrained_system.h"

namespace raak {

class TrustedDirections {
 public:
  TrustedDirections(const ConstrainedSystem& system, const StartRequest& request);

  // The shortest step, a combination of the columns of `free`, that takes q to the trusted positions at first order.
  Vector position_step(double t, const Vector& q, const Matrix& free) const;
  // The same change of v for the trusted velocities.
  Vector velocity_step(double t, const Vector& q, const Vector& v, const Matrix& free) const;

  // How far the trusted positions and velocities are missed, in scales of the mechanism; the name that is off most.
  struct Miss {
    double size = 0.0;
    std::string name;
  };
  Miss position_miss(double t, const Vector& q) const;
  Miss velocity_miss(double t, const Vector& q, const Vector& v) const;

 private:
  struct Row {
    std::string name;
    Eigen::Index rate;           // among the reported velocities
    Eigen::Index position = -1;  // among the reported positions; -1: a component of the rotation below
    Eigen::Index quaternion = -1;
    int component = 0;
  };
  void add_position(const ReportedNames& names, const std::string& name);
  State reported(double t, const Vector& q, const Vector& v) const;
  Vector position_errors(double t, const Vector& q) const;
  Vector velocity_errors(double t, const Vector& q, const Vector& v) const;
  Vector step(const std::vector<Row>& rows, const Vector& errors, double t, const Vector& q, const Matrix& free) const;
  Miss miss(const std::vector<Row>& rows, const Vector& errors) const;

  const ConstrainedSystem& system_;
  Vector q_, v_;  // as trusted
  std::vector<Row> positions_, velocities_;
};

}  // namespace raak
