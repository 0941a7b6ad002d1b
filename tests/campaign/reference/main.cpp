// The independent reference of the campaign: reads mechanisms from standard input, integrates each in maximal
// coordinates by extrapolation, and answers with one line of JSON: positions, velocities and reactions at the times
// asked for, and the same of a companion run from a start that differs a little, which shows how sensitive the motion
// is. It links nothing of Raak.
#include <cstdio>
#include <iostream>
#include <random>
#include <string>

#include "dynamics.h"
#include "extrapolation.h"
#include "reading.h"

namespace reference {
namespace {

std::string text(double value) {
  if (!std::isfinite(value)) return "null";
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.17g", value);
  return buffer;
}

class List {
 public:
  void add(const std::string& item) { items_ += (items_.empty() ? "" : ",") + item; }
  void add(double value) { add(text(value)); }
  void add(const Vector3& v) {
    for (int i = 0; i < 3; ++i) add(v[i]);
  }
  std::string str() const { return "[" + items_ + "]"; }

 private:
  std::string items_;
};

// Position and velocity of the frame's origin.
List describe(const Mechanism& mechanism, const Motion& motion, std::size_t i) {
  const Placed& body = motion.bodies[i];
  const Vector3 arm = body.rotation * mechanism.bodies[i].centre;
  List list;
  list.add(Vector3(body.centre - arm));
  for (const double c :
       {body.quaternion.w(), body.quaternion.x(), body.quaternion.y(), body.quaternion.z(), body.angle})
    list.add(c);
  list.add(Vector3(body.velocity - body.omega.cross(arm)));
  list.add(body.omega);
  return list;
}

// What unit multipliers exert on a body about a point: 6 rows, a column for each multiplier of the joint.
Matrix wrenches(const RowOfJoints& system, std::size_t joint, const Motion& motion, int body, const Vector3& at) {
  const std::size_t first = system.first[joint];
  Matrix wrench = Matrix::Zero(6, Eigen::Index(system.first[joint + 1] - first));
  for (Eigen::Index r = 0; r < wrench.cols(); ++r)
    for (const Row::Part& part : system.rows[first + std::size_t(r)].parts) {
      // On the ground acts the opposite of what acts on all others.
      if (body != 0 && part.body != body) continue;
      const double sign = body == 0 ? 1.0 : -1.0;
      const Vector3 force = sign * part.slope.head<3>();
      const Vector3 moment =
          sign * part.slope.tail<3>() - (at - motion.bodies[std::size_t(part.body)].centre).cross(force);
      wrench.col(r).head<3>() += force;
      wrench.col(r).tail<3>() += moment;
    }
  return wrench;
}

// Each value with 1 where it is unique, otherwise 0.
List reactions(const RowOfJoints& system, const Solution& solution, std::size_t joint, const Matrix& wrench) {
  const auto first = Eigen::Index(system.first[joint]);
  const Vector values = wrench * solution.multipliers.segment(first, wrench.cols());
  const Matrix loose = wrench * solution.loose.middleRows(first, wrench.cols());
  List list;
  for (Eigen::Index i = 0; i < values.size(); ++i) list.add(values[i]);
  for (Eigen::Index i = 0; i < values.size(); ++i) {
    const double size = wrench.row(i).norm();
    list.add(loose.cols() == 0 || loose.row(i).norm() <= 1e-8 * (1.0 + size) ? 1.0 : 0.0);
  }
  return list;
}

std::string sample(const Mechanism& mechanism, const Dynamics& dynamics, double t, const Vector& state) {
  const Motion motion = dynamics.motion(t, state);
  const Solution solution = dynamics.solve(motion);
  const RowOfJoints system = dynamics.rows(motion);
  List bodies, joints, drivers;
  for (std::size_t i = 1; i < motion.bodies.size(); ++i) bodies.add(describe(mechanism, motion, i).str());
  for (std::size_t j = 0; j < mechanism.joints.size(); ++j) {
    List pins;
    const Element& joint = mechanism.joints[j];
    const std::size_t last = joint.type == "gear" ? 2 : joint.pins.size();
    for (std::size_t k = 1; k < last; ++k) {
      const Vector3 at = point_of(mechanism, motion, joint.pins[k]).value;
      pins.add(reactions(system, solution, j, wrenches(system, j, motion, joint.pins[k].body, at)).str());
    }
    joints.add(pins.str());
  }
  for (std::size_t d = 0; d < mechanism.drivers.size(); ++d)
    drivers.add(reactions(system, solution, mechanism.joints.size() + d, Matrix::Constant(1, 1, -1.0)).str());
  return "{\"t\":" + text(t) + ",\"bodies\":" + bodies.str() + ",\"joints\":" + joints.str() +
         ",\"drivers\":" + drivers.str() + ",\"kinetic\":" + text(dynamics.kinetic(motion)) + "}";
}

std::string trajectory(const Task& task, const Dynamics& dynamics, Vector state) {
  List samples;
  Extrapolation<Dynamics> method(dynamics, task.tolerance);
  double t = 0.0;
  for (const double until : task.times) {
    method.advance(t, state, until);
    samples.add(sample(task.mechanism, dynamics, t, state));
  }
  return samples.str();
}

std::string answer(Task& task) {
  Mechanism& mechanism = task.mechanism;
  for (std::vector<Element>* const list : {&mechanism.joints, &mechanism.forces, &mechanism.drivers})
    for (Element& element : *list)
      if (element.counted >= 0) {
        element.counted = int(mechanism.counting.size());
        mechanism.counting.push_back(&element);
      }
  const Dynamics dynamics(mechanism);
  Vector start = dynamics.start();
  const Vector asked = start;
  if (!dynamics.project(0.0, start)) throw std::runtime_error("the start does not close");
  const double moved = (start - asked).head(dynamics.positions()).cwiseAbs().maxCoeff();
  List bodies;
  const Motion first = dynamics.motion(0.0, start);
  for (std::size_t i = 1; i < first.bodies.size(); ++i) bodies.add(describe(mechanism, first, i).str());
  std::string out = "{\"status\":\"ok\",\"moved\":" + text(moved) + ",\"start\":" + bodies.str() +
                    ",\"samples\":" + trajectory(task, dynamics, start);
  if (task.perturbation > 0.0) {
    // Along a motion that the rows allow, so that the neighbour is near a configuration that closes.
    std::mt19937 random(1);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    const auto some = [&] {
      return dynamics.allowed(0.0, start, Vector::NullaryExpr(dynamics.velocities(), [&] { return uniform(random); }));
    };
    Vector moving = start;
    moving.tail(dynamics.velocities()) = some();
    Vector other = start;
    other.head(dynamics.positions()) += task.perturbation * dynamics.derivative(0.0, moving).head(dynamics.positions());
    other.tail(dynamics.velocities()) += task.perturbation * some();
    if (!dynamics.project(0.0, other)) throw std::runtime_error("the companion's start does not close");
    out += ",\"companion\":" + trajectory(task, dynamics, other);
  }
  return out + ",\"mobility\":" + std::to_string(dynamics.mobility()) + ",\"weakest\":" + text(dynamics.weakest()) +
         "}";
}

}  // namespace
}  // namespace reference

int main() {
  using namespace reference;
  for (;;) {
    std::string line;
    try {
      std::optional<Task> task = read_task(std::cin);
      if (!task) return 0;
      line = answer(*task);
    } catch (const std::exception& e) {
      line = std::string("{\"status\":\"") + e.what() + "\"}";
    }
    std::cout << line << std::endl;
  }
}
