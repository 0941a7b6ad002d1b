#include "mechanism/assemble.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/text.h"
#include "mechanism/large/assemble_large.h"
#include "mechanism/loose_bodies.h"
#include "mechanism/mechanism_system.h"
#include "mechanism/placement.h"
#include "mechanism/redundancy.h"
#include "mechanism/row_watch.h"
#include "mechanism/settled.h"
#include "mechanism/tree.h"
#include "mechanism/watched_events.h"
#include "system/branch_rates.h"

namespace raak {
namespace {

constexpr std::size_t most_rates_told = 6;

// The mechanism with a row for each trusted value.
class TrustedFormulas final : public Formulas {
 public:
  struct Value {
    std::size_t index;  // among the reported ones
    double value;
  };
  TrustedFormulas(std::shared_ptr<const MaximalFormulas> mechanism, std::vector<Value> positions,
                  std::vector<Value> velocities)
      : mechanism_(std::move(mechanism)), positions_(std::move(positions)), velocities_(std::move(velocities)) {}

  void mass(const Recorded& t, const Reals& q, SymmetricEntries& M) const override { mechanism_->mass(t, q, M); }
  void force(const Recorded& t, const Reals& q, const Reals& v, Reals& f) const override {
    mechanism_->force(t, q, v, f);
  }
  void constraint(const Recorded& t, const Reals& q, Reals& g) const override {
    mechanism_->constraint(t, q, g);
    if (positions_.empty()) return;
    const Reals shown = mechanism_->reported_positions(t, q);
    for (const Value& trusted : positions_) g.push_back(shown[trusted.index] - trusted.value);
  }
  void velocity_constraint(const Recorded& t, const Reals& q, const Reals& v, Reals& c) const override {
    mechanism_->velocity_constraint(t, q, v, c);
    if (velocities_.empty()) return;
    const Reals shown = mechanism_->reported_velocities(t, q, v);
    for (const Value& trusted : velocities_) c.push_back(shown[trusted.index] - trusted.value);
  }

 private:
  std::shared_ptr<const MaximalFormulas> mechanism_;
  std::vector<Value> positions_, velocities_;
};

std::vector<TrustedFormulas::Value> trusted_values(const std::vector<std::string>& names, const Vector& values,
                                                   const std::vector<std::string>& trusted) {
  std::vector<TrustedFormulas::Value> result;
  for (const std::string& name : trusted) {
    const auto index = static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
    result.push_back({index, values[static_cast<Eigen::Index>(index)]});
  }
  return result;
}

// In the plane rates are reported by the names of their coordinates; a file has names of their own for them.
std::string name_of_rate(const std::string& coordinate) {
  const auto dot = coordinate.rfind('.');
  const std::string part = coordinate.substr(dot + 1);
  const bool planar = coordinate.find('.') == dot;
  if (!planar) return coordinate;
  return coordinate.substr(0, dot + 1) + (part == "angle" ? "omega" : "v" + part);
}

// Drivers and equations, which may prescribe rates.
std::vector<int> rows_with_motion(const MaximalFormulas& formulas) {
  std::vector<int> rows;
  for (std::size_t i = 0; i < formulas.all_rows().size(); ++i) {
    const RowOwner::Kind kind = formulas.all_rows()[i].kind;
    if (kind == RowOwner::Kind::driver || kind == RowOwner::Kind::equation) rows.push_back(static_cast<int>(i));
  }
  return rows;
}

// The mechanism with all rows and those of trusted values. Rows of trusted positions say nothing of velocities, so that
// the two levels have a system each.
RecordedSystem trusting_system(const std::shared_ptr<const MaximalFormulas>& formulas,
                               const std::vector<TrustedFormulas::Value>& positions,
                               const std::vector<TrustedFormulas::Value>& velocities, const ReportedNames& names) {
  Description description;
  const auto add_row = [&](const std::string& name, const std::string& unit) {
    description.constraints.push_back(name);
    description.constraint_units.push_back(unit);
  };
  const auto add_rows = [&](bool velocity) {
    for (const RowOwner& row : formulas->all_rows())
      if (row.velocity == velocity) add_row(row.name, row.unit);
  };
  add_rows(false);
  for (const auto& value : positions) add_row(names.positions[value.index], names.position_units[value.index]);
  add_rows(true);
  for (const auto& value : velocities) {
    const std::string& unit = names.velocity_units[value.index];
    add_row(name_of_rate(names.velocities[value.index]), unit.substr(0, unit.find('/')));
  }
  return {std::make_shared<TrustedFormulas>(formulas, positions, velocities), formulas->instance().coordinates(),
          formulas->position_rows() + static_cast<int>(positions.size()),
          formulas->velocity_rows() + static_cast<int>(velocities.size()), description};
}

[[noreturn]] void refuse_crossing(const std::shared_ptr<const MaximalFormulas>& formulas, State motion,
                                  const std::vector<Vector>& branches) {
  const std::vector<std::string> names = reported_names(*formulas).velocities;
  const MechanismSystem complete(formulas);
  std::vector<Vector> rates;
  for (const Vector& v : branches) {
    motion.v = v;
    motion.lambda = Vector::Zero(complete.rows());
    State shown;
    complete.report(motion, shown);
    rates.push_back(shown.v);
  }
  std::vector<std::string> told;
  for (const Vector& of : rates) {
    std::vector<std::string> parts;
    for (Eigen::Index i = 0; i < of.size(); ++i)
      if (std::abs(rates[0][i] - rates[1][i]) > 1e-6 * motion.v.cwiseAbs().maxCoeff() && parts.size() < most_rates_told)
        parts.push_back(fmt::format("\"{}\" = {:.6g}", name_of_rate(names[static_cast<std::size_t>(i)]),
                                    std::abs(of[i]) < 1e-12 ? 0.0 : of[i]));
    told.push_back(join(parts));
  }
  throw Error(ErrorKind::computation,
              fmt::format("the start is a singular pose where two motions cross: one has {}; the other {}. Trust "
                          "one of these rates under [start], or start a little beside the pose",
                          told[0], told[1]));
}

// q and v that satisfy every row and hold what is trusted.
State find_motion(const std::shared_ptr<const MaximalFormulas>& formulas, const StartRequest& start) {
  const ReportedNames names = reported_names(*formulas);
  const State guess = inner_state(formulas->instance(), start.t, start.q, start.v);
  StartRequest request;
  request.t = start.t;
  request.q = guess.q;
  request.v = guess.v;
  request.allow_free = true;
  const auto positions = trusted_values(names.positions, start.q, start.trusted_positions);
  request.suspects = rows_with_motion(*formulas);
  for (std::size_t i = 0; i < positions.size(); ++i)
    request.suspects.push_back(formulas->position_rows() + static_cast<int>(i));
  request.q = make_consistent_positions(trusting_system(formulas, positions, {}, names), request);
  request.correct_positions = false;
  // Rates that are guessed hold too where they can: in or beside a singular pose they tell the branch of the motion.
  std::vector<std::string> given = start.trusted_velocities;
  for (std::size_t i = 0; i < names.velocities.size(); ++i)
    if (start.v[static_cast<Eigen::Index>(i)] != 0.0 &&
        std::find(given.begin(), given.end(), names.velocities[i]) == given.end())
      given.push_back(names.velocities[i]);
  const auto motion_with = [&](const std::vector<std::string>& held) {
    const auto rates = trusted_values(names.velocities, start.v, held);
    const RecordedSystem holding = trusting_system(formulas, {}, rates, names);
    request.suspects = rows_with_motion(*formulas);
    for (std::size_t i = 0; i < rates.size(); ++i)
      request.suspects.push_back(static_cast<int>(formulas->all_rows().size() + i));
    State motion = make_consistent_motion(holding, request);
    const std::vector<Vector> branches = branch_velocities(holding, static_cast<int>(rates.size()), motion);
    if (branches.size() > 1) refuse_crossing(formulas, motion, branches);
    motion.v = branches.front();
    return motion;
  };
  if (given.size() > start.trusted_velocities.size()) {
    try {
      return motion_with(given);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::computation) throw;
    }
  }
  return motion_with(start.trusted_velocities);
}

bool asks_alike(const StartRequest& one, const StartRequest& other) {
  return one.t == other.t && one.q == other.q && one.v == other.v && one.trusted_positions == other.trusted_positions &&
         one.trusted_velocities == other.trusted_velocities;
}

// The outputs that change with multipliers that the motion does not determine.
std::vector<int> indeterminate_outputs(const MechanismSystem& complete, const RowChoice& choice, const State& pose) {
  std::vector<int> found;
  if (choice.null_space.cols() == 0 || complete.outputs() == 0) return found;
  State state = pose;
  state.q = choice.q;
  state.a = Vector::Zero(complete.coordinates());
  state.lambda = Vector::Zero(complete.rows());
  Vector without(complete.outputs());
  Vector with(complete.outputs());
  complete.evaluate_outputs(state, without);
  for (Eigen::Index k = 0; k < choice.null_space.cols(); ++k) {
    state.lambda = choice.null_space.col(k);
    complete.evaluate_outputs(state, with);
    for (int i = 0; i < complete.outputs(); ++i)
      if (!(std::abs(with[i] - without[i]) < 1e-8 * state.lambda.cwiseAbs().maxCoeff())) found.push_back(i);
  }
  return found;
}

// Code recorded for more bodies than this runs no faster than the elements one by one, and takes longer to make. In the
// plane closed loops may pass singular poses, which only independent coordinates step over: they stay recorded for
// longer.
constexpr int most_bodies_for_recording = 30, most_bodies_with_loops = 200;

bool pays_recording(const Instance& instance) {
  const auto bodies = static_cast<int>(instance.bodies().size()) - 1;
  std::size_t ties = 0;
  for (const Element& joint : instance.mechanism().joints) {
    const auto pins = joint.arguments.find("pins");
    ties += pins == joint.arguments.end() ? 1 : pins->second.points.size() - 1;
  }
  const bool has_loops = instance.planar() && static_cast<int>(ties) > bodies;
  return bodies <= (has_loops ? most_bodies_with_loops : most_bodies_for_recording);
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
std::shared_ptr<const Instance> settled_by_start(const std::shared_ptr<const Instance>& instance, bool large) {
  if (!wants_settling(*instance)) return nullptr;
  try {
    if (large) {
      const State motion = start_of_large(instance);
      return settle(instance, motion.t, motion.q);
    }
    const auto formulas = std::make_shared<MaximalFormulas>(instance);
    const ReportedNames names = reported_names(*formulas);
    const State motion = find_motion(formulas, placed_start(*instance, names.positions, names.velocities));
    return settle(instance, motion.t, motion.q);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::computation) throw;
    return nullptr;
  }
}

}  // namespace

Model assemble(const std::shared_ptr<const Instance>& instance, Coordinates coordinates) {
  if (instance->bodies().size() < 2)
    refuse_at(instance->mechanism().place, "the mechanism has no bodies; describe at least one under [bodies]");
  const bool large = coordinates == Coordinates::element_by_element ||
                     (coordinates == Coordinates::automatic && !pays_recording(*instance));
  if (const auto settled = settled_by_start(instance, large)) return assemble(settled, coordinates);
  if (large) return assemble_large(instance);
  const auto all = std::make_shared<MaximalFormulas>(instance);
  const auto formulas = std::make_shared<MaximalFormulas>(instance);
  const ReportedNames names = reported_names(*all);
  Model model;
  model.start = placed_start(*instance, names.positions, names.velocities);
  State found, pose;  // the start, and where the system is looked at: beside it where it is singular
  std::vector<std::size_t> indeterminate_rows;
  std::vector<int> unsure_outputs;
  bool singular_start = false;
  try {
    found = pose = find_motion(all, model.start);
    const MechanismSystem complete(all);
    RowChoice choice = choose_rows(*all, complete, found);
    formulas->keep(choice.kept);
    unsure_outputs = indeterminate_outputs(complete, choice, found);
    indeterminate_rows = choice.indeterminate;
    singular_start = choice.report.momentary > 0;
    if (singular_start) {
      pose.t = choice.t;
      pose.q = choice.q;
    }
    choice.report.notes = notes_on_loose_bodies(*instance);
    model.mobility = std::make_shared<MobilityReport>(std::move(choice.report));
  } catch (const Error& error) {
    // Another start may do: the failure is told when this one is asked for.
    if (error.kind() != ErrorKind::computation) throw;
  }
  const auto maximal = std::make_shared<MechanismSystem>(formulas);
  maximal->mark_indeterminate(indeterminate_rows, unsure_outputs);
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
  model.assemble = [all, system, tree, take_tree, found, own = model.start](const StartRequest& start) {
    const State motion = found.q.size() > 0 && asks_alike(start, own) ? found : find_motion(all, start);
    State state = State::of_size(system->coordinates(), system->rows());
    state.t = motion.t;
    for (Eigen::Index i = 0; i < state.q.size(); ++i) {
      const Eigen::Index from = take_tree ? tree.coordinates[static_cast<std::size_t>(i)] : i;
      state.q[i] = motion.q[from];
      state.v[i] = motion.v[from];
    }
    complete_start(*system, state);
    return state;
  };
  return model;
}

}  // namespace raak
