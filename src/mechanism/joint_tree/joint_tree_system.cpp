#include "mechanism/joint_tree/joint_tree_system.h"

#include <algorithm>
#include <limits>
#include <mutex>

#include "kinematics/rank/rank_policy.h"
#include "kinematics/slow/force_balance.h"
#include "mechanism/bodies/catalogue.h"
#include "mechanism/joint_tree/joint_tree_formulas.h"
#include "system/recorded/recording.h"
#include "system/relative_coordinates.h"

namespace raak {
namespace {

// With these the coordinates of bodies are as right at every tolerance as where they are solved for
// (docs/decisions/0020-joint-coordinates-in-space.md).
constexpr Strictness strictness_of_joints{2.0, 300.0, 10.0};

const char* name_of(TreeStep step) {
  switch (step) {
    case TreeStep::slide_x:
      return "x";
    case TreeStep::slide_y:
      return "y";
    case TreeStep::slide_z:
      return "displacement";
    default:
      return "angle";
  }
}

// Angles that forces read from rotations (system/turn_gauge.h), measured where the bodies are.
class GaugeOfBodies final : public TurnGauge {
 public:
  GaugeOfBodies(const TurnGauge& of_bodies, const Instance& instance, const JointTree& tree)
      : of_bodies_(of_bodies), instance_(instance), tree_(tree) {
    angles_ = of_bodies.angles();
    coordinates_ = of_bodies.coordinates();
    for (Angle& angle : angles_) {
      if (angle.centre < 0) continue;
      const auto holds = [&](const Body& body) {
        return angle.centre >= body.first && angle.centre < body.first + body.size;
      };
      const auto body = std::find_if(instance.bodies().begin(), instance.bodies().end(), holds);
      angle.centre += tree.links[z(static_cast<int>(body - instance.bodies().begin()))].first - body->first;
    }
  }
  // Only orientations are read, and the centres.
  void offsets(const Vector& q, Vector& values) const override {
    const TreeMotion<double> motion(tree_, q.data(), nullptr, nullptr);
    Vector all = Vector::Zero(instance_.coordinates());
    for (const int b : tree_.order) {
      const Body& body = instance_.bodies()[z(b)];
      const TreeLink& link = tree_.links[z(b)];
      if (body.counter) {
        all.segment(body.first, body.size) = q.segment(link.first, link.size);
      } else if (body.kind->turning == 3) {
        const auto turn = quaternion_product(motion.frame(b).turn, link.turn_after);
        std::copy(turn.begin(), turn.end(), all.data() + body.first + 3);
      }
    }
    of_bodies_.offsets(all, values);
  }

 private:
  const TurnGauge& of_bodies_;
  const Instance& instance_;
  const JointTree& tree_;
};

class JointTreeSystem final : public RecordedSystem, public JointGraph, public RelativeCoordinates, public CountsTurns {
 public:
  JointTreeSystem(const std::shared_ptr<const JointTreeFormulas>& formulas,
                  std::shared_ptr<const ConstrainedSystem> maximal)
      : RecordedSystem(formulas, formulas->tree().coordinates, formulas->position_rows(),
                       formulas->rows() - formulas->position_rows(), describe(*formulas, *maximal)),
        formulas_(formulas),
        maximal_(std::move(maximal)) {
    set_reported(maximal_->reported());
    if (const TurnGauge* const of_bodies = turn_gauge_of(*maximal_))
      gauge_ = std::make_unique<GaugeOfBodies>(*of_bodies, formulas->instance(), formulas->tree());
  }
  std::vector<Joint> joints() const override { return dynamic_cast<const JointGraph&>(*maximal_).joints(); }
  std::vector<Driver> drivers() const override { return dynamic_cast<const JointGraph&>(*maximal_).drivers(); }
  const TurnGauge* turn_gauge() const override { return gauge_.get(); }
  Strictness strictness() const override { return strictness_of_joints; }
  void report(const State& state, State& shown) const override { maximal_->report(complete(state), shown); }
  void report_motion(const State& state, State& shown) const override {
    maximal_->report_motion(motion_of_bodies(state), shown);
  }
  void evaluate_outputs(const State& state, Vector& values) const override {
    if (outputs() == 0) return;
    if (outputs_need_forces()) maximal_->evaluate_outputs(complete(state), values);
    else maximal_->evaluate_outputs(motion_of_bodies(state), values);
  }
  bool outputs_need_forces() const override { return maximal_->outputs_need_forces(); }

 private:
  static Description describe(const JointTreeFormulas& formulas, const ConstrainedSystem& maximal);
  // In the coordinates of the bodies: without multipliers, and with those of all rows.
  const State& motion_of_bodies(const State& state) const;
  State complete(const State& state) const;
  const Kernel& kernel() const;

  std::shared_ptr<const JointTreeFormulas> formulas_;
  std::shared_ptr<const ConstrainedSystem> maximal_;
  std::unique_ptr<const TurnGauge> gauge_;  // null: no force reads such angles
  mutable std::once_flag recorded_;
  mutable std::unique_ptr<Kernel> kernel_;
};

Description JointTreeSystem::describe(const JointTreeFormulas& formulas, const ConstrainedSystem& maximal) {
  const Description& all = maximal.description();
  const Instance& instance = formulas.instance();
  Description description;
  const auto add = [&](const std::string& name, const char* unit) {
    description.coordinates.push_back(name);
    description.units.emplace_back(unit);
  };
  for (std::size_t b = 1; b < instance.bodies().size(); ++b) {
    const TreeLink& link = formulas.tree().links[b];
    if (instance.bodies()[b].counter) {
      for (int i = 0; i < link.size; ++i) add("turns", "rad");
      continue;
    }
    const bool flies = link.joint == TreeLink::flies;
    const std::string& owner = flies ? instance.bodies()[b].name : instance.mechanism().joints[z(link.joint)].name;
    int turns = 0;
    for (const TreeStep step : link.steps) {
      if (step == TreeStep::cross) continue;
      if (step == TreeStep::ball) {
        for (const char* part : {"w", "x", "y", "z"}) add(owner + ".quaternion." + part, "1");
      } else if (step == TreeStep::turn || step == TreeStep::thread) {
        add(owner + "." + name_of(step) + (turns++ > 0 ? ".2" : ""), "rad");
      } else {
        add(owner + "." + (flies && step == TreeStep::slide_z ? "z" : name_of(step)), "m");
      }
    }
  }
  for (const std::size_t row : formulas.tree().rows) {
    if (static_cast<int>(description.constraints.size()) == formulas.tree().position_rows) break;
    description.constraints.push_back(all.constraints[row]);
  }
  for (const int first : formulas.tree().balls) {
    const std::string& part = description.coordinates[z(first)];
    description.constraints.emplace_back(part.substr(0, part.find('.')), "unit quaternion", "",
                                         Row::Kind::normalization);
  }
  for (std::size_t i = z(formulas.tree().position_rows); i < formulas.tree().rows.size(); ++i)
    description.constraints.push_back(all.constraints[formulas.tree().rows[i]]);
  description.outputs = all.outputs;
  description.output_units = all.output_units;
  description.length = all.length;
  return description;
}

const Kernel& JointTreeSystem::kernel() const {
  std::call_once(recorded_, [&] {
    const PreparationTimer timer;
    KernelRecording to(coordinates(), rows());
    formulas_->write_bodies(to.x, [&](const Reals& values) { to.write(0, values); });
    kernel_ = to.kernel();
  });
  return *kernel_;
}

const State& JointTreeSystem::motion_of_bodies(const State& state) const {
  thread_local State full;
  show(state, maximal_->coordinates(), maximal_->coordinates(), full);
  full.lambda.setZero(maximal_->rows());
  return full;
}

State JointTreeSystem::complete(const State& state) const {
  const int n = coordinates(), m = rows(), all = maximal_->coordinates();
  State own = state;
  own.lambda.resize(m);
  const double pivot = m > 0 ? update_accelerations(*this, own) : 1.0;
  Vector last(n + m);
  last << state.a, own.lambda;
  Vector values(3 * all + maximal_->rows());
  const double* const in[4] = {&state.t, state.q.data(), state.v.data(), last.data()};
  double* const out[3] = {values.data(), nullptr, nullptr};
  kernel().run_one(in, out);
  State full = State::of_size(all, maximal_->rows());
  full.t = state.t;
  full.q = values.head(all);
  full.v = values.segment(all, all);
  full.a = values.segment(2 * all, all);
  full.lambda = values.tail(maximal_->rows());
  if (!(pivot > RankPolicy::resolved_pivot)) balance_forces(*maximal_, full);
  return full;
}

}  // namespace

std::shared_ptr<const ConstrainedSystem> make_joint_tree_system(
    const std::shared_ptr<const MaximalFormulas>& formulas, const JointTree& tree,
    const std::shared_ptr<const ConstrainedSystem>& maximal) {
  const auto has_joint = [](const TreeLink& link) { return link.joint != TreeLink::flies; };
  if (tree.coordinates == 0 || std::none_of(tree.links.begin(), tree.links.end(), has_joint)) return nullptr;
  return std::make_shared<JointTreeSystem>(std::make_shared<const JointTreeFormulas>(formulas, tree), maximal);
}

}  // namespace raak
