#include "mechanism/drawing/draw.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "mechanism/bodies/catalogue.h"
#include "mechanism/drawing/traced_points.h"
#include "mechanism/forces/catalogue.h"
#include "mechanism/joints/catalogue.h"

namespace raak {
namespace {

using DrawnKind = DrawingElement::Kind;

// A point of a body and where the coordinates of that body begin in a reported q; -1: the ground.
struct Placed {
  int first = -1;
  const BodyKind* kind = nullptr;
  Vec3n local;
};

class Draughtsman {
 public:
  explicit Draughtsman(const Instance& instance) : instance_(instance) {
    drawing_.dimension = instance.dimensions();
    const Vec3d gravity = now(instance.gravity());
    double strongest = 0.0;
    for (int k = 0; k < 3 && !instance.planar(); ++k) {
      const double pull = gravity[k];
      if (std::abs(pull) <= strongest) continue;
      strongest = std::abs(pull);
      drawing_.up = pull < 0.0 ? k + 1 : -(k + 1);
    }
    int next = 0;
    for (const Body& body : instance.bodies()) {
      first_.push_back(body.ground ? -1 : next);
      if (!body.counter) next += body.size;
    }
  }

  Drawing finish() {
    for (const auto* list : {&instance_.mechanism().joints, &instance_.mechanism().forces})
      for (const Element& element : *list)
        for (const auto& [key, argument] : element.arguments)
          for (const PointRef& ref : argument.points) used_.emplace(ref.body, ref.point);
    for (const Element& joint : instance_.mechanism().joints)
      if (rolls(joint)) wheels_.insert(joint.at("pins").points.at(1).body);
    for (std::size_t b = 0; b < static_cast<std::size_t>(instance_.bodies_of_file()); ++b)
      draw_body(static_cast<int>(b));
    for (const Element& joint : instance_.mechanism().joints) draw_joint(joint);
    for (const Element& force : instance_.mechanism().forces)
      if (const auto kind = info_of_force(force).drawn_as) link(*kind, force);
    draw_paths();
    drawing_.place = [points = std::move(points_), planar = instance_.planar()](const State& shown,
                                                                                std::span<double> to) {
      for (const Placed& point : points) {
        const Vec3d at = position(point, shown.q);
        for (std::size_t k = 0; k < (planar ? 2U : 3U); ++k) to[k] = at[static_cast<int>(k)];
        to = to.subspan(planar ? 2 : 3);
      }
    };
    return std::move(drawing_);
  }

 private:
  // What is reported of an orientation are its coordinates.
  static Vec3d position(const Placed& point, const Vector& q) {
    if (point.first < 0) return now(point.local);
    const double* const at = q.data() + point.first;
    const Vec3d origin{at[0], at[1], point.kind->planar ? 0.0 : at[2]};
    return origin + point.kind->rotation(at) * now(point.local);
  }

  const Body& body(int b) const { return instance_.bodies()[static_cast<std::size_t>(b)]; }
  int add(int b, const std::string& name, const Vec3n& local) {
    const auto key = std::pair(b, name);
    if (const auto known = index_.find(key); known != index_.end()) return known->second;
    const int index = drawing_.add_points({name.empty() ? body(b).name : body(b).name + "." + name});
    points_.push_back({first_[static_cast<std::size_t>(b)], body(b).kind, local});
    index_.emplace(key, index);
    return index;
  }
  int add(const PointRef& ref) {
    const auto known = body(ref.body).points.find(ref.point);
    return known == body(ref.body).points.end() ? add(ref.body, "", Vec3n{0.0, 0.0, 0.0})
                                                : add(ref.body, ref.point, known->second);
  }

  // In space a body is a bar along the points where it is held; those that serve outputs or directions only are none of
  // its own.
  bool is_used(int b, const std::string& point) const { return used_.contains({b, point}); }
  long used_points(int b) const {
    return std::count_if(body(b).points.begin(), body(b).points.end(),
                         [&](const auto& point) { return is_used(b, point.first); });
  }

  void draw_body(int b) {
    const Body& drawn = body(b);
    if (drawn.ground) return;
    if (drawn.kind->point) {
      const int at = add(b, "", Vec3n{0.0, 0.0, 0.0});
      drawing_.add(DrawnKind::mass, {at}, drawn.name);
      drawing_.add(DrawnKind::trace, {at}, drawn.name);
      return;
    }
    std::vector<int> corners;
    const bool plain = instance_.planar() || used_points(b) < 2;
    for (const auto& [name, local] : drawn.points)
      if (plain || is_used(b, name)) corners.push_back(add(b, name, local));
    if (corners.size() < 2) {
      const int centre = add(b, "com", drawn.com);
      corners.push_back(centre);
      if (!wheels_.contains(b)) drawing_.add(DrawnKind::mass, {centre}, drawn.name);
      drawing_.add(DrawnKind::trace, {centre}, drawn.name);
    }
    if (instance_.planar()) sort_around_centre(corners);
    if (corners.size() >= 2)
      drawing_.add(corners.size() == 2 || !instance_.planar() ? DrawnKind::bar : DrawnKind::plate, corners, drawn.name);
  }
  // An outline that does not cross itself.
  void sort_around_centre(std::vector<int>& corners) const {
    const auto local = [this](int index) { return now(points_[static_cast<std::size_t>(index)].local); };
    double x = 0.0;
    double y = 0.0;
    for (const int corner : corners) {
      x += local(corner).x / static_cast<double>(corners.size());
      y += local(corner).y / static_cast<double>(corners.size());
    }
    const auto angle = [&](int corner) { return std::atan2(local(corner).y - y, local(corner).x - x); };
    std::sort(corners.begin(), corners.end(), [&](int a, int b) { return angle(a) < angle(b); });
  }
  static bool rolls(const Element& joint) { return info_of_joint(joint).drawn_as == DrawnKind::disc; }
  // Its centre and its rim, in space at two places a quarter turn apart, so that it is seen to turn.
  void draw_wheel(const Element& joint) {
    const PointRef& hub = joint.at("pins").points.at(1);
    const int centre = add(hub);
    const Live radius = instance_.number(joint.at("radius").numbers.front());
    std::vector<int> points{centre};
    const auto add_rim = [&](const char* name, const Vec3n& towards) {
      const Vec3n& at = points_[static_cast<std::size_t>(centre)].local;
      points.push_back(add(hub.body, joint.name + name, at + radius * towards));
      drawing_.points.back().clear();
    };
    if (instance_.planar()) {
      add_rim(" rim", Vec3n{1.0, 0.0, 0.0});
    } else {
      const AxisRef& axle = joint.at("axes").axes.at(1);
      const auto [u, v] = perpendiculars(body(axle.body).axes.at(axle.axis));
      add_rim(" rim", u);
      add_rim(" quarter", v);
    }
    drawing_.add(DrawnKind::disc, points, body(hub.body).name);
  }
  void draw_joint(const Element& joint) {
    if (rolls(joint)) return draw_wheel(joint);
    if (joint.has("between")) link(*info_of_joint(joint).drawn_as, joint);
    if (!joint.has("pins")) return;
    const std::vector<PointRef>& pins = joint.at("pins").points;
    for (const PointRef& pin : pins)
      if (body(pin.body).ground) {
        drawing_.add(DrawnKind::ground, {add(pin)}, joint.name);
        return;
      }
    if (!pins.empty()) drawing_.add(DrawnKind::pin, {add(pins.front())}, joint.name);
  }
  void link(DrawnKind kind, const Element& element) {
    const std::vector<PointRef>& ends = element.at("between").points;
    drawing_.add(kind, {add(ends[0]), add(ends[1])}, element.name);
    for (const PointRef& end : ends)
      if (body(end.body).ground) drawing_.add(DrawnKind::ground, {add(end)});
  }

  // Those asked for by outputs, or else the free ends that are part of the picture: in space others give directions
  // only.
  void draw_paths() {
    const TracedPoints traced = traced_points(instance_);
    for (const PointRef& ref : traced.shown) trace(ref);
    if (!traced.shown.empty()) return;
    for (const PointRef& ref : traced.free)
      if (index_.contains({ref.body, ref.point})) trace(ref);
  }
  void trace(const PointRef& ref) {
    const int at = add(ref);
    drawing_.add(DrawnKind::trace, {at}, "path of " + drawing_.points[static_cast<std::size_t>(at)]);
  }

  const Instance& instance_;
  Drawing drawing_;
  std::vector<int> first_;
  std::vector<Placed> points_;
  std::set<std::pair<int, std::string>> used_;  // points that joints and forces refer to
  std::set<int> wheels_;                        // bodies that are drawn as one
  std::map<std::pair<int, std::string>, int> index_;
};

}  // namespace

Drawing draw(const Instance& instance) {
  return Draughtsman(instance).finish();
}

}  // namespace raak
