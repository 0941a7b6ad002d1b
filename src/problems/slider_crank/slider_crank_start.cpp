#include "problems/slider_crank/slider_crank_start.h"

#include <fmt/format.h>

#include <cmath>

#include "kinematics/slow/slow_manifold.h"

namespace raak {
namespace {

const std::vector<std::string> deformations{"q1", "q2", "q3", "q4"};

StartRequest still_rod() {
  StartRequest start;
  start.q = start.v = Vector::Zero(SliderCrank::coordinates);
  start.trusted_positions = start.trusted_velocities = deformations;
  return start;
}

}  // namespace

StartRequest rigid_start(const SliderCrank& s, double phi1) {
  StartRequest start = still_rod();
  const double sine = -s.l1.now() / s.l2.now() * std::sin(phi1);
  const double phi2 = std::abs(sine) < 1.0 ? std::asin(sine) : 0.0;
  start.q.head(3) << phi1, phi2, s.l1.now() * std::cos(phi1) + s.l2.now() * std::cos(phi2);
  start.v.head(2) << s.Omega.now(), -s.l1.now() * s.Omega.now() / s.l2.now();  // guesses: the drive determines them
  return start;
}

StartRequest printed_start(const SliderCrank& s, bool keep_offset) {
  StartRequest start = still_rod();
  start.q << 0.0, 0.0, 0.450016933 + (s.l1.now() - 0.15) + (s.l2.now() - 0.30), 0.0, 0.0, 0.103339863e-4,
      0.169327969e-4;
  start.v.tail(4) << 0.4448961125815990, 0.4634339319238670e-2, -0.1785910760000550e-5, -0.2689386719979040e-5;
  start.v[0] = s.Omega.now();
  start.v[1] = -s.l1.now() * s.Omega.now() / (s.l2.now() + start.q[6]);
  start.v[2] = start.v[6];
  start.correct_positions = !keep_offset;
  return start;
}

StartRequest smooth_rod_start(const ConstrainedSystem& system, const SliderCrank& s, double phi1, int order) {
  StartRequest start = rigid_start(s, phi1);
  State rigid;
  try {
    rigid = make_consistent(system, start);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::computation) throw;
    return start;  // which is refused when it is asked for
  }
  try {
    const State smooth = smooth_start(system, rigid, {}, {order, 0.0}).state;  // every vibration is one of the rod
    start.q.tail(4) = smooth.q.tail(4);
    start.v.tail(4) = smooth.v.tail(4);
    return start;
  } catch (const NoSlowManifold& error) {
    throw NoSlowManifold(error.why(), error.frequency(), error.finding(),
                         error.advice() + ": --set start=oscillatory is the undeformed rod");
  }
}

}  // namespace raak
