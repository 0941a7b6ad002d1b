#include "mechanism/assemble.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "kinematics/start/start_failure.h"
#include "mechanism/bodies/free_bodies.h"
#include "mechanism/bodies/mass_ratio_check.h"
#include "mechanism/bodies/placement.h"
#include "mechanism/formulas/formula_names.h"
#include "mechanism/formulas/joint_datum.h"
#include "mechanism/formulas/mechanism_system.h"
#include "mechanism/formulas/tree.h"
#include "mechanism/large/start/assemble_large.h"
#include "mechanism/rows/redundancy.h"
#include "mechanism/rows/row_watch.h"
#include "mechanism/rows/unsure_reactions.h"
#include "mechanism/start/singular_rest.h"
#include "mechanism/start/smooth_assembly.h"
#include "mechanism/start/spring_ends.h"
#include "mechanism/start/start_motion.h"
#include "mechanism/watched_events.h"
#include "system/turn_gauge.h"

namespace raak {
namespace {

// Code recorded for more bodies than this runs no faster than the elements one by one, and takes longer to make. In the
// plane closed loops may pass singular poses, which only independent coordinates step over: they stay recorded for
// longer, and those with few freedoms, whose links are likely to come into one line together, for longest.
constexpr int most_bodies_for_recording = 30, most_bodies_with_loops = 200, most_bodies_of_few_freedoms = 500;
constexpr int few_freedoms = 4;

bool pays_recording(const Instance& instance) {
  const int bodies = instance.bodies_of_file() - 1;
  int ties = 0;
  int rows = static_cast<int>(instance.mechanism().drivers.size());  // at least
  for (const Element& joint : instance.mechanism().joints) {
    const auto pins = joint.arguments.find("pins");
    const int of_joint = pins == joint.arguments.end() ? 1 : static_cast<int>(pins->second.points.size()) - 1;
    ties += of_joint;
    rows += pins == joint.arguments.end() ? 1 : 2 * of_joint;
  }
  if (!instance.planar() || ties <= bodies) return bodies <= most_bodies_for_recording;
  const bool has_few_freedoms = instance.coordinates() - rows <= few_freedoms;
  return bodies <= (has_few_freedoms ? most_bodies_of_few_freedoms : most_bodies_with_loops);
}
// Beyond this depth the mass matrix of a tree costs more than the constraints it saves.
constexpr int deepest_tree = 8;
// Up to this depth its equations took 0.4 to 0.83 of the operations of the other form in every mechanism tried: then
// the other one need not be recorded to be counted, which took a third of the time of assembly.
constexpr int surely_cheaper_depth = 3;
// What an integrator does with each coordinate in an evaluation, in the cycles of Program::cost().
constexpr double cycles_per_coordinate = 12.0;

Vector in_tree_coordinates(const SpanningTree& tree, const Vector& bodies) {
  Vector q(static_cast<Eigen::Index>(tree.coordinates.size()));
  for (Eigen::Index i = 0; i < q.size(); ++i) q[i] = bodies[tree.coordinates[static_cast<std::size_t>(i)]];
  return q;
}

bool tree_is_cheaper(const MechanismSystem& maximal, const ConstrainedSystem& in_tree, const SpanningTree& tree,
                     const State& pose) {
  const Vector q = in_tree_coordinates(tree, pose.q);
  const auto cost = [&](const ConstrainedSystem& system, const Vector& at) {
    return dynamic_cast<const RecordedSystem&>(system).acceleration_cost(pose.t, at) +
           cycles_per_coordinate * system.coordinates();
  };
  return cost(in_tree, q) < cost(maximal, pose.q);
}

// Null where the start has nothing to decide, or is not found, which is told when it is asked for.
std::shared_ptr<const Instance> with_data_of_start(const std::shared_ptr<const Instance>& instance, bool large) {
  if (!wants_joint_data(*instance)) return nullptr;
  try {
    if (large) {
      const State motion = start_of_large(instance);
      return take_joint_data(instance, motion.t, motion.q);
    }
    const auto formulas = std::make_shared<MaximalFormulas>(instance);
    const ReportedNames names = reported_names(*formulas);
    const State motion =
        find_motion(formulas, MechanismSystem(formulas), placed_start(*instance, names.positions, names.velocities));
    return take_joint_data(instance, motion.t, motion.q);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::computation) throw;
    return nullptr;
  }
}

// Its starts are consistent and, so far, not smooth.
Model assemble_plainly(const std::shared_ptr<const Instance>& instance, Coordinates coordinates) {
  if (instance->bodies().size() < 2)
    refuse_at(instance->mechanism().place, "the mechanism has no bodies; describe at least one under [bodies]");
  require_springs_with_direction(*instance);
  const bool large = coordinates == Coordinates::element_by_element ||
                     (coordinates == Coordinates::automatic && !pays_recording(*instance));
  if (const auto decided = with_data_of_start(instance, large)) return assemble_plainly(decided, coordinates);
  if (large) return assemble_large(instance);
  const auto all = std::make_shared<MaximalFormulas>(instance);
  require_known_names(*all);
  const auto formulas = std::make_shared<MaximalFormulas>(instance);
  const ReportedNames names = reported_names(*all);
  Model model;
  model.start = placed_start(*instance, names.positions, names.velocities);
  const auto complete = std::make_shared<const MechanismSystem>(all);
  State found, pose;  // the start, and where the system is looked at: beside it where it is singular
  std::vector<std::size_t> indeterminate_rows;
  UnsureOutputs unsure;
  bool singular_start = false;
  try {
    found = find_motion(all, *complete, model.start);
    RowChoice choice = choose_rows(*all, *complete, found);
    bend_singular_rest(all, *complete, model.start, found, choice);
    pose = found;
    formulas->keep(choice.kept, choice.directions);
    unsure = unsure_outputs(*complete, choice, found);
    indeterminate_rows = choice.indeterminate;
    choice.report.indeterminate = indeterminate_components(
        *all, choice, found,
        [](const std::shared_ptr<MaximalFormulas>& of) { return std::make_shared<const MechanismSystem>(of); });
    singular_start = choice.report.momentary > 0;
    if (singular_start) {
      pose.t = choice.t;
      pose.q = choice.q;
    }
    const std::vector<std::string> loose = notes_on_free_bodies(*instance);
    choice.report.notes.insert(choice.report.notes.end(), loose.begin(), loose.end());
    model.mobility = std::make_shared<MobilityReport>(std::move(choice.report));
  } catch (const Error& error) {
    // Another start may do: the failure is told when this one is asked for.
    if (error.kind() != ErrorKind::computation) throw;
  }
  const auto maximal = std::make_shared<MechanismSystem>(formulas);
  maximal->mark_indeterminate(
      indeterminate_rows,
      {unsure.always,
       watch_unsure_outputs(complete, *instance, static_cast<int>(formulas->kept().size()), unsure.sometimes)});
  const SpanningTree tree = find_tree(*formulas);
  const bool wanted = coordinates == Coordinates::tree ||
                      (coordinates == Coordinates::automatic && tree.depth <= deepest_tree && pose.q.size() > 0);
  const auto in_tree = wanted ? make_tree_system(formulas, tree, maximal) : nullptr;
  const bool take_tree = in_tree && (coordinates == Coordinates::tree || tree.depth <= surely_cheaper_depth ||
                                     tree_is_cheaper(*maximal, *in_tree, tree, pose));
  const std::shared_ptr<const ConstrainedSystem> system = take_tree ? in_tree : maximal;
  // Pivots are chosen where evaluations are first asked for, which must not be a singular pose.
  if (singular_start) {
    maximal->prepare(pose.t, pose.q);
    if (take_tree) in_tree->prepare(pose.t, in_tree_coordinates(tree, pose.q));
  }
  model.system = system;
  model.left_out_gap = watch_left_out_rows(all, *formulas, system);
  model.events = watched_events(
      *formulas, [&](const std::shared_ptr<MaximalFormulas>& watched) -> std::shared_ptr<const ConstrainedSystem> {
        const auto watching = std::make_shared<const MechanismSystem>(watched);
        if (take_tree) return make_tree_system(watched, tree, watching);
        return watching;
      });
  model.assemble = [all, complete, system, tree, take_tree, found, own = model.start](const StartRequest& start) {
    const State motion = found.q.size() > 0 && asks_alike(start, own) ? found : find_motion(all, *complete, start);
    State state = State::of_size(system->coordinates(), system->rows());
    state.t = motion.t;
    for (Eigen::Index i = 0; i < state.q.size(); ++i) {
      const Eigen::Index from = take_tree ? tree.coordinates[static_cast<std::size_t>(i)] : i;
      state.q[i] = motion.q[from];
      state.v[i] = motion.v[from];
    }
    if (const TurnGauge* const gauge = turn_gauge_of(*system)) gauge->set_centres(state.q);
    try {
      complete_start(*system, state);
    } catch (const Error&) {
      check_mass_ratio(all->instance());
      throw;
    }
    // The coordinates of a tree may have accelerations where those of its bodies are beyond all numbers.
    if (!std::isfinite(state.v.squaredNorm()))
      throw StartFailure(
          StartFailure::Cause::not_finite,
          fmt::format("the accelerations at the start are not finite numbers: they grow with the square of the rates, "
                      "the largest of which is {:.3g}",
                      state.v.cwiseAbs().maxCoeff()),
          "start with smaller rates");
    return state;
  };
  return model;
}

}  // namespace

Model assemble(const std::shared_ptr<const Instance>& instance, Coordinates coordinates) {
  Model model = assemble_plainly(instance, coordinates);
  start_smoothly(*instance, model);
  return model;
}

}  // namespace raak
