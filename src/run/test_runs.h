// A pendulum, its start and plans, for the tests of runs.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "kinematics/start/consistent_start.h"
#include "run/integrate.h"
#include "system/example_systems.h"

namespace raak {

inline State start_of(const ConstrainedSystem& system, std::vector<double> q, std::vector<double> v,
                      std::vector<std::string> trusted_q, std::vector<std::string> trusted_v) {
  StartRequest r;
  r.q = Eigen::Map<const Vector>(q.data(), static_cast<Eigen::Index>(q.size()));
  r.v = Eigen::Map<const Vector>(v.data(), static_cast<Eigen::Index>(v.size()));
  r.trusted_positions = std::move(trusted_q);
  r.trusted_velocities = std::move(trusted_v);
  return make_consistent(system, r);
}

inline Plan plan_until(double t, double tolerance = 1e-10, const std::string& method = "auto") {
  Plan plan;
  plan.until = t;
  plan.method = method;
  plan.tolerances = Tolerances::uniform(tolerance, tolerance);
  return plan;
}

inline const auto point_pendulum = make_system(example::PointPendulum{});
inline const State pendulum_start = start_of(*point_pendulum, {1.2, -0.9}, {0.0, 0.0}, {"x"}, {"x"});

}  // namespace raak
