#include "run/diagnosis/locked.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>

#include "base/text/some_of.h"
#include "base/text/text.h"
#include "run/diagnosis/causes.h"
#include "run/diagnosis/weakest_motion.h"
#include "system/energy_accounts.h"
#include "system/joint_graph.h"

namespace raak {
namespace {

constexpr double nearly_dependent = 0.05;  // smallest to largest singular value
constexpr double dominant = 0.99;          // share along the direction that opens
constexpr double part_in_motion = 0.05;    // of the largest

std::string quoted(const std::string& name) {
  return fmt::format("\"{}\"", name);
}

// Bodies whose placement changes when the mechanism moves along `direction`, by their reported rates.
std::vector<std::string> moving_bodies(const ConstrainedSystem& system, const State& at, const Vector& direction) {
  State moved = at;
  State still = at;
  moved.v = direction;
  still.v.setZero();
  State shown, at_rest;
  system.report_motion(moved, shown);
  system.report_motion(still, at_rest);
  const auto& names = system.reported().velocities;
  const auto& units = system.reported().velocity_units;
  if (shown.v.size() != static_cast<Eigen::Index>(names.size())) return {};
  // Metres and radians apart: the largest of each kind.
  std::map<std::string, double> largest;
  const auto unit_of = [&](std::size_t i) { return i < units.size() ? units[i] : std::string(); };
  const auto rate = [&](std::size_t i) {
    const auto k = static_cast<Eigen::Index>(i);
    return std::abs(shown.v[k] - at_rest.v[k]);
  };
  for (std::size_t i = 0; i < names.size(); ++i) largest[unit_of(i)] = std::max(largest[unit_of(i)], rate(i));
  // Where all that opens turns about its own centre, what is left of the other velocities is no motion.
  constexpr double still_turning = 0.01;
  largest["m/s"] = std::max(largest["m/s"], still_turning * system.description().length * largest["rad/s"]);
  std::vector<std::string> bodies;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string body = names[i].substr(0, names[i].find('.'));
    if (rate(i) > part_in_motion * largest[unit_of(i)] && std::find(bodies.begin(), bodies.end(), body) == bodies.end())
      bodies.push_back(body);
  }
  return bodies;
}

// Where a pin is in the plane, by the reported coordinates of its body.
std::optional<std::array<double, 2>> place_of(const ConstrainedSystem& system, const State& shown,
                                              const JointGraph::Pin& pin) {
  const auto& names = system.reported().positions;
  if (std::any_of(names.begin(), names.end(), [](const std::string& name) { return name.ends_with(".z"); }))
    return std::nullopt;  // in space
  if (pin.body == "ground") return std::array<double, 2>{pin.at[0], pin.at[1]};
  const auto value = [&](const char* part) -> std::optional<double> {
    const auto found = std::find(names.begin(), names.end(), pin.body + "." + part);
    if (found == names.end()) return std::nullopt;
    return shown.q[found - names.begin()];
  };
  const auto x = value("x");
  const auto y = value("y");
  if (!x || !y) return std::nullopt;
  const double angle = value("angle").value_or(0.0);
  return std::array<double, 2>{*x + std::cos(angle) * pin.at[0] - std::sin(angle) * pin.at[1],
                               *y + std::sin(angle) * pin.at[0] + std::cos(angle) * pin.at[1]};
}

bool lie_in_line(const std::vector<std::array<double, 2>>& places) {
  constexpr double straight = 0.02;  // of the length, across
  if (places.size() < 3) return false;
  double length = 0.0;
  std::array<double, 2> along{};
  for (const auto& place : places) {
    const std::array<double, 2> way{place[0] - places[0][0], place[1] - places[0][1]};
    if (const double far = std::hypot(way[0], way[1]); far > length) {
      length = far;
      along = {way[0] / far, way[1] / far};
    }
  }
  return std::all_of(places.begin(), places.end(), [&](const auto& place) {
    return std::abs((place[0] - places[0][0]) * along[1] - (place[1] - places[0][1]) * along[0]) <= straight * length;
  });
}

void name_joints(const ConstrainedSystem& system, const State& last, const JointGraph& graph, Lock& found) {
  State shown;
  system.report_motion(last, shown);
  std::vector<std::array<double, 2>> places;
  bool all_placed = true;
  const auto add = [&](const std::vector<JointGraph::Pin>& pins) {
    for (const JointGraph::Pin& pin : pins) {
      const auto place = place_of(system, shown, pin);
      all_placed = all_placed && place.has_value();
      if (place) places.push_back(*place);
    }
  };
  for (const JointGraph::Joint& joint : graph.joints()) {
    const auto moves = [&](const std::string& body) {
      return std::find(found.bodies.begin(), found.bodies.end(), body) != found.bodies.end();
    };
    if (std::none_of(joint.bodies.begin(), joint.bodies.end(), moves)) continue;
    found.joints.push_back(joint.name);
    all_placed = all_placed && !joint.pins.empty();
    add(joint.pins);
  }
  for (const JointGraph::Driver& driver : graph.drivers())
    if (driver.name == found.drivers.front()) add(driver.between);
  found.in_line = all_placed && lie_in_line(places);
}

std::string words_of_position(const JointGraph& graph, const std::string& driver, double t) {
  for (const JointGraph::Driver& each : graph.drivers()) {
    if (each.name != driver) continue;
    const double value = each.value(t);
    if (each.unit != "rad") return fmt::format("at {:.6g} {}", value, each.unit);
    return fmt::format("at {:.6g} rad ({:.1f} degrees)", value, value * 180.0 / std::numbers::pi);
  }
  return "";
}

}  // namespace

std::optional<Lock> find_lock(const ConstrainedSystem& system, const State& start, const State& last) {
  const Eigen::Index m = system.rows(), n = system.coordinates();
  if (m == 0 || !last.v.allFinite()) return std::nullopt;
  Vector asked(m);  // g_t: what the drivers ask for
  system.velocity_constraint(last.t, last.q, Vector::Zero(n), asked);
  if (!asked.allFinite() || !(asked.norm() > 0.0)) return std::nullopt;
  const auto weakest = find_weakest_motion(system, start, last, asked);
  if (!weakest || !(weakest->smallest < nearly_dependent * std::max(1.0, weakest->largest))) return std::nullopt;
  asked = asked.cwiseQuotient(weakest->lengths).eval();
  const Vector& u = weakest->u;
  const double speed = weakest->speed;
  const double wanted = -u.dot(asked) / std::max(weakest->smallest, 1e-300);
  // Heavy bodies that move beside it may have most of the velocity, but not of its change.
  const bool goes_there =
      std::abs(speed) > dominant * weakest->all_speed || std::abs(weakest->change) > dominant * weakest->all_change;
  if (!goes_there || !(std::abs(wanted) > 0.5 * std::abs(speed))) return std::nullopt;
  Lock found;
  // v grows like (t_lock - t)^(-1/2): v / v' = 2 (t_lock - t).
  const double left = weakest->change != 0.0 ? speed / (2.0 * weakest->change) : 0.0;
  const double span = last.t - start.t;
  if (left * span < 0.0) return std::nullopt;  // it comes out of such a position and slows down
  found.t = last.t + (std::abs(left) < 0.1 * std::abs(span) ? left : 0.0);
  const EnergyAccounts* const accounts = system.energy_accounts();
  for (Eigen::Index i = 0; i < m; ++i) {
    if (std::abs(u[i] * asked[i]) < part_in_motion * std::abs(u.dot(asked))) continue;
    const Row& row = system.description().constraints[static_cast<std::size_t>(i)];
    const auto is_driver = [&](const EnergyAccount& account) {
      return account.kind == EnergyAccount::Kind::driver && account.name == row.name();
    };
    if (accounts == nullptr || std::any_of(accounts->works().begin(), accounts->works().end(), is_driver))
      found.drivers.push_back(row.owner);
  }
  if (found.drivers.empty()) return std::nullopt;
  const auto* const graph = dynamic_cast<const JointGraph*>(&system);
  if (graph != nullptr) {
    found.bodies = moving_bodies(system, last, weakest->direction);
    name_joints(system, last, *graph, found);
    found.position = words_of_position(*graph, found.drivers.front(), found.t);
  }
  for (Eigen::Index i = 0; i < m && found.joints.empty(); ++i)
    if (std::abs(u[i]) > part_in_motion)
      found.joints.push_back(system.description().constraints[static_cast<std::size_t>(i)].owner);
  return found;
}

void blame_lock(const Lock& lock, const Plan& plan, Diagnosis& found) {
  const auto list = [](std::vector<std::string> names) {
    std::transform(names.begin(), names.end(), names.begin(), quoted);
    std::string last = names.back();
    if (names.size() == 1) return last;
    if (names.size() > names_in_a_message) return some_of(names);
    names.pop_back();
    return join(names) + " and " + last;
  };
  const std::string driver = list(lock.drivers);
  found.cause = Diagnosis::Cause::locked;
  found.t = lock.t;
  found.happened = fmt::format(
      "the mechanism is locked at t = {:.6g} s of {:.6g} s{}", lock.t, plan.until,
      lock.position.empty() ? "" : fmt::format(", with driver {} {}", quoted(lock.drivers.front()), lock.position));
  if (lock.in_line) found.because = fmt::format("{} are in line (joints {})", list(lock.bodies), list(lock.joints));
  else
    found.because = fmt::format("{} ({} {}) {} come to the end of {} range",
                                lock.bodies.empty() ? "the mechanism" : list(lock.bodies),
                                lock.joints.size() == 1 ? "joint" : "joints", list(lock.joints),
                                lock.bodies.size() > 1 ? "have" : "has", lock.bodies.size() > 1 ? "their" : "its");
  found.because += fmt::format(", and {} cannot go on: no velocity of the bodies follows the motion that {} prescribes",
                               driver, lock.drivers.size() > 1 ? "they" : "it");
  found.advice = fmt::format(
      "change a length so that the mechanism does not reach this position, let {} turn back before it, or end the run "
      "before that time",
      driver);
}

}  // namespace raak
