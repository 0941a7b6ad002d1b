#include "mechanism/rows/indeterminate_reactions.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

#include "kinematics/rank/sparse_frame.h"
#include "mechanism/drivers/drivers.h"
#include "mechanism/rows/row_exploration.h"

namespace raak {
namespace {

constexpr std::size_t most_joints = 100;  // each has up to six components to be recorded

// The reactions that one joint, driver or equation has, by their names in outputs.
std::vector<std::string> components_of(const Instance& instance, const std::string& owner) {
  const Mechanism& mechanism = instance.mechanism();
  const auto is_owner = [&](const auto& element) { return element.name == owner; };
  if (instance.find_joint(owner) != nullptr) {
    if (instance.planar()) return {owner + ".force.x", owner + ".force.y", owner + ".moment"};
    return {owner + ".force.x",  owner + ".force.y",  owner + ".force.z",
            owner + ".moment.x", owner + ".moment.y", owner + ".moment.z"};
  }
  const auto driver = std::find_if(mechanism.drivers.begin(), mechanism.drivers.end(), is_owner);
  if (driver != mechanism.drivers.end())
    return {owner + (unit_of_driver(instance, *driver) == "rad" ? ".moment" : ".force")};
  if (std::any_of(mechanism.constraints.begin(), mechanism.constraints.end(), is_owner)) return {owner + ".lambda"};
  return {};
}

// What multipliers that hold together an energy of 1 in scales of their rows amount to in each output: 1 for a moment,
// 1 over the length of the mechanism for a force.
Vector sizes_of_outputs(const ConstrainedSystem& complete) {
  const Description& description = complete.description();
  double length = 1.0;
  for (std::size_t i = 0; i < description.constraints.size(); ++i)
    if (description.constraints[i].unit == "m") length = complete.row_scales()[static_cast<Eigen::Index>(i)];
  Vector sizes = Vector::Constant(complete.outputs(), std::min(1.0, 1.0 / length));  // of other quantities
  for (std::size_t i = 0; i < description.output_units.size(); ++i) {
    const std::string& unit = description.output_units[i];
    if (unit == "N" || unit == "N m") sizes[static_cast<Eigen::Index>(i)] = unit == "N" ? 1.0 / length : 1.0;
  }
  return sizes;
}

// Outputs that change with multipliers which do nothing to the bodies, ascending.
std::vector<int> changed_outputs(const ConstrainedSystem& complete, const State& at, const VanishingRows& there) {
  constexpr double vanishes = 1e-8;
  const Vector sizes = sizes_of_outputs(complete);
  State state = at;
  state.t = there.t;
  state.q = there.q;
  state.a = Vector::Zero(complete.coordinates());
  state.lambda = Vector::Zero(complete.rows());
  Vector without(complete.outputs());
  Vector with(complete.outputs());
  complete.evaluate_outputs(state, without);
  std::set<int> found;
  for (Eigen::Index k = 0; k < there.vanishing.cols(); ++k) {
    state.lambda = there.vanishing.col(k);
    const double energy = state.lambda.cwiseProduct(complete.row_scales()).cwiseAbs().maxCoeff();
    complete.evaluate_outputs(state, with);
    for (int i = 0; i < complete.outputs(); ++i)
      if (!(std::abs(with[i] - without[i]) < vanishes * energy * sizes[i])) found.insert(i);
  }
  return {found.begin(), found.end()};
}

}  // namespace

IndeterminateSets indeterminate_outputs(const ConstrainedSystem& complete, const RowChoice& choice, const State& at) {
  IndeterminateSets found;
  if (complete.outputs() == 0) return found;
  std::vector<std::size_t> times(static_cast<std::size_t>(complete.outputs()), 0);
  for (const VanishingRows& there : choice.seen)
    for (const int i : changed_outputs(complete, at, there)) ++times[static_cast<std::size_t>(i)];
  for (int i = 0; i < complete.outputs(); ++i) {
    const std::size_t seen = times[static_cast<std::size_t>(i)];
    if (seen > 0) (seen == choice.seen.size() ? found.always : found.sometimes).push_back(i);
  }
  return found;
}

std::function<std::vector<int>(const State&)> watch_indeterminate_outputs(
    const std::shared_ptr<const ConstrainedSystem>& complete, const Instance& instance, int rank,
    std::vector<int> sometimes) {
  if (sometimes.empty()) return {};
  return [complete, rank, sometimes = std::move(sometimes), units = coordinate_units(instance)](const State& state) {
    SparseFrame rows(*complete, units, rank);
    // Near a singular configuration nothing is unique.
    if (!rows.look(state.t, state.q)) return sometimes;
    // One combination of all that vanish: what changes with one of them changes with it, but for a chance of none.
    Vector factors(rows.vanishing().cols());
    for (Eigen::Index k = 0; k < factors.size(); ++k) factors[k] = std::cos(1.0 + static_cast<double>(k));
    const VanishingRows here{state.t, state.q, (rows.vanishing() * factors).cwiseQuotient(rows.row_lengths())};
    const std::vector<int> changed = changed_outputs(*complete, state, here);
    std::vector<int> both;
    std::set_intersection(changed.begin(), changed.end(), sometimes.begin(), sometimes.end(), std::back_inserter(both));
    return both;
  };
}

std::vector<std::string> indeterminate_components(
    const MaximalFormulas& all, const RowChoice& choice, const State& at,
    const std::function<std::shared_ptr<const ConstrainedSystem>(std::shared_ptr<MaximalFormulas>)>& make_system) {
  const std::vector<std::string>& sharing = choice.report.sharing;
  if (sharing.size() > most_joints) return sharing;
  std::vector<NamedQuantity> quantities;
  for (const std::string& owner : sharing)
    for (const std::string& name : components_of(all.instance(), owner))
      quantities.push_back({name, {Expression::parse(name, {owner}), all.instance().mechanism().place}});
  if (quantities.empty()) return sharing;
  const auto formulas = std::make_shared<MaximalFormulas>(all);
  formulas->evaluate_instead(quantities);
  std::vector<std::string> names;
  const IndeterminateSets indeterminate = indeterminate_outputs(*make_system(formulas), choice, at);
  std::set<int> both(indeterminate.always.begin(), indeterminate.always.end());
  both.insert(indeterminate.sometimes.begin(), indeterminate.sometimes.end());
  for (const int i : both) names.push_back(quantities[static_cast<std::size_t>(i)].name);
  return names;
}

}  // namespace raak
