#include "mechanism/assemble.h"

#include <algorithm>
#include <functional>

#include "base/error.h"
#include "mechanism/bodies/free_bodies.h"
#include "mechanism/bodies/placement.h"
#include "mechanism/formulas/formula_names.h"
#include "mechanism/formulas/joint_datum.h"
#include "mechanism/formulas/mechanism_system.h"
#include "mechanism/formulas/tree.h"
#include "mechanism/joint_tree/joint_tree_system.h"
#include "mechanism/joint_tree/recursive_tree_system.h"
#include "mechanism/rows/dropped_rows.h"
#include "mechanism/rows/indeterminate_reactions.h"
#include "mechanism/start/live_mechanism.h"
#include "mechanism/start/mechanism_assembly.h"
#include "mechanism/start/smooth_assembly.h"
#include "mechanism/start/spring_ends.h"
#include "mechanism/start/start_road.h"
#include "mechanism/watched_events.h"
#include "system/recorded/evaluation_cost.h"

namespace raak {
namespace {

// Code recorded for more bodies than this runs no faster than the elements one by one, and takes longer to make. In the
// plane closed loops may pass singular configurations, which only independent coordinates step over: they stay recorded
// for longer, and those with few freedoms, whose links are likely to come into one line together, for longest.
constexpr int most_bodies_for_recording = 30, most_bodies_with_loops = 200, most_bodies_of_few_freedoms = 500;
constexpr int few_freedoms = 4;

bool pays_recording(const Instance& instance) {
  const int bodies = instance.bodies_of_file() - 1;
  if (bodies >= fewest_bodies_for_recursion && is_tree_without_loops(instance)) return false;
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
bool is_few(const Instance& instance) {
  return instance.bodies_of_file() - 1 <= most_bodies_for_recording;
}

// Whether the start is at rest where the joints close, so that nothing has to be searched for: with many bodies what a
// search finds depends on their masses.
bool rests_closed(const Instance& instance, const StartRoad& road) {
  constexpr double closed = 1e-12;  // of the size
  const ConstrainedSystem& system = *road.complete();
  const StartRequest start = placed_start(instance, system.reported().positions, system.reported().velocities);
  if (!start.trusted_velocities.empty() || start.v.cwiseAbs().maxCoeff() > 0.0) return false;
  Vector g(system.position_rows());
  system.constraint(start.t, inner_state(instance, start.t, start.q, start.v).q, g);
  return g.size() == 0 || g.cwiseQuotient(system.row_scales().head(g.size())).cwiseAbs().maxCoeff() <= closed;
}

// Beyond this depth the mass matrix of a tree costs more than the constraints it saves.
constexpr int deepest_tree = 8;
// Up to this depth its equations took 0.4 to 0.83 of the operations of the other form in every mechanism tried: then
// the other one need not be recorded to be counted, which took a third of the time of assembly.
constexpr int surely_cheaper_depth = 3;
// In space coordinates of joints took 0.12 to 0.6 of the operations where coordinates and rows were at most so many
// times those of the bodies.
constexpr double surely_cheaper_share = 1.0 / 3.0;
// What an integrator does with each coordinate in an evaluation, in the cycles of Program::cost().
constexpr double cycles_per_coordinate = 12.0;

std::shared_ptr<const MechanismSystem> as_recorded(const std::shared_ptr<const ConstrainedSystem>& system) {
  return std::dynamic_pointer_cast<const MechanismSystem>(system);
}

struct TreeChoice {
  std::shared_ptr<const ConstrainedSystem> system = {};  // null: the coordinates of the bodies are as good
  FromBodies from_bodies = {};
  std::vector<int> kept = {};  // coordinates of the bodies that are those of the system, if all of it are
  // The same of other formulas of the mechanism.
  std::function<std::shared_ptr<const ConstrainedSystem>(const std::shared_ptr<const MaximalFormulas>& formulas,
                                                         const std::shared_ptr<const ConstrainedSystem>& maximal)>
      make = {};
};

TreeChoice tree_of_pins(const MaximalFormulas& formulas, int& depth) {
  TreeChoice choice;
  const SpanningTree tree = find_tree(formulas);
  depth = tree.depth;
  choice.kept = tree.coordinates;
  choice.from_bodies = [kept = tree.coordinates](const State& motion) {
    State state = State::of_size(static_cast<int>(kept.size()), 0);
    state.t = motion.t;
    state.q = motion.q(kept);
    state.v = motion.v(kept);
    return state;
  };
  choice.make = [tree](const auto& of, const auto& maximal) {
    return make_tree_system(of, tree, as_recorded(maximal));
  };
  return choice;
}

TreeChoice tree_in_space(const MaximalFormulas& formulas, const State& motion, bool may_be_recorded) {
  TreeChoice choice;
  const auto tree = std::make_shared<const JointTree>(find_joint_tree(formulas, motion));
  const auto instance = std::make_shared<const Instance>(formulas.instance());
  choice.from_bodies = [tree, instance](const State& state) { return tree->from_bodies(*instance, state); };
  const bool recursively = serves_recursion(*instance, *tree);
  choice.make = [tree, recursively](const auto& of, const auto& maximal) {
    auto recorded = make_joint_tree_system(of, *tree, maximal);
    return recursively && recorded ? make_recursive_tree_system(of, *tree, std::move(recorded), maximal) : recorded;
  };
  if (!recursively && !may_be_recorded) choice.make = nullptr;
  return choice;
}

// How many coordinates and rows an evaluation has to deal with.
int size_of(const ConstrainedSystem& system) {
  return system.coordinates() + system.rows();
}

double cost_of(const ConstrainedSystem& system, const State& at) {
  const auto* const recorded = dynamic_cast<const RecordedSystem*>(&system);
  return (recorded != nullptr ? recorded->acceleration_cost(at.t, at.q) : acceleration_cost(system, at.t, at.q)) +
         cycles_per_coordinate * system.coordinates();
}

// In the coordinates of a tree of pins where they are asked for or cheaper, counted at a start that is not singular.
TreeChoice choose_pins(const std::shared_ptr<const MaximalFormulas>& formulas,
                       const std::shared_ptr<const ConstrainedSystem>& maximal, bool asked, const State& at) {
  int depth = 0;
  TreeChoice choice = tree_of_pins(*formulas, depth);
  if (!asked && depth > deepest_tree) return {};
  choice.system = choice.make(formulas, maximal);
  if (!choice.system) return {};
  if (asked || depth <= surely_cheaper_depth) return choice;
  if (cost_of(*choice.system, choice.from_bodies(at)) < cost_of(*maximal, at)) return choice;
  return {};
}

TreeChoice choose_tree(const std::shared_ptr<const MaximalFormulas>& formulas,
                       const std::shared_ptr<const ConstrainedSystem>& maximal, Coordinates coordinates,
                       bool by_elements, const State& at) {
  const bool asked = coordinates == Coordinates::tree;
  if (!asked && (coordinates != Coordinates::automatic || at.q.size() == 0)) return {};
  if (by_elements && formulas->instance().planar()) return {};
  if (formulas->instance().planar() || at.q.size() == 0) return choose_pins(formulas, maximal, asked, at);
  TreeChoice joints = tree_in_space(*formulas, at, !by_elements);
  if (joints.make) joints.system = joints.make(formulas, maximal);
  if (by_elements) return joints.system ? joints : TreeChoice{};
  if (asked) return joints.system ? joints : TreeChoice{};
  if (joints.system && size_of(*joints.system) <= surely_cheaper_share * size_of(*maximal)) return joints;
  TreeChoice pins = choose_pins(formulas, maximal, false, at);
  if (!joints.system) return pins;
  const double other = pins.system ? cost_of(*pins.system, pins.from_bodies(at)) : cost_of(*maximal, at);
  return cost_of(*joints.system, joints.from_bodies(at)) < other ? joints : pins;
}

// Null where the start has nothing to decide, or is not found, which is reported when it is asked for.
std::shared_ptr<const Instance> with_data_of_start(const std::shared_ptr<const Instance>& instance,
                                                   const StartRoad& road) {
  if (!wants_joint_data(*instance)) return nullptr;
  const ReportedNames& names = road.complete()->reported();
  try {
    const State motion = road.find_motion(placed_start(*instance, names.positions, names.velocities));
    return take_joint_data(instance, motion.t, motion.q);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::computation) throw;
    return nullptr;
  }
}

// The rows to keep where a mechanism starts, and what of its reactions is not unique. Nothing is chosen where no start
// is found: another one may do, and the failure is reported when this one is asked for.
struct Choice {
  State motion;   // of the bodies
  State regular;  // where the system is looked at: beside the start where that is singular
  RowChoice rows;
  IndeterminateOutputs outputs;
  bool singular_start = false;
};

Choice choose_at_start(const StartRoad& road, const StartRequest& start) {
  Choice choice;
  try {
    FoundStart found = road.find_start(start);
    const Instance& instance = road.all()->instance();
    IndeterminateSets indeterminate = indeterminate_outputs(*found.judging, found.rows, found.motion);
    choice.outputs.always = std::move(indeterminate.always);
    choice.outputs.of_state = watch_indeterminate_outputs(
        found.judging, instance, static_cast<int>(found.rows.kept.size()), std::move(indeterminate.sometimes));
    found.rows.report.indeterminate =
        indeterminate_components(*found.judged, found.rows, found.motion,
                                 [&](const std::shared_ptr<MaximalFormulas>& of) { return road.make_system(of); });
    for (std::string& note : notes_on_free_bodies(instance)) found.rows.report.notes.push_back(std::move(note));
    choice.singular_start = found.rows.report.momentary > 0;
    choice.motion = choice.regular = found.motion;
    if (choice.singular_start && found.rows.q.size() > 0) {
      choice.regular.t = found.rows.t;
      choice.regular.q = found.rows.q;
    }
    choice.rows = std::move(found.rows);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::computation) throw;
  }
  return choice;
}

// The starts are consistent and, so far, not smooth.
// `few_by_elements`: of few bodies too, if they move by a recursion.
Model assemble_plainly(const std::shared_ptr<const Instance>& instance, Coordinates coordinates,
                       bool few_by_elements = true) {
  if (instance->bodies().size() < 2)
    refuse_at(instance->mechanism().place, "the mechanism has no bodies; describe at least one under [bodies]");
  require_springs_with_direction(*instance);
  bool by_elements = coordinates == Coordinates::element_by_element ||
                     (coordinates == Coordinates::automatic && !pays_recording(*instance));
  auto road = by_elements ? road_by_elements(instance) : recorded_road(instance);
  const bool are_few = coordinates == Coordinates::automatic && is_few(*instance);
  if (by_elements && are_few && !(few_by_elements && rests_closed(*instance, *road))) {
    by_elements = false;
    road = recorded_road(instance);
  }
  if (const auto decided = with_data_of_start(instance, *road))
    return assemble_plainly(decided, coordinates, few_by_elements);
  require_known_names(*road->all());
  const ReportedNames& names = road->complete()->reported();
  Model model;
  model.start = placed_start(*instance, names.positions, names.velocities);
  Choice choice = choose_at_start(*road, model.start);
  std::shared_ptr<const MaximalFormulas> formulas = road->all();
  if (choice.motion.q.size() > 0) {
    model.mobility = std::make_shared<MobilityReport>(std::move(choice.rows.report));
    const auto kept = std::make_shared<MaximalFormulas>(*formulas);
    kept->keep(choice.rows.kept, choice.rows.directions);
    formulas = kept;
  }
  const std::shared_ptr<ConstrainedSystem> maximal = road->make_system(formulas);
  dynamic_cast<WithholdsIndeterminate&>(*maximal).mark_indeterminate(choice.rows.indeterminate,
                                                                     std::move(choice.outputs));
  const TreeChoice tree = choose_tree(formulas, maximal, coordinates, by_elements, choice.regular);
  if (by_elements && are_few && !tree.system) return assemble_plainly(instance, coordinates, false);
  model.system = tree.system ? tree.system : maximal;
  // Pivots are chosen where evaluations are first asked for, which must not be a singular configuration.
  if (choice.singular_start && !by_elements) {
    maximal->prepare(choice.regular.t, choice.regular.q);
    if (tree.system) tree.system->prepare(choice.regular.t, tree.from_bodies(choice.regular).q);
  }
  model.dropped_rows = watch_dropped_rows(road->all(), *formulas, road->complete(), model.system);
  model.events = events_of(instance->mechanism());
  if (!model.events.empty()) {
    const auto watched = event_formulas(*formulas);
    const std::shared_ptr<ConstrainedSystem> watching = road->make_system(watched);
    model.event_functions = tree.system ? tree.make(watched, watching) : watching;
  }
  model.assembly =
      std::make_shared<const MechanismAssembly>(road, model.system, tree.from_bodies, model.start, choice.motion);
  if (choice.motion.q.size() > 0 && !choice.singular_start && !instance->has_joint_data())
    model.live =
        std::make_shared<LiveMechanism>(instance, road, maximal, tree.kept, tree.from_bodies, choice.motion, model);
  return model;
}

}  // namespace

Model assemble(const std::shared_ptr<const Instance>& instance, Coordinates coordinates) {
  Model model = assemble_plainly(instance, coordinates);
  start_smoothly(*instance, model);
  return model;
}

}  // namespace raak
